#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon::python {

namespace nb = nanobind;

/// float32 rows as numpy holds them; never a copy, so that whoever calls knows when there is one.
using RowArray = nb::ndarray<const float, nb::ndim<2>, nb::device::cpu>;
using LabelArray = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IndexTable = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using DistanceTable = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

using OffsetArray = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ColumnArray = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ValueArray = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// Compressed rows as SciPy holds them: offsets, columns, values; and the number of columns.
using CompressedRows = std::tuple<OffsetArray, ColumnArray, ValueArray, std::uint32_t>;

/// A view of those rows, without a copy. `what` names the argument. ValueError for rows that are not contiguous by
/// themselves, and for more of them than an Index counts.
[[nodiscard]] PointsView view_of(const RowArray& rows, const char* what);

/// Arrays of numpy that own what they are made of; nothing is copied.
[[nodiscard]] nb::object to_numpy(Points points);
template <class Number>
[[nodiscard]] nb::object to_numpy(std::vector<Number> values, std::vector<std::size_t> shape) {
    auto* kept = new std::vector<Number>(std::move(values));
    const nb::capsule owner(kept, [](void* held) noexcept { delete static_cast<std::vector<Number>*>(held); });
    return nb::cast(nb::ndarray<nb::numpy, Number>(kept->data(), shape.size(), shape.data(), owner));
}

[[nodiscard]] nb::object to_numpy(const Array& array);

/// None is "auto". TypeError for anything but None, bool, int, float and str; ValueError for integers of more than 64
/// bits.
[[nodiscard]] OptionValues to_options(const nb::dict& values);
[[nodiscard]] nb::object to_python(const OptionValue& value);
[[nodiscard]] nb::dict to_python(const OptionValues& values);
/// Dictionaries with the members of OptionSpec.
[[nodiscard]] nb::list to_python(const std::vector<OptionSpec>& specs);

[[nodiscard]] nb::dict to_python(const std::map<std::string, Array, std::less<>>& arrays);

/// A sentence of the library with Python's names of the options.
[[nodiscard]] std::string in_python(const Text& text);

/// A dictionary with the members of Summary; the trace as a dictionary of lists.
[[nodiscard]] nb::dict to_python(const Summary& summary);

/// A copy: the library's matrix owns its entries. What is wrong with it is the library's to say.
[[nodiscard]] CsrMatrix<double> to_matrix(const CompressedRows& rows);

/// Lists from a table of neighbours and, if there are any, their distances, as neighbor_lists_from() takes them.
[[nodiscard]] NeighborLists to_lists(const IndexTable& indices, const std::optional<DistanceTable>& distances,
                                     Index points);

}  // namespace isogon::python
