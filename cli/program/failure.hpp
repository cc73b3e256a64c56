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

/// The files that a run is to write, so that a run that fails can say which of them it has written already: those that
/// are not what they were when they were added. An output is always a new file, also where it replaces an old one.
class OutputRecord {
public:
    /// Call it before work starts. An empty name is none.
    void add(const std::string& path);

    /// Calls use(path) for each of them, in their order. Allocates nothing: it is asked when memory is gone.
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

/// A request that cannot be carried out as it stands, found before work starts, where no single option is to blame.
class UsageError : public Error {
public:
    using Error::Error;
};

/// Why the program ends without a result: exit code, a word for programs and a sentence for people.
struct Failure {
    ExitCode code = ExitCode::Unusable;
    std::string kind;  ///< "usage", "input", "output", "limit", "interrupted", "rank" or "internal"
    std::string message;
};

/// What is said when memory is gone.
inline constexpr const char* no_memory =
    "this machine has no more memory to give; take fewer points (--every), or set --memory-limit to see the need in "
    "advance";

/// Sorts the exception that is being handled. Call it from a catch block only.
[[nodiscard]] Failure describe_current_exception();

/// Says the same as a Failure for want of memory would, where there is none even for that: as text on stderr and, if
/// wanted, as JSON on stdout. The exit code is then ExitCode::OverLimit.
void tell_without_memory(bool json, const OutputRecord& outputs) noexcept;

/// {"error": {"kind": ..., "message": ..., "exit_code": ...}}
[[nodiscard]] Json to_json(const Failure& failure);

}  // namespace isogon::cli
