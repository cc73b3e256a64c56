#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace isogon {

/// The labels of a report: the names of the classes, and the class of each point.
struct Classes {
    std::vector<std::string> names{};
    std::vector<std::uint32_t> index{};  ///< one a point; empty without labels

    [[nodiscard]] bool empty() const { return index.empty(); }
};

/// Classes by number, in ascending order, named by their digits. O(n log n).
[[nodiscard]] Classes classes_of(std::span<const std::int64_t> labels);

/// Classes by name, in the order of their bytes; if all names are whole numbers, in the order of the numbers. O(n log
/// n).
[[nodiscard]] Classes classes_of(std::span<const std::string> labels);

/// The classes of the chosen points, with all names.
[[nodiscard]] Classes classes_of(const Classes& all, std::span<const std::uint32_t> chosen);

}  // namespace isogon
