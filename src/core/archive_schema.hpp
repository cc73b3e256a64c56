#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/run_context.hpp"

// Requirements on archives, and traces of iterations as arrays in them.
namespace isogon {

/// A number, or a size of the archive by its name, plus something: {"n", -1} is the last index of n.
struct ArchiveBound {
    template <class Number>
    requires std::is_arithmetic_v<Number> ArchiveBound(Number value)
        : number(static_cast<double>(value)) {}  // NOLINT(*-explicit-*): {1, "n"} says it all
    ArchiveBound(const char* name, double plus = 0.0) : size(name), number(plus) {}  // NOLINT(*-explicit-*): as above

    std::string size{};
    double number = 0.0;
};

struct ArchiveRange {
    enum class Form { Any, Open, Whole, PowerOfTwo };  ///< open: without its bounds

    ArchiveBound least = -std::numeric_limits<double>::infinity();
    ArchiveBound most = std::numeric_limits<double>::infinity();
    Form form = Form::Any;
};

struct ArchiveArray {
    enum class Scalar { Float32, Float64, AnyFloat, Uint8, Uint32, Uint64 };

    std::string name{};
    Scalar scalar = Scalar::Float32;
    std::vector<ArchiveBound> shape{};   ///< {} is a single number
    std::vector<ArchiveRange> values{};  ///< one for all numbers, or one for each column; none: all that are finite
    bool unit_rows = false;              ///< each row of float32 of length 1, or zeros
    bool optional = false;
    std::string is{};  ///< the size that a single number is, if it is one
};

/// Requirements on an archive before it is used: arrays by name with types, shapes in named sizes that depend on each
/// other, and ranges; notes and their possible values. Archives come from files, and a correct checksum does not
/// authenticate a file. Code that reads an archive states its schema and calls require() first; afterwards it may use
/// every array without further checks. Arrays that the schema does not name are ignored.
class ArchiveSchema {
public:
    using Sizes = std::map<std::string, std::uint64_t, std::less<>>;

    /// For parts of an archive, whatever its kind.
    ArchiveSchema() = default;
    explicit ArchiveSchema(ArchiveKind kind) : kind_(kind) {}

    /// Arrays are checked in the order in which they are added; the first array with a named size defines that size.
    ArchiveSchema& add(ArchiveArray array);
    /// The range of a named size. The default is 1 to 2^32 - 1, the possible numbers of points.
    ArchiveSchema& size(const std::string& name, const ArchiveRange& range);
    ArchiveSchema& note(const std::string& name, std::vector<std::string> choices);
    ArchiveSchema& methods(std::vector<std::string> names);

    /// Throws InputError naming the source, the array, what it holds and what it must hold. Returns all sizes, those
    /// that are `known` before among them. O(numbers) time, no memory.
    Sizes require(const Archive& archive, Sizes known = {}) const;

private:
    void require_shape(const Archive& archive, const ArchiveArray& rule, Sizes& sizes) const;
    void require_size(const Archive& archive, const ArchiveArray& rule, const std::string& name, double value,
                      Sizes& sizes) const;

    std::optional<ArchiveKind> kind_{};
    std::vector<std::string> methods_{};
    std::map<std::string, std::vector<std::string>, std::less<>> notes_{};
    std::map<std::string, ArchiveRange, std::less<>> ranges_{};
    std::vector<ArchiveArray> arrays_{};
};

/// A view of points in an archive that has passed require(): float32 of two axes.
[[nodiscard]] PointsView points_view(const Archive& archive, const std::string& name);

/// A trace as an array of float64: a row for each iteration from 1 on, of objective, change and seconds.
void add_trace(const std::string& name, const std::vector<IterationRecord>& trace, Archive& archive);

/// Adds such a trace to a schema, with a number of rows in `rows`; the named size has the name of the trace.
void add_trace(const std::string& name, ArchiveSchema& schema,
               const ArchiveRange& rows = {0, std::numeric_limits<int>::max()});

/// Throws InputError as the archive's getters do.
[[nodiscard]] std::vector<IterationRecord> trace_in(const Archive& archive, const std::string& name);

}  // namespace isogon
