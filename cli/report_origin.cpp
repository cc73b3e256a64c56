#include "report_origin.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <thread>

namespace isogon::cli {

namespace {

std::string date_text() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

/// A word as a shell would take it.
std::string quoted(const std::string& word) {
    constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/@+%^";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
        return word;
    }
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return text + "'";
}

/// As Linux tells it: words that end in zero bytes. The program goes by its name, wherever it lies.
std::string command_text() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    std::string text;
    for (std::size_t begin = 0; begin < all.size();) {
        const std::size_t end = std::min(all.find('\0', begin), all.size());
        text.append(begin == 0 ? "isogon" : " ").append(begin == 0 ? "" : quoted(all.substr(begin, end - begin)));
        begin = end + 1;
    }
    return text;
}

}  // namespace

std::string machine_text() {
    std::ifstream file("/proc/cpuinfo");
    std::string model;
    for (std::string line; model.empty() && std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            model = ", " + line.substr(colon + 2);
        }
    }
    const unsigned cores = std::thread::hardware_concurrency();
    return fmt::format("{} core{}{}", cores, cores == 1 ? "" : "s", model);
}

ChartOrigin report_origin(const Session& session) {
    return {.program = "isogon " ISOGON_VERSION,
            .date = date_text(),
            .command = command_text(),
            .machine = machine_text(),
            .memory_bytes = static_cast<double>(peak_memory_bytes()),
            .seconds = session.seconds()};
}

}  // namespace isogon::cli
