#pragma once
#include <exception>
#include <string>

#include "exit_code.hpp"
#include "isogon/core/error.hpp"
#include "json.hpp"

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

/// Sorts the exception that is being handled. Call it from a catch block only.
[[nodiscard]] Failure describe_current_exception();

/// {"error": {"kind": ..., "message": ..., "exit_code": ...}}
[[nodiscard]] Json to_json(const Failure& failure);

}  // namespace isogon::cli
