#include "core/processors.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "isogon/core/run_context.hpp"

namespace isogon::processors_test {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

class Quota : public ::testing::Test {
protected:
    Quota() { std::filesystem::remove_all(folder_); }
    ~Quota() override { std::filesystem::remove_all(folder_); }
    Quota(const Quota&) = delete;
    Quota& operator=(const Quota&) = delete;

    void write(const std::string& name, const std::string& text) const {
        const auto path = folder_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    [[nodiscard]] double of(const std::string& groups) const { return processor_quota(groups, folder_); }

private:
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("isogon-processors-" + std::to_string(::getpid()));
};

TEST_F(Quota, IsTheLeastOfAGroupAndThoseAboveIt) {
    write("a/cpu.max", "300000 100000\n");
    write("a/b/cpu.max", "max 100000\n");
    write("a/b/c/cpu.max", "150000 100000\n");
    EXPECT_EQ(of("0::/a/b/c\n"), 1.5);
    EXPECT_EQ(of("0::/a/b\n"), 3.0);
    EXPECT_EQ(of("0::/a/b/unseen\n"), 3.0);
    EXPECT_EQ(of("0::/\n"), none);
    write("cpu.max", "50000 100000\n");
    EXPECT_EQ(of("0::/\n"), 0.5);
    EXPECT_EQ(of("0::/../elsewhere\n"), 0.5);
}

TEST_F(Quota, IsReadOfTheFirstVersionToo) {
    write("cpu,cpuacct/docker/cpu.cfs_quota_us", "400000\n");
    write("cpu,cpuacct/docker/cpu.cfs_period_us", "200000\n");
    EXPECT_EQ(of("5:memory:/docker\n4:cpu,cpuacct:/docker\n0::/\n"), 2.0);
    EXPECT_EQ(of("5:memory:/docker\n4:cpuset:/docker\n"), none);
    write("cpu/cpu.cfs_quota_us", "-1\n");
    write("cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(of("4:cpu:/\n"), none);
    write("cpu/cpu.cfs_quota_us", "100000\n");
    EXPECT_EQ(of("4:cpu:/of/the/system/around\n"), 1.0);  // a container sees its own group alone
}

TEST_F(Quota, IsNoneWhereNothingSaysSo) {
    write("cpu.max", "a few\n");
    for (const char* groups : {"", "0::/", "0::", "::::", "1:cpu", "garbage\n\n"}) {
        EXPECT_EQ(of(groups), none) << groups;
    }
}

TEST(Processors, AreThoseThatTheProcessMayUse) {
    cpu_set_t before;
    ASSERT_EQ(::sched_getaffinity(0, sizeof(before), &before), 0);
    const int all = usable_processors();
    EXPECT_GE(all, 1);
    EXPECT_LE(all, CPU_COUNT(&before));
    EXPECT_EQ(RunContext{}.thread_count(), all);
    EXPECT_EQ(RunContext{.threads = 7}.thread_count(), 7);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int k = 0; k < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++k) {
        if (CPU_ISSET(k, &before)) {
            CPU_SET(k, &one);
        }
    }
    ASSERT_EQ(::sched_setaffinity(0, sizeof(one), &one), 0);
    EXPECT_EQ(usable_processors(), 1);
    ASSERT_EQ(::sched_setaffinity(0, sizeof(before), &before), 0);
}

}  // namespace
}  // namespace isogon::processors_test
