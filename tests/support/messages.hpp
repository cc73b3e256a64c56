#pragma once
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace isogon::support {

/// What an error of that type says that a call throws; "" where it throws none.
template <class Refusal, class Call>
[[nodiscard]] std::string message_of(const Call& call) {
    try {
        call();
    } catch (const Refusal& error) {
        return error.what();
    }
    return "";
}

/// Whether a message has these words; a failure shows all of it.
[[nodiscard]] inline testing::AssertionResult says(const std::string& message, std::string_view words) {
    return message.find(words) != std::string::npos ? testing::AssertionSuccess()
                                                    : testing::AssertionFailure() << '"' << message << '"';
}

}  // namespace isogon::support
