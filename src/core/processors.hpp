#pragma once
#include <filesystem>
#include <string_view>

namespace isogon {

/// How many threads this process can run at the same time: the processors that it may use (taskset, cpusets), at most
/// the share of time that its control groups grant, rounded up. At least 1. Reads a few small files.
[[nodiscard]] int usable_processors();

/// The least quota of a process's control groups and of those above them, in processors; infinity without one.
/// `groups` is the text of /proc/self/cgroup, `mounted` the folder where the file systems of control groups are
/// mounted. Both versions are read: cpu.max, and cpu.cfs_quota_us with cpu.cfs_period_us. Where a container sees
/// a group's path of the system around it, the groups that it can see count.
[[nodiscard]] double processor_quota(std::string_view groups, const std::filesystem::path& mounted);

}  // namespace isogon
