#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "io/files.hpp"

namespace isogon::atomic_file_test {
namespace {

using namespace test;

template <class Action>
void expect_output_error(Action action, const std::vector<std::string>& parts) {
    expect_holds(message_of<OutputError>(action), parts);
}

TEST(AtomicFile, AppearsWithAllItsBytesOnlyWhenCommitted) {
    const TemporaryFolder folder;
    std::string expected;
    {
        AtomicFile file(folder / "x");
        for (int i = 0; i < 1000; ++i) {
            const std::string piece(static_cast<std::size_t>(i * 7), static_cast<char>('a' + i % 26));
            file.write(piece);
            expected += piece;
        }
        EXPECT_FALSE(fs::exists(folder / "x"));
        EXPECT_EQ(file.temporary().parent_path(), folder.path());
        file.commit();
    }
    EXPECT_EQ(bytes_of(folder / "x"), expected);
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, WithoutCommitNothingIsLeft) {
    const TemporaryFolder folder;
    {
        AtomicFile file(folder / "x");
        file.write(std::string(1000000, 'x'));
        EXPECT_EQ(folder.entries(), 1U);
    }
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(AtomicFile, AnExistingFileStaysUntilTheCommit) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x", "old");
    { AtomicFile(path, true).write("new"); }
    EXPECT_EQ(bytes_of(path), "old");
    AtomicFile file(path, true);
    file.write("new");
    file.commit();
    EXPECT_EQ(bytes_of(path), "new");
}

TEST(AtomicFile, EveryReasonHasItsOwnMessage) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x", "old");
    expect_output_error([&] { AtomicFile{path}; }, {"x", "already exists"});
    expect_output_error([&] { AtomicFile{folder / "none/y"}; }, {"none/y", "does not exist; create it"});
    expect_output_error([&] { AtomicFile{path / "y"}; }, {"x/y", "is not a folder"});
    expect_output_error([&] { AtomicFile(folder.path(), true); }, {folder.path().string(), "is a folder"});
    expect_output_error([&] { AtomicFile(folder.path().string() + "/", true); }, {"not the name of a file"});
    expect_output_error([&] { AtomicFile("", true); }, {"not the name of a file"});
    expect_output_error([&] { AtomicFile("/dev/null", true); }, {"/dev/null", "not a regular file"});
    EXPECT_EQ(bytes_of(path), "old");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, NoPermissionIsReported) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "locked");
    fs::permissions(folder / "locked", fs::perms::owner_read | fs::perms::owner_exec);
    fs::permissions(folder.path(), fs::perms::all);
    const fs::path path = folder.file("readonly", "old");
    fs::permissions(path, fs::perms::owner_read);
    // The superuser may write everywhere, so run as another user.
    const bool superuser = ::geteuid() == 0;
    ASSERT_TRUE(!superuser || ::seteuid(65534) == 0);
    const std::string in_folder = message_of<OutputError>([&] { AtomicFile{folder / "locked/y"}; });
    const std::string in_place = message_of<OutputError>([&] { AtomicFile(path, true); });
    ASSERT_TRUE(!superuser || ::seteuid(0) == 0);
    fs::permissions(folder / "locked", fs::perms::all);
    expect_holds(in_folder, {"locked", "no permission"});
    expect_holds(in_place, {"readonly", "no permission"});
}

TEST(AtomicFile, AWriteThatFailsLeavesNothingAndReportsTheReason) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x", "old");
    const FileSizeLimit limit(100000);
    AtomicFile file(path, true);
    expect_output_error([&] { file.write(std::string(1000000, 'x')); }, {path.string(), "size limit"});
    EXPECT_EQ(folder.entries(), 1U);
    EXPECT_EQ(bytes_of(path), "old");
    // Once given up, it cannot be committed by mistake.
    EXPECT_THROW(file.commit(), OutputError);
    EXPECT_EQ(bytes_of(path), "old");
}

TEST(AtomicFile, AFlushThatFailsInTheCommitLeavesNothing) {
    const TemporaryFolder folder;
    const FileSizeLimit limit(1000);
    AtomicFile file(folder / "x");
    file.write(std::string(2000, 'x'));  // still in the buffer
    expect_output_error([&] { file.commit(); }, {"x", "size limit"});
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(AtomicFile, SpaceForTheExpectedSizeIsReservedFirst) {
    const TemporaryFolder folder;
    expect_output_error([&] { AtomicFile(folder / "x", false, std::uint64_t{1} << 62U); },
                        {"x", "needs 4.61e+03 PB", "free there"});
    const FileSizeLimit limit(1000);
    AtomicFile file(folder / "x", false, 2000);
    file.write(std::string(2000, 'x'));
    expect_output_error([&] { file.commit(); }, {"2 kB", "needed in all"});
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(AtomicFile, TheFirstBytesCanBeReplaced) {
    const TemporaryFolder folder;
    AtomicFile file(folder / "x");
    file.write("0000 points");
    EXPECT_THROW(file.replace_first("far too long for it"), InvalidArgument);
    file.replace_first("0012");
    file.write(" follow");
    file.commit();
    EXPECT_EQ(bytes_of(folder / "x"), "0012 points follow");
}

TEST(AtomicFile, AFileThatAppearsMeanwhileIsNotReplaced) {
    const TemporaryFolder folder;
    AtomicFile file(folder / "x");
    file.write("mine");
    static_cast<void>(folder.file("x", "theirs"));
    expect_output_error([&] { file.commit(); }, {"x", "already exists"});
    EXPECT_EQ(bytes_of(folder / "x"), "theirs");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, PermissionsOfTheOldFileStay) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x", "old");
    const auto mode = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_write;
    fs::permissions(path, mode);
    AtomicFile file(path, true);
    file.commit();
    EXPECT_EQ(fs::status(path).permissions(), mode);
}

TEST(AtomicFile, NewFilesHaveThePermissionsOfAnyOther) {
    const TemporaryFolder folder;
    AtomicFile file(folder / "x");
    file.commit();
    EXPECT_EQ(fs::status(folder / "x").permissions(), fs::status(folder.file("y", "")).permissions());
}

TEST(AtomicFile, ASymbolicLinkIsFollowed) {
    const TemporaryFolder folder;
    fs::create_symlink(folder.file("x", "old"), folder / "link");
    AtomicFile file(folder / "link", true);
    file.write("new");
    file.commit();
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(bytes_of(folder / "x"), "new");
}

TEST(AtomicFile, ASymbolicLinkToWhatIsNotThereYetIsFollowed) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "elsewhere");
    fs::create_symlink("elsewhere/x", folder / "inner");
    fs::create_symlink(folder / "inner", folder / "link");
    EXPECT_NO_THROW(require_writable_target(folder / "link"));
    AtomicFile file(folder / "link");
    EXPECT_EQ(file.temporary().parent_path(), folder / "elsewhere");  // the rename must not cross file systems
    file.write("new");
    file.commit();
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(bytes_of(folder / "elsewhere" / "x"), "new");
}

TEST(AtomicFile, TheFinalTargetIsWhereTheBytesGo) {
    const TemporaryFolder folder;
    fs::create_symlink("x", folder / "one");
    fs::create_symlink(folder / "one", folder / "two");
    EXPECT_EQ(final_target(folder / "x"), folder / "x");
    EXPECT_EQ(final_target(folder / "one"), folder / "x");
    EXPECT_EQ(final_target(folder / "two"), folder / "x");
    EXPECT_THROW(static_cast<void>(final_target(folder / std::string(256, 'n'))), OutputError);
}

TEST(AtomicFile, ASymbolicLinkThatLeadsNowhereIsToldBeforeWorkStarts) {
    const TemporaryFolder folder;
    fs::create_symlink(folder / "missing" / "x", folder / "link");
    EXPECT_THROW(require_writable_target(folder / "link"), OutputError);
    fs::create_symlink("circle", folder / "circle");
    EXPECT_THROW(require_writable_target(folder / "circle"), OutputError);
    EXPECT_THROW(AtomicFile(folder / "circle", true), OutputError);
}

TEST(AtomicFile, NamesOfTheFullLengthWork) {
    const TemporaryFolder folder;
    const fs::path path = folder / std::string(255, 'n');
    AtomicFile file(path);
    file.commit();
    EXPECT_TRUE(fs::exists(path));
}

TEST(AtomicFile, BeforeItGetsItsNameItIsShownWhole) {
    const TemporaryFolder folder;
    AtomicFile file(folder / "x");
    file.write("all of it");
    std::string seen;
    file.commit([&](const fs::path& whole) {
        EXPECT_FALSE(fs::exists(folder / "x"));
        seen = bytes_of(whole);
    });
    EXPECT_EQ(seen, "all of it");
    EXPECT_EQ(bytes_of(folder / "x"), seen);
}

TEST(AtomicFile, WhoeverIsShownItCanStopIt) {
    const TemporaryFolder folder;
    {
        AtomicFile file(folder / "x");
        file.write("all of it");
        EXPECT_THROW(file.commit([](const fs::path&) { throw OutputError("y", "no room"); }), OutputError);
    }
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(AtomicFile, ItsTemporaryNameIsKnownAgain) {
    const TemporaryFolder folder;
    const AtomicFile file(folder / "x");
    EXPECT_TRUE(is_temporary_name(file.temporary()));
    EXPECT_FALSE(is_temporary_name(folder / "x"));
    EXPECT_FALSE(is_temporary_name(folder / "x.tmp"));
}

TEST(AtomicFile, CheckingCreatesNothing) {
    const TemporaryFolder folder;
    EXPECT_NO_THROW(require_writable_target(folder / "x"));
    EXPECT_EQ(folder.entries(), 0U);
    EXPECT_THROW(require_writable_target(folder.file("x", "")), OutputError);
    EXPECT_NO_THROW(require_writable_target(folder / "x", true));
}

/// Leaves the file of a process that is killed while it writes.
void leave_a_file(const TemporaryFolder& folder) {
    const pid_t child = ::fork();
    if (child == 0) {
        AtomicFile file(folder / "x");
        file.write(std::string(1000000, 'x'));
        ::_exit(0);  // no destructor runs
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
}

TEST(AbandonedFiles, FilesOfAKilledProgramAreRemoved) {
    const TemporaryFolder folder;
    leave_a_file(folder);
    ASSERT_EQ(folder.entries(), 1U);
    EXPECT_EQ(remove_abandoned(folder.path()), 1U);
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(AbandonedFiles, FilesInUseAreKept) {
    const TemporaryFolder folder;
    AtomicFile begun(folder / "x");
    AtomicFile half(folder / "y");
    half.write(std::string(1000000, 'y'));
    EXPECT_EQ(remove_abandoned(folder.path()), 0U);
    half.commit();
    begun.commit();
    EXPECT_EQ(folder.entries(), 2U);
}

TEST(AbandonedFiles, AnEmptyOneIsRemovedToo) {
    const TemporaryFolder folder;
    static_cast<void>(folder.file(".isogon-7-0.tmp", ""));
    EXPECT_EQ(remove_abandoned(folder.path()), 1U);
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(AbandonedFiles, AFolderIsRemovedUnlessItIsLocked) {
    const TemporaryFolder folder;
    const fs::path left = folder / ".isogon-7-figure.tmp";
    fs::create_directory(left);
    static_cast<void>(folder.file(".isogon-7-figure.tmp/data.json", "{}"));
    const int held = ::open(left.c_str(), O_RDONLY | O_DIRECTORY);
    ASSERT_EQ(::flock(held, LOCK_EX), 0);
    EXPECT_EQ(remove_abandoned(folder.path()), 0U);
    ::close(held);
    EXPECT_EQ(remove_abandoned(folder.path()), 1U);
    EXPECT_EQ(folder.entries(), 0U);
}

// Between the opening of a temporary file and its lock remove_abandoned() of another program may take it.
TEST(AbandonedFiles, FilesBeingMadeSurviveOneThatIsAlwaysCleaning) {
    const TemporaryFolder folder;
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);  // whatever becomes of its parent
        while (true) {
            remove_abandoned(folder.path());
        }
    }
    for (int i = 0; i < 2000; ++i) {
        AtomicFile file(folder / "x", true);
        file.write("x");
        file.commit();
    }
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(AbandonedFiles, OtherFilesStay) {
    const TemporaryFolder folder;
    for (const char* name : {"x.tmp", ".isogon-1.npy", "points.npy"}) {
        static_cast<void>(folder.file(name, "precious"));
    }
    fs::create_directory(folder / "folder.tmp");
    EXPECT_EQ(remove_abandoned(folder.path()), 0U);
    EXPECT_EQ(folder.entries(), 4U);
    EXPECT_EQ(remove_abandoned(folder / "nowhere"), 0U);
}

}  // namespace
}  // namespace isogon::atomic_file_test
