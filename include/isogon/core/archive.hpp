#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

/// The version of the promise that results have the same bits on every machine (docs/reproducible.md): increases with
/// every released change of any result. Archives and reports name it.
inline constexpr int bits_version = 1;

enum class ArchiveKind { Model, Checkpoint, IvfIndex, NeighborGraph, Decomposition, Run, Codes };

/// "model", "checkpoint", "neighbor-index", "neighbor-graph", "decomposition", "run", "codes"
[[nodiscard]] std::string_view name(ArchiveKind kind);

/// float32 numbers in a file that is mapped into memory: they take none, but are read where they are looked at.
struct MappedFloats {
    using value_type = float;  // NOLINT(readability-identifier-naming): the name that containers have

    std::shared_ptr<const char> mapping{};
    std::span<const float> numbers{};

    [[nodiscard]] std::size_t size() const { return numbers.size(); }
    [[nodiscard]] const float* data() const { return numbers.data(); }
    [[nodiscard]] auto begin() const { return numbers.begin(); }
    [[nodiscard]] auto end() const { return numbers.end(); }
    [[nodiscard]] float front() const { return numbers.front(); }
    [[nodiscard]] float operator[](std::size_t i) const { return numbers[i]; }
    friend bool operator==(const MappedFloats& a, const MappedFloats& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
};

/// Numbers of one type, row by row. The shape {} is that of a single number.
struct Array {
    using Values = std::variant<std::vector<float>, std::vector<double>, std::vector<std::uint32_t>,
                                std::vector<std::uint64_t>, std::vector<std::uint8_t>, MappedFloats>;

    std::vector<std::uint64_t> shape{};
    Values values{};
};

/// "float32", "float64", "uint32", "uint64", "uint8"
[[nodiscard]] std::string_view scalar_name(const Array::Values& values);
/// How many numbers these are.
[[nodiscard]] std::uint64_t value_count(const Array::Values& values);
/// "(3, 4)", "(3)", "()"; "(n, 4)" for Archive::any_length.
[[nodiscard]] std::string shape_name(const std::vector<std::uint64_t>& shape);
/// How many numbers an array of this shape holds; empty if their number is beyond 64 bits.
[[nodiscard]] std::optional<std::uint64_t> element_count(const std::vector<std::uint64_t>& shape);
/// The position of a number as text: "row 2, column 1", "position 7". Empty for single numbers.
[[nodiscard]] std::string place_name(const std::vector<std::uint64_t>& shape, std::uint64_t position);
/// The position of the first NaN or infinity, or the number of values. O(n).
[[nodiscard]] std::uint64_t first_not_finite(const Array::Values& values);

constexpr std::size_t most_array_axes = 8;

/// Names of arrays, notes and methods: 1 to 100 of the characters a-z A-Z 0-9 _ - . (they are printed as they are).
[[nodiscard]] bool is_archive_name(std::string_view name);
/// Throws InvalidArgument, naming the array, unless its name is one, it has at most 8 axes, it holds as many numbers as
/// its shape says, and all are finite. O(n) time.
void check_array(const std::string& name, const Array& array);

/// The result of a fit: the method and its options, and arrays by name. Methods write and read it without knowledge of
/// files; io/archive_file.hpp stores it on disk and loads it, every number bit for bit.
///
/// The getters throw InputError, naming `source` and the array, for one that is missing or of another type or shape: an
/// archive comes from a file, and a file may hold anything.
struct Archive {
    static constexpr int newest_version = 1;
    /// Stands for any length along an axis of an expected shape.
    static constexpr std::uint64_t any_length = std::numeric_limits<std::uint64_t>::max();

    ArchiveKind kind = ArchiveKind::Model;
    std::string method{};                                     ///< the method's name in the registry
    OptionValues options{};                                   ///< the options passed to the method, "auto" included
    std::map<std::string, std::string, std::less<>> notes{};  ///< short texts by name: UTF-8, no control characters
    std::map<std::string, Array, std::less<>> arrays{};       ///< by name
    int version = newest_version;                             ///< version of the file format; set by reading
    std::string writer{};                                     ///< the isogon version that wrote it; set by reading
    int bits{};                          ///< bits_version of that, 0 before there was one; set by reading
    std::string source = "the archive";  ///< its name in messages; reading sets the file's name

    /// Adds an array. Throws InvalidArgument as check_array() does, and for a name that exists already.
    void add(const std::string& name, Array array);
    /// Points as float32 of shape (count, dimension).
    void add(const std::string& name, const PointsView& points);
    /// A list as an array of one axis.
    template <class Number>
    void add(const std::string& name, std::vector<Number> list) {
        const std::uint64_t length = list.size();
        add(name, Array{{length}, std::move(list)});
    }
    /// A single number, as float64 of shape ().
    void add_number(const std::string& name, double number);
    /// A single count or seed, as uint64 of shape ().
    void add_count(const std::string& name, std::uint64_t count);

    [[nodiscard]] bool has(std::string_view name) const { return arrays.find(name) != arrays.end(); }
    /// The array of that name, whatever its type and shape.
    [[nodiscard]] const Array& array(const std::string& name) const;
    /// The numbers of an array that must have this type and shape: numbers<float>("weights", {any_length, 16}).
    template <class Number>
    [[nodiscard]] const std::vector<Number>& numbers(const std::string& name,
                                                     const std::vector<std::uint64_t>& shape) const {
        const Array& found = array(name);
        const auto* values = std::get_if<std::vector<Number>>(&found.values);
        if (values == nullptr || !fits(found, shape)) {
            refuse(name, scalar_name(std::vector<Number>{}), shape);
        }
        return *values;
    }
    /// The same of float32, which may lie in a mapped file.
    [[nodiscard]] std::span<const float> floats(const std::string& name, const std::vector<std::uint64_t>& shape) const;
    /// float32 of two axes, copied.
    [[nodiscard]] Points points(const std::string& name) const;
    [[nodiscard]] double number(const std::string& name) const { return numbers<double>(name, {}).front(); }
    [[nodiscard]] std::uint64_t count(const std::string& name) const {
        return numbers<std::uint64_t>(name, {}).front();
    }
    [[nodiscard]] const std::string& note(const std::string& name) const;

private:
    [[nodiscard]] static bool fits(const Array& array, const std::vector<std::uint64_t>& shape);
    [[noreturn]] void refuse(const std::string& name, std::string_view scalar,
                             const std::vector<std::uint64_t>& shape) const;
};

}  // namespace isogon
