#include "machine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <thread>

namespace isogon::cli {

namespace {

/// What Linux calls the processor; empty elsewhere.
std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return {};
}

}  // namespace

std::string machine_text() {
    const unsigned cores = std::thread::hardware_concurrency();
    const std::string name = processor();
    return fmt::format("{} {}{}{}", cores, cores == 1 ? "core" : "cores", name.empty() ? "" : ", ", name);
}

std::string date_text() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace isogon::cli
