#include "isogon/io/abandoned_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "isogon/io/atomic_file.hpp"
#include "unit/io/files.hpp"

namespace isogon::abandoned_files_test {
namespace {

using namespace test;

/// What a process leaves that is killed while it writes.
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

TEST(AbandonedFiles, WhatAKilledProgramHasLeftGoes) {
    const TemporaryFolder folder;
    leave_a_file(folder);
    ASSERT_EQ(folder.entries(), 1U);
    EXPECT_EQ(remove_abandoned(folder.path()), 1U);
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(AbandonedFiles, WhatIsBeingWrittenStays) {
    const TemporaryFolder folder;
    AtomicFile begun(folder / "x");
    AtomicFile half(folder / "y");
    half.write(std::string(1000000, 'y'));
    EXPECT_EQ(remove_abandoned(folder.path()), 0U);
    half.commit();
    begun.commit();
    EXPECT_EQ(folder.entries(), 2U);
}

TEST(AbandonedFiles, AnEmptyOneGoesToo) {
    const TemporaryFolder folder;
    static_cast<void>(folder.file(".isogon-7-0.tmp", ""));
    EXPECT_EQ(remove_abandoned(folder.path()), 1U);
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(AbandonedFiles, AFolderGoesUnlessItIsLocked) {
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
}  // namespace isogon::abandoned_files_test
