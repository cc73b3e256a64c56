#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace isogon {

/// The number of an unknown label; whole numbers below 0 are unknown labels too.
inline constexpr std::int64_t unknown_label = -1;

/// Whether `text` says that a value is not known: nothing, NaN, NA, <NA>, N/A, NaT, None, null or ? in any case.
[[nodiscard]] bool is_unknown_text(std::string_view text);

/// Whether `text` says that a label is not known: is_unknown_text(), or a whole number below 0.
[[nodiscard]] bool is_unknown_label(std::string_view text);

/// Labels of points, collected one by one or file by file: the one reader of labels, whatever they come from. Whole
/// numbers stay what they are. From the first label on that is none, all are numbered from 0 in the order of their
/// first appearance, and names() has what each number stands for: so labels of several files agree. Unknown labels have
/// no name; they are below 0.
class LabelNumbers {
public:
    /// A label as text; "5.0" is the whole number 5.
    void add(std::string_view text);
    /// Labels as a reader gives them: numbers, or, where there are names, places among these, or below 0.
    void add(std::span<const std::int64_t> labels, std::span<const std::string> names);

    [[nodiscard]] const std::vector<std::int64_t>& labels() const { return labels_; }
    /// Empty if all labels are whole numbers.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

private:
    void name_all();
    std::int64_t number_of(const std::string& name);

    std::vector<std::int64_t> labels_;
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::int64_t> numbers_;
};

}  // namespace isogon
