#include "isogon/io/file_set.hpp"

#include <glob.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include "io/byte_stream.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/sha256.hpp"

namespace isogon {

namespace {

/// The result of glob(3), freed by the destructor.
struct Found {
    Found() = default;
    ~Found() { ::globfree(&list); }
    Found(const Found&) = delete;
    Found& operator=(const Found&) = delete;

    glob_t list{};
};

}  // namespace

std::vector<std::string> expand_pattern(const std::string& pattern) {
    std::error_code ignored;
    if (pattern.find_first_of("*?[") == std::string::npos || std::filesystem::exists(pattern, ignored)) {
        return {pattern};
    }
    Found found;
    // Unsorted: the order of glob depends on the locale.
    const int result = ::glob(pattern.c_str(), GLOB_NOSORT | GLOB_ERR, nullptr, &found.list);
    if (result == GLOB_NOSPACE) {
        throw std::bad_alloc();
    }
    if (result == GLOB_ABORTED) {
        throw InputError(pattern, "", "a folder on its way cannot be read: " + std::generic_category().message(errno));
    }
    std::vector<std::string> files(found.list.gl_pathv, found.list.gl_pathv + found.list.gl_pathc);
    if (files.empty()) {
        throw InputError(pattern, "", "no file matches this pattern");
    }
    std::sort(files.begin(), files.end());
    return files;
}

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// A name as texts with runs of digits between them: "a1b22" is {"a", "b", ""} and {"1", "22"}.
struct Cut {
    std::vector<std::string> texts{""};
    std::vector<std::string> numbers;
};

Cut cut_at_numbers(const std::string& name) {
    Cut cut;
    for (std::size_t i = 0; i < name.size();) {
        if (!is_digit(name[i])) {
            cut.texts.back() += name[i++];
            continue;
        }
        const std::size_t begin = i;
        while (i < name.size() && is_digit(name[i])) {
            ++i;
        }
        cut.numbers.push_back(name.substr(begin, i - begin));
        cut.texts.emplace_back();
    }
    return cut;
}

/// Empty for more digits than a count of files can have.
std::optional<std::uint64_t> value_of(const std::string& digits) {
    constexpr std::size_t most_digits = 18;
    return digits.size() > most_digits ? std::nullopt : std::optional<std::uint64_t>(std::stoull(digits));
}

/// As wide as the others, if they are filled up with zeros.
std::string digits_like(std::uint64_t value, const std::string& other) {
    const std::string digits = std::to_string(value);
    const bool filled = other.size() > 1 && other.front() == '0';
    return filled && digits.size() < other.size() ? std::string(other.size() - digits.size(), '0') + digits : digits;
}

/// Names that are alike except for their numbers.
class Series {
public:
    explicit Series(std::vector<Cut> names) : names_(std::move(names)) {}

    void add_missing(std::size_t most, std::vector<std::string>& missing) const {
        const auto counter = only_one_that_differs();
        if (!counter) {
            return;
        }
        std::set<std::uint64_t> present;
        for (const Cut& name : names_) {
            const auto value = value_of(name.numbers[*counter]);
            if (!value) {
                return;
            }
            present.insert(*value);
        }
        const auto [first, last] = range(*counter, present);
        if (last - first >= 2 * present.size()) {
            return;  // the numbers have another meaning
        }
        for (std::uint64_t value = first; value <= last && missing.size() < most; ++value) {
            if (present.count(value) == 0) {
                missing.push_back(name_of(*counter, value));
            }
        }
    }

private:
    [[nodiscard]] std::optional<std::size_t> only_one_that_differs() const {
        std::optional<std::size_t> found;
        for (std::size_t k = 0; k < names_.front().numbers.size(); ++k) {
            const bool differs = std::any_of(names_.begin(), names_.end(), [&](const Cut& name) {
                return name.numbers[k] != names_.front().numbers[k];
            });
            if (differs && found) {
                return std::nullopt;
            }
            found = differs ? k : found;
        }
        return found;
    }

    /// From the first to the last; to all that there should be, where "-of-" follows.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> range(std::size_t counter,
                                                                const std::set<std::uint64_t>& present) const {
        std::uint64_t first = *present.begin();
        std::uint64_t last = *present.rbegin();
        const Cut& name = names_.front();
        const std::string& after = name.texts[counter + 1];
        if (counter + 1 < name.numbers.size() && (after == "-of-" || after == "_of_")) {
            const std::uint64_t total = value_of(name.numbers[counter + 1]).value_or(0);
            first = std::min<std::uint64_t>(first, last < total ? 0 : 1);
            last = std::max(last, total == 0 ? last : first + total - 1);
        }
        return {first, last};
    }

    [[nodiscard]] std::string name_of(std::size_t counter, std::uint64_t value) const {
        const Cut& like = names_.front();
        std::string name = like.texts.front();
        for (std::size_t k = 0; k < like.numbers.size(); ++k) {
            name += (k == counter ? digits_like(value, like.numbers[k]) : like.numbers[k]) + like.texts[k + 1];
        }
        return name;
    }

    std::vector<Cut> names_;
};

}  // namespace

std::vector<std::string> missing_names(const std::vector<std::string>& names, std::size_t most) {
    std::map<std::vector<std::string>, std::vector<Cut>> alike;
    for (const std::string& name : names) {
        Cut cut = cut_at_numbers(name);
        const std::vector<std::string> texts = cut.texts;
        alike[texts].push_back(std::move(cut));
    }
    std::vector<std::string> missing;
    for (auto& [texts, cuts] : alike) {
        Series(std::move(cuts)).add_missing(most, missing);
    }
    return missing;
}

std::string file_text(const std::filesystem::path& path) {
    const InputFile file(path);
    return file.first_bytes(file.size());
}

std::string file_digest(const std::filesystem::path& path, const RunContext& context) {
    constexpr std::size_t piece_bytes = 1'000'000;
    InputFile file(path);
    std::vector<char> piece(std::min<std::uint64_t>(piece_bytes, file.size()));
    Sha256 digest;
    while (true) {
        throw_if_cancelled(context);
        const std::size_t got = file.read(piece);
        if (got == 0) {
            return digest.hex();
        }
        digest.add(std::as_bytes(std::span(piece).first(got)));
    }
}

}  // namespace isogon
