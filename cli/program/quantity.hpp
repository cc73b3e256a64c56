#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/summary.hpp"

namespace isogon::cli {

/// "8G", "1.5GiB", "500000": bytes. k, M, G and T are powers of 1000, KiB, MiB, GiB and TiB powers of 1024. Throws
/// InvalidArgument naming `option`, the text and valid values.
[[nodiscard]] std::uint64_t parse_bytes(const std::string& option, std::string_view text);

/// "90", "90s", "5m", "1.5h": seconds, above 0 and at most 10,000 h, or "0" where that has a meaning. Throws
/// InvalidArgument likewise.
[[nodiscard]] double parse_seconds(const std::string& option, std::string_view text, bool or_zero = false);

/// A whole number of at least `least` and at most `most`. Throws InvalidArgument likewise.
[[nodiscard]] std::int64_t parse_whole(const std::string& option, std::string_view text, std::int64_t least,
                                       std::int64_t most);

/// A number above 0 and below 1. Throws InvalidArgument likewise.
[[nodiscard]] double parse_cosine(const std::string& option, std::string_view text);

/// One of `choices`, as it stands. Throws InvalidArgument likewise.
std::string parse_choice(const std::string& option, std::string_view text, const std::vector<std::string>& choices);

/// "0.42 s", "12.3 s", "4:05 min", "1:02:03 h"
[[nodiscard]] std::string human_seconds(double seconds);

/// " (weights 3.1 s, solution 0.5 s)", or nothing.
[[nodiscard]] std::string phases_text(const Summary& summary);

}  // namespace isogon::cli
