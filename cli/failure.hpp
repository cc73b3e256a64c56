#pragma once
#include <exception>
#include <string>

#include "exit_code.hpp"
#include "isogon/core/error.hpp"
#include "json.hpp"
#include "output_record.hpp"

namespace isogon::cli {

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
