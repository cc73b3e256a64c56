#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <memory>

#include "bindings.hpp"
#include "codes/vector_codes.hpp"
#include "convert.hpp"
#include "isogon/io/archive_file.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

using SharedCodes = std::shared_ptr<const VectorCodes>;

/// Codes of vectors; with `by` the codewords are those of other codes.
SharedCodes make(const RowArray& points, const nb::dict& values, const VectorCodes* by, const RunSettings& settings) {
    const PointsView x = view_of(points, "X");
    const CodesOptions options = codes_option_table().make(to_options(values));
    SharedCodes made;
    run_or_raise(settings, [&](const RunContext& context) {
        made = by == nullptr ? std::make_shared<const VectorCodes>(x, options, context)
                             : std::make_shared<const VectorCodes>(by->encode(x, context));
    });
    return made;
}

nb::object decode(const VectorCodes& codes, const RunSettings& settings) {
    Points decoded;
    run_or_raise(settings, [&](const RunContext& context) { decoded = codes.decode(context); });
    return to_numpy(std::move(decoded));
}

nb::tuple search(const VectorCodes& codes, const RowArray& queries, Index k, const RunSettings& settings) {
    const PointsView asked = view_of(queries, "queries");
    NeighborLists found;
    run_or_raise(settings, [&](const RunContext& context) { found = codes.search(asked, k, context); });
    const std::vector<std::size_t> shape{found.count(), found.size};
    return nb::make_tuple(to_numpy(std::move(found.indices), shape), to_numpy(std::move(found.distances), shape));
}

double recall(const VectorCodes& codes, const RowArray& points, Index k, const RunSettings& settings) {
    const PointsView x = view_of(points, "X");
    double kept = 0.0;
    run_or_raise(settings, [&](const RunContext& context) { kept = recall_of_codes(codes, x, k, context); });
    return kept;
}

}  // namespace

void add_codes(nb::module_& m) {
    const nb::call_guard<nb::gil_scoped_release> others_may_run;
    nb::class_<VectorCodes>(m, "VectorCodes")
        .def_prop_ro("shape", [](const VectorCodes& codes) { return nb::make_tuple(codes.count(), codes.dimension()); })
        .def_prop_ro("options",
                     [](const VectorCodes& codes) { return to_python(codes_option_table().values(codes.options())); })
        .def_prop_ro("codes",
                     [](const VectorCodes& codes) {
                         return to_numpy(codes.codes(), {codes.count(), codes.code_bytes()});
                     })
        .def("decode", &decode, nb::arg("run"))
        .def("search", &search, nb::arg("queries").noconvert(), nb::arg("k"), nb::arg("run"))
        .def("recall", &recall, nb::arg("points").noconvert(), nb::arg("k"), nb::arg("run"))
        .def(
            "write",
            [](const VectorCodes& codes, const std::string& path, bool overwrite) {
                write_archive(path, codes.archive(), {.format = {}, .overwrite = overwrite});
            },
            nb::arg("path"), nb::arg("overwrite"), others_may_run);
    m.def("codes_options", [] { return to_python(codes_option_table().specs()); });
    m.def("make_codes", &make, nb::arg("points").noconvert(), nb::arg("options"), nb::arg("by").none(), nb::arg("run"));
    m.def(
        "read_codes", [](const std::string& path) { return std::make_shared<const VectorCodes>(read_archive(path)); },
        nb::arg("path"), others_may_run);
}

}  // namespace isogon::python
