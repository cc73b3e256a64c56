#include "isogon/io/abandoned_files.hpp"

#include <sys/wait.h>

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

TEST(AbandonedFiles, OtherFilesStay) {
    const TemporaryFolder folder;
    for (const char* name : {"x.tmp", ".isogon-1.npy", "points.npy"}) {
        static_cast<void>(folder.file(name, "precious"));
    }
    fs::create_directory(folder / ".isogon-7-0.tmp");
    EXPECT_EQ(remove_abandoned(folder.path()), 0U);
    EXPECT_EQ(folder.entries(), 4U);
    EXPECT_EQ(remove_abandoned(folder / "nowhere"), 0U);
}

}  // namespace
}  // namespace isogon::abandoned_files_test
