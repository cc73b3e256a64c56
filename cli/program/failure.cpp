#include "program/failure.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <system_error>

#include "distributed/communicator.hpp"
#include "isogon/core/run_context.hpp"
#include "program/command_line.hpp"
#include "program/process.hpp"
#include "verbs.hpp"

namespace isogon::cli {

ExitCode exit_code(Termination termination) {
    switch (termination) {
        case Termination::TimeLimit: return ExitCode::OverLimit;
        case Termination::Cancelled: return ExitCode::Interrupted;
        default: return ExitCode::Ok;
    }
}

ExitCode exit_code(const Summary& summary, bool any) {
    const ExitCode code = exit_code(summary.termination);
    return !summary.usable() || (code == ExitCode::Ok && !any) ? ExitCode::Unusable : code;
}

void require_finished(const Summary& summary) {
    if (exit_code(summary.termination) != ExitCode::Ok) {
        throw Interruption{summary.termination};
    }
}

namespace {

/// The message for stderr with that code. `written`: the file that holds the best result so far, or empty.
std::string failure_text(ExitCode code, const std::string& written, const Summary& summary) {
    const std::string saved = written.empty() ? "nothing was written" : "the best result so far is in " + written;
    switch (code) {
        case ExitCode::OverLimit: return "stopped by --time-limit; " + saved + "; " + summary.message;
        case ExitCode::Interrupted: return "interrupted; " + saved + "; " + summary.message;
        default: return "no usable result, " + saved + ": " + summary.message;
    }
}

}  // namespace

void set_end(Outcome& outcome, const Summary& summary, bool any) {
    outcome.code = exit_code(summary, any);
    outcome.failure = outcome.code == ExitCode::Ok ? "" : failure_text(outcome.code, outcome.written, summary);
    outcome.warnings = in_flags(summary.warnings);
}

FileRecord::State::State(const std::string& path) : there(::stat(path.c_str(), &status) == 0) {}

bool FileRecord::State::operator==(const State& other) const {
    if (!there || !other.there) {
        return there == other.there;
    }
    return status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino &&
           status.st_mtim.tv_sec == other.status.st_mtim.tv_sec &&
           status.st_mtim.tv_nsec == other.status.st_mtim.tv_nsec;
}

void FileRecord::add(const std::string& path) {
    if (!path.empty()) {
        entries_.push_back({path, State(path)});
    }
}

std::string FileRecord::unnamed_inputs(const std::string& message) const {
    std::string names;
    std::size_t count = 0;
    for (const std::string& word : inputs_) {
        if (!word.empty() && (message.starts_with(word + ":") || message.starts_with(word + ","))) {
            return "";  // it begins with a name, also one of a file that is not there
        }
        std::error_code ignored;
        const bool is_output = std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.path == word; });
        if (!inputs_are_read_ || is_output || !std::filesystem::is_regular_file(word, ignored)) {
            continue;
        }
        if (message.find(word) != std::string::npos) {
            return "";
        }
        constexpr std::size_t most = 4;
        if (++count <= most) {
            names += (count > 1 ? ", " : "") + word;
        } else if (count == most + 1) {
            names += ", ...";
        }
    }
    return count == 0 ? "" : (count == 1 ? "; the input is " : "; the inputs are ") + names;
}

namespace {

constexpr const char* no_threads =
    "this machine starts no more threads; end other programs, or raise the limit on processes (ulimit -u)";

Failure interrupted(const Interruption& interruption) {
    if (interruption.reason == Termination::TimeLimit) {
        return {ExitCode::OverLimit, "limit",
                "stopped by the time limit before there was a result; raise --time-limit or take fewer points"};
    }
    return {ExitCode::Interrupted, "interrupted", "interrupted before there was a result"};
}

/// Errors that the standard library throws; in this program only the start of a thread.
Failure failed_call(const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {
        return {ExitCode::OverLimit, "limit", no_threads};
    }
    if (error.code() == std::errc::not_enough_memory) {
        return {ExitCode::OverLimit, "limit", no_memory};
    }
    return {ExitCode::Unusable, "internal", std::string("internal error: ") + error.what()};
}

}  // namespace

Failure describe_current_exception() {
    try {
        throw;
    } catch (const InvalidArgument& error) {
        return {ExitCode::Usage, "usage", error.what()};
    } catch (const UsageError& error) {
        return {ExitCode::Usage, "usage", error.what()};
    } catch (const InputError& error) {
        return {ExitCode::BadInput, "input", in_flags(error.text())};
    } catch (const OutputError& error) {
        return {ExitCode::Unusable, "output", error.what()};
    } catch (const RankEnded& error) {
        const bool has_code = error.ending().failed && error.ending().code != 0;
        return {has_code ? static_cast<ExitCode>(error.ending().code) : ExitCode::Unusable, "rank", error.what()};
    } catch (const LimitExceeded& error) {
        return {ExitCode::OverLimit, "limit", in_flags(error.text())};
    } catch (const Interruption& interruption) {
        return interrupted(interruption);
    } catch (const std::bad_alloc&) {
        return {ExitCode::OverLimit, "limit", no_memory};
    } catch (const std::system_error& error) {
        return failed_call(error);
    } catch (const std::exception& error) {
        return {ExitCode::Unusable, "internal", std::string("internal error: ") + error.what()};
    } catch (...) {
        return {ExitCode::Unusable, "internal", "internal error: unknown exception"};
    }
}

namespace {

/// Prints like printable(), but byte by byte, and without allocating.
void print_escaped(std::string_view text) noexcept {
    constexpr std::string_view digits = "0123456789abcdef";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const std::array<char, 4> escaped{'\\', 'x', digits[byte / 16U], digits[byte % 16U]};
        const bool plain = byte >= 0x20 && byte < 0x7F;
        print_on_stderr(plain ? std::string_view(&c, 1) : std::string_view(escaped.data(), escaped.size()));
    }
}

}  // namespace

void print_written(const FileRecord& files) noexcept {
    bool first = true;
    files.for_each_written([&](std::string_view path) {
        print_on_stderr(first ? "; already written: " : ", ");
        print_escaped(path);
        first = false;
    });
}

void print_out_of_memory(bool json, const FileRecord& files) noexcept {
    print_on_stderr("isogon: ");
    print_on_stderr(no_memory);
    print_written(files);
    print_on_stderr("\n");
    if (json) {
        print_on_stdout(R"({"error":{"exit_code":5,"kind":"limit","message":")");
        print_on_stdout(no_memory);
        print_on_stdout("\"}}\n");
    }
}

Json to_json(const Failure& failure) {
    return {{"error",
             {{"kind", failure.kind}, {"message", failure.message}, {"exit_code", static_cast<int>(failure.code)}}}};
}

}  // namespace isogon::cli
