#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

nb::tuple neighbors(const RowArray& points, const std::optional<RowArray>& queries, const nb::dict& values,
                    const RunSettings& settings) {
    const PointsView x = view_of(points, "X");
    const PointsView asked = queries ? view_of(*queries, "queries") : PointsView{};
    const NeighborSearchOptions options = neighbor_search_option_table().make(to_options(values));
    NeighborSearch found;
    run_or_raise(settings, [&](const RunContext& context) {
        found = queries ? find_neighbors(asked, x, options, context) : find_neighbors(x, options, context);
        if (const auto reason = context.interruption(); reason && found.lists.indices.empty()) {
            throw Interruption{*reason};
        }
    });
    const std::vector<std::size_t> shape{found.lists.count(), found.lists.size};
    const nb::dict summary = to_python(found.summary);
    return nb::make_tuple(to_numpy(std::move(found.lists.indices), shape),
                          to_numpy(std::move(found.lists.distances), shape), summary);
}

}  // namespace

void add_neighbors(nb::module_& m) {
    m.def("neighbor_options", [] { return to_python(neighbor_search_option_table().specs()); });
    m.def("neighbors", &neighbors, nb::arg("points").noconvert(), nb::arg("queries").noconvert(), nb::arg("options"),
          nb::arg("run"));
}

}  // namespace isogon::python
