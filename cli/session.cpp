#include "session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "isogon/core/text.hpp"
#include "isogon/io/atomic_file.hpp"
#include "standard_streams.hpp"

namespace isogon::cli {

namespace {

bool is_first(const Communicator* communicator) {
    return communicator == nullptr || communicator->rank() == 0;
}

}  // namespace

bool Session::is_root() const {
    return is_first(communicator_);
}

Session::Session(const CommonOptions& options, Interrupts& interrupts, const Ranks& ranks, OutputRecord& outputs)
    : options_(options),
      interrupts_(interrupts),
      outputs_(outputs),
      progress_(options.quiet || !is_first(ranks.communicator()) ? ProgressLine::Style::Silent
                                                                 : progress_style_for_stderr()),
      context_(make_context(options, interrupts.token())),
      ranks_(ranks),
      communicator_(ranks.communicator()) {
    options_.quiet = options.quiet || !is_root();
    context_.on_need = [this](std::uint64_t bytes) { stated_ = std::max(stated_, bytes); };
    context_.on_iteration = [this](const Progress& progress) { progress_.update(progress); };
}

RunContext Session::shared_context() const {
    RunContext shared = context_;
    shared.communicator = communicator_;
    return shared;
}

double Session::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Session::log(std::string_view sentence) {
    if (!options_.quiet) {
        progress_.clear();
        print_on_stderr(fmt::format("isogon: {}\n", printable(sentence)));
    }
}

void Session::warn(std::string_view sentence) {
    if (!options_.quiet) {
        progress_.clear();
        print_on_stderr(fmt::format("isogon: warning: {}\n", printable(sentence)));
    }
}

void Session::expect_output(const std::string& path) {
    outputs_.add(path);
    const auto folder = std::filesystem::path(path).parent_path();
    remove_leftovers(folder.empty() ? "." : folder);
}

void Session::remove_leftovers(const std::filesystem::path& folder) {
    if (const std::size_t left = is_root() ? remove_abandoned(folder) : 0; left > 0) {
        log(fmt::format("temporary files that killed runs had left are removed: {}", left));
    }
}

void Session::reserve_for_input(std::uint64_t bytes) {
    reserve(
        "the input in memory", bytes,
        "raise --memory-limit, take fewer rows (--every), or convert the input to .npy, which is read from the disk "
        "as it is needed");
}

void Session::reserve(const std::string& what, std::uint64_t bytes, const std::string& remedy) {
    require_memory(context_, {{what, bytes}}, remedy);
    context_ = beside(context_, bytes);
    reserved_ += bytes;
}

std::string Session::limit_note() const {
    if (!context_.memory_limit || reserved_ == 0) {
        return {};
    }
    return fmt::format(" (--memory-limit {}, of which the input takes {})",
                       human_bytes(*context_.memory_limit + reserved_), human_bytes(reserved_));
}

std::uint64_t peak_memory_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::uint64_t kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes) {
            return kibibytes * 1024;
        }
    }
    return 0;
}

}  // namespace isogon::cli
