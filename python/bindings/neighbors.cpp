#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

/// Points and queries are both dense or both sparse. `queries`: null: the points themselves.
template <class Rows>
nb::tuple search(const Rows& points, const Rows* queries, const nb::dict& values, const RunSettings& settings) {
    const NeighborSearchOptions options = neighbor_search_option_table().make(to_options(values));
    NeighborSearch found;
    run_or_raise(settings, [&](const RunContext& context) {
        found = queries != nullptr ? find_neighbors(*queries, points, options, context)
                                   : find_neighbors(points, options, context);
        if (const auto reason = context.interruption(); reason && found.lists.indices.empty()) {
            throw Interruption{*reason};
        }
    });
    const std::vector<std::size_t> shape{found.lists.count(), found.lists.size};
    const nb::dict summary = to_python(found.summary);
    return nb::make_tuple(to_numpy(std::move(found.lists.indices), shape),
                          to_numpy(std::move(found.lists.distances), shape), summary);
}

nb::tuple neighbors(const RowArray& points, const std::optional<RowArray>& queries, const nb::dict& values,
                    const RunSettings& settings) {
    const PointsView asked = queries ? view_of(*queries, "queries") : PointsView{};
    return search(view_of(points, "X"), queries ? &asked : nullptr, values, settings);
}

nb::tuple sparse_neighbors(const CompressedRows& points, const std::optional<CompressedRows>& queries,
                           const nb::dict& values, const RunSettings& settings) {
    const CsrMatrix<double> asked = queries ? to_matrix(*queries) : CsrMatrix<double>{};
    return search(to_matrix(points), queries ? &asked : nullptr, values, settings);
}

}  // namespace

void add_neighbors(nb::module_& m) {
    m.def("neighbor_options", [] { return to_python(neighbor_search_option_table().specs()); });
    m.def("neighbors", &neighbors, nb::arg("points").noconvert(), nb::arg("queries").noconvert(), nb::arg("options"),
          nb::arg("run"));
    m.def("sparse_neighbors", &sparse_neighbors, nb::arg("points"), nb::arg("queries"), nb::arg("options"),
          nb::arg("run"));
}

}  // namespace isogon::python
