#pragma once
// How the program ends: exit codes, and failures as people and programs see them.

#include <sys/stat.h>

#include <array>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/run_context.hpp"
#include "program/json.hpp"

namespace isogon::cli {

/// Exit codes of the program; scripts rely on these numbers. Described in docs/exit_codes.md, which is tested.
enum class ExitCode {
    Ok = 0,
    Unusable = 1,      ///< the run ended without a result that can be used, or the result could not be written
    Usage = 2,         ///< bad options, or an output that exists or cannot be written, found before work starts
    BadInput = 3,      ///< the input files
    OverLimit = 5,     ///< memory or time
    Interrupted = 130  ///< Ctrl-C: 128 + SIGINT, as shells count
};

struct ExitCodeMeaning {
    ExitCode code;
    const char* meaning;
};

/// All codes, as the help of every verb lists them.
inline constexpr std::array exit_codes{ExitCodeMeaning{ExitCode::Ok, "done"},
                                       ExitCodeMeaning{ExitCode::Unusable, "no usable result or not written"},
                                       ExitCodeMeaning{ExitCode::Usage, "usage"},
                                       ExitCodeMeaning{ExitCode::BadInput, "bad input"},
                                       ExitCodeMeaning{ExitCode::OverLimit, "over a limit"},
                                       ExitCodeMeaning{ExitCode::Interrupted, "interrupted"}};

/// Exit code of a run that only its context can end early.
[[nodiscard]] ExitCode exit_code(Termination termination);

/// Exit code after a fit; `any`: whether there is a result at all.
[[nodiscard]] ExitCode exit_code(const Summary& summary, bool any);

/// Throws Interruption for a run that was ended early.
void require_finished(const Summary& summary);

/// The files of a run, so that one that fails can say which outputs are already written, and of which inputs it speaks.
/// Written are those that changed since they were added: an output is always a new file, also where it replaces an old
/// one.
class FileRecord {
public:
    /// Call it before work starts. An empty name is ignored.
    void add(const std::string& path);
    [[nodiscard]] bool is_expected(std::string_view path) const {
        return std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.path == path; });
    }
    /// Words of the command; those that are files, and no outputs, are inputs.
    void add_inputs(std::vector<std::string> words) { inputs_ = std::move(words); }
    /// From now on a mistake may be one of an input's, also where the library knows it by another name.
    void inputs_are_read() { inputs_are_read_ = true; }
    /// "; the input is x.npy" for a message that names none of the inputs, once they are read.
    [[nodiscard]] std::string unnamed_inputs(const std::string& message) const;

    /// Calls use(path) for each of them, in order. Allocates nothing: it is called after an allocation has failed.
    template <class Use>
    void for_each_written(const Use& use) const {
        for (const Entry& entry : entries_) {
            if (!(State(entry.path) == entry.before)) {
                use(std::string_view(entry.path));
            }
        }
    }

private:
    struct State {
        explicit State(const std::string& path);
        bool operator==(const State& other) const;
        struct stat status {};
        bool there;
    };
    struct Entry {
        std::string path;
        State before;
    };
    std::vector<Entry> entries_;
    std::vector<std::string> inputs_;
    bool inputs_are_read_ = false;
};

/// An invalid request, found before work starts, that is not the fault of a single option.
class UsageError : public Error {
public:
    using Error::Error;
};

/// Why the program ends without a result: exit code, kind for programs, message for people.
struct Failure {
    ExitCode code = ExitCode::Unusable;
    std::string kind;  ///< "usage", "input", "output", "limit", "interrupted", "rank" or "internal"
    std::string message;
};

/// The message when memory is exhausted.
inline constexpr const char* no_memory =
    "this machine has no more memory to give; take fewer points (--every), or set --memory-limit to see the need in "
    "advance";

/// Classifies the exception that is being handled. Call it from a catch block only.
[[nodiscard]] Failure describe_current_exception();

/// Prints "; already written: y.npy" on stderr if there are such files. Allocates nothing.
void print_written(const FileRecord& files) noexcept;

/// Prints the out-of-memory failure without allocating: as text on stderr and, if wanted, as JSON on stdout. The exit
/// code is then ExitCode::OverLimit.
void print_out_of_memory(bool json, const FileRecord& files) noexcept;

/// {"error": {"kind": ..., "message": ..., "exit_code": ...}}
[[nodiscard]] Json to_json(const Failure& failure);

}  // namespace isogon::cli
