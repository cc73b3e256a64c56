#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>

#include "bindings.hpp"
#include "codes/vector_codes.hpp"
#include "convert.hpp"
#include "engines/copy_text.hpp"
#include "engines/faiss_index.hpp"
#include "fit.hpp"

namespace isogon::python {

namespace {

using Ids = std::optional<LabelArray>;

std::span<const std::int64_t> ids_of(const Ids& ids) {
    return ids ? std::span(ids->data(), ids->shape(0)) : std::span<const std::int64_t>();
}

/// Completes an index and writes it.
void write_for_engine(FaissIndex index, const std::string& path, const Ids& ids, const Model* model, bool overwrite,
                      const RunContext& context) {
    if (model != nullptr) {
        model->look([&](const Archive& archive) { index.map_first(archive); });
    }
    if (ids) {
        index.set_ids(ids_of(ids));
    }
    index.write(path, {.format = {}, .overwrite = overwrite}, context);
}

void write_points(const std::string& path, const RowArray& points, const std::string& metric, const Ids& ids,
                  const Model* model, bool overwrite, const RunSettings& settings) {
    const PointsView x = view_of(points, "vectors");
    run_or_raise(settings, [&](const RunContext& context) {
        write_for_engine(FaissIndex(x, find_product_metric(metric)), path, ids, model, overwrite, context);
    });
}

void write_codes(const std::string& path, const VectorCodes& codes, const Ids& ids, const Model* model, bool overwrite,
                 const RunSettings& settings) {
    run_or_raise(settings, [&](const RunContext& context) {
        write_for_engine(FaissIndex(codes), path, ids, model, overwrite, context);
    });
}

void write_copy(const std::string& path, const RowArray& points, const Ids& ids, const std::vector<std::string>& words,
                bool overwrite, const RunSettings& settings) {
    const PointsView x = view_of(points, "vectors");
    run_or_raise(settings, [&](const RunContext& context) {
        write_copy_text(path, x, {ids_of(ids), words}, {.format = {}, .overwrite = overwrite}, context);
    });
}

}  // namespace

void add_engines(nb::module_& m) {
    m.def("write_faiss", &write_points, nb::arg("path"), nb::arg("points").noconvert(), nb::arg("metric"),
          nb::arg("ids").none(), nb::arg("model").none(), nb::arg("overwrite"), nb::arg("run"));
    m.def("write_faiss_codes", &write_codes, nb::arg("path"), nb::arg("codes"), nb::arg("ids").none(),
          nb::arg("model").none(), nb::arg("overwrite"), nb::arg("run"));
    m.def("write_copy", &write_copy, nb::arg("path"), nb::arg("points").noconvert(), nb::arg("ids").none(),
          nb::arg("words"), nb::arg("overwrite"), nb::arg("run"));
}

}  // namespace isogon::python
