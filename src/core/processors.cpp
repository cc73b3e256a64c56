#include "core/processors.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <thread>
#ifdef __linux__
#include <sched.h>

#include <array>
#endif

namespace isogon {

namespace {

namespace fs = std::filesystem;

constexpr double no_quota = std::numeric_limits<double>::infinity();

/// Microseconds of processor time in each period; "max" and -1 say that there is no limit.
double quota_from(std::istream&& file) {
    double quota = 0.0;
    double period = 0.0;
    return file >> quota >> period && quota > 0.0 && period > 0.0 ? quota / period : no_quota;
}

double quota_of_group(const fs::path& folder) {
    std::ifstream quota(folder / "cpu.cfs_quota_us");
    std::ifstream period(folder / "cpu.cfs_period_us");
    std::string first;
    std::string second;
    quota >> first;
    period >> second;
    return std::min(quota_from(std::ifstream(folder / "cpu.max")),
                    quota_from(std::istringstream(first + ' ' + second)));
}

/// The least quota of the group of this path and of all above it, up to the one that is mounted.
double least_quota(const fs::path& mounted, fs::path group) {
    double least = quota_of_group(mounted);
    for (; group.has_relative_path(); group = group.parent_path()) {
        least = std::min(least, quota_of_group(mounted / group.relative_path()));
    }
    return least;
}

/// Whether a list of controllers, as in "cpu,cpuacct", has that of processors.
bool names_cpu(const std::string& controllers) {
    std::istringstream list(controllers);
    for (std::string name; std::getline(list, name, ',');) {
        if (name == "cpu") {
            return true;
        }
    }
    return false;
}

}  // namespace

double processor_quota(std::string_view groups, const fs::path& mounted) {
    double least = no_quota;
    std::istringstream lines{std::string(groups)};
    std::string line;
    while (std::getline(lines, line)) {  // "0::/user.slice", "3:cpu,cpuacct:/docker"
        std::istringstream parts(line);
        std::string number;
        std::string controllers;
        std::string path;
        std::getline(parts, number, ':');
        std::getline(parts, controllers, ':');
        std::getline(parts, path);
        if (controllers.empty()) {
            least = std::min({least, least_quota(mounted, path), least_quota(mounted / "unified", path)});
        } else if (names_cpu(controllers)) {
            least = std::min({least, least_quota(mounted / controllers, path), least_quota(mounted / "cpu", path)});
        }
    }
    return least;
}

int usable_processors() {
    int count = static_cast<int>(std::thread::hardware_concurrency());
#ifdef __linux__
    std::array<cpu_set_t, 16> allowed{};  // room for 16,384 processors
    if (::sched_getaffinity(0, sizeof(allowed), allowed.data()) == 0) {
        count = CPU_COUNT_S(sizeof(allowed), allowed.data());
    }
#endif
    std::ifstream file("/proc/self/cgroup");
    std::string groups;
    std::getline(file, groups, '\0');  // the whole file; one that cannot be read sets no quota
    const double quota = std::ceil(processor_quota(groups, "/sys/fs/cgroup"));
    return std::max(1, quota < count ? static_cast<int>(quota) : count);
}

}  // namespace isogon
