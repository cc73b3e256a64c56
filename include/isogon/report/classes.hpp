#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace isogon {

/// Labels as a report shows them: the names of the classes, and which one each point has.
struct Classes {
    std::vector<std::string> names{};
    std::vector<std::uint32_t> index{};  ///< one a point; empty without labels

    [[nodiscard]] bool empty() const { return index.empty(); }
};

/// Classes by number, in ascending order, named by their digits. O(n log n).
[[nodiscard]] Classes classes_of(std::span<const std::int64_t> labels);

/// Classes by name, in the order of their bytes; of names that are all whole numbers, in that of these. O(n log n).
[[nodiscard]] Classes classes_of(std::span<const std::string> labels);

/// Those of the chosen points; all names stay.
[[nodiscard]] Classes classes_of(const Classes& all, std::span<const std::uint32_t> chosen);

}  // namespace isogon
