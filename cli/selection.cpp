#include "selection.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <system_error>

#include "isogon/core/error.hpp"
#include "isogon/io/integer_table.hpp"

namespace isogon::cli {

namespace {

bool consists_of(std::string_view text, std::string_view characters) {
    return text.find_first_not_of(characters) == std::string_view::npos;
}

/// Digits as a number of at most `most`.
Index number(const std::string& flag, const std::string& text, std::string_view digits, Index most) {
    Index value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || parsed.ec != std::errc{} || value > most) {
        throw InvalidArgument(flag, text, fmt::format("{} must be a number of at most {}", digits, most));
    }
    return value;
}

std::vector<Index> range(const std::string& flag, const std::string& text, Index count) {
    const std::string_view all = text;
    const std::size_t colon = all.find(':');
    const Index first = colon == 0 ? 0 : number(flag, text, all.substr(0, colon), count);
    const Index end = colon + 1 == all.size() ? count : number(flag, text, all.substr(colon + 1), count);
    if (first >= end) {
        throw InvalidArgument(flag, text, fmt::format("picks nothing of {}; first:end, end not included", count));
    }
    std::vector<Index> picked(end - first);
    std::iota(picked.begin(), picked.end(), first);
    return picked;
}

std::vector<Index> list(const std::string& flag, const std::string& text, Index count) {
    std::vector<Index> picked;
    std::string_view left = text;
    while (true) {
        const std::size_t end = left.find(',');
        picked.push_back(number(flag, text, left.substr(0, end), count - 1));
        if (end == std::string_view::npos) {
            return picked;
        }
        left.remove_prefix(end + 1);
    }
}

/// What nobody calls a file: "-1", "1-5", "3.5".
void require_no_numbers(const std::string& flag, const std::string& text, Index count) {
    std::error_code ignored;
    if (consists_of(text, "0123456789:,.+- ") && !std::filesystem::exists(text, ignored)) {
        throw InvalidArgument(flag, text,
                              fmt::format("must be numbers from 0 to {}, as 3,1,4, or first:end, as 0:100, end not "
                                          "included, or the name of a file of numbers",
                                          count - 1));
    }
}

std::vector<Index> from_file(const std::string& path, Index count) {
    std::vector<Index> picked;
    for (const std::int64_t value : read_integer_table(path).values) {
        if (value < 0 || value >= count) {
            throw InputError(path, fmt::format("number {}", picked.size()),
                             fmt::format("{} does not exist; they are counted from 0, below {}", value, count));
        }
        picked.push_back(static_cast<Index>(value));
    }
    return picked;
}

}  // namespace

std::vector<Index> parse_selection(const std::string& flag, const std::string& text, Index count) {
    if (text.empty() || (consists_of(text, "0123456789:") && text.find(':') == text.rfind(':') &&
                         text.find(':') != std::string::npos)) {
        return range(flag, text.empty() ? ":" : text, count);
    }
    if (consists_of(text, "0123456789,")) {
        return list(flag, text, count);
    }
    require_no_numbers(flag, text, count);
    return from_file(text, count);
}

}  // namespace isogon::cli
