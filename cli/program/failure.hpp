#pragma once
#include <sys/stat.h>

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/error.hpp"
#include "program/exit_code.hpp"
#include "program/json.hpp"

namespace isogon::cli {

/// The output files of a run, so that a run that fails can say which of them are already written: those that changed
/// since they were added. An output is always a new file, also where it replaces an old one.
class OutputRecord {
public:
    /// Call it before work starts. An empty name is ignored.
    void add(const std::string& path);

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

/// Prints the out-of-memory failure without allocating: as text on stderr and, if wanted, as JSON on stdout. The exit
/// code is then ExitCode::OverLimit.
void print_out_of_memory(bool json, const OutputRecord& outputs) noexcept;

/// {"error": {"kind": ..., "message": ..., "exit_code": ...}}
[[nodiscard]] Json to_json(const Failure& failure);

}  // namespace isogon::cli
