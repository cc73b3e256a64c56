#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <mutex>
#include <optional>
#include <stdexcept>

#include "bindings.hpp"
#include "convert.hpp"
#include "fit.hpp"
#include "io/column_names.hpp"
#include "isogon/io/archive_file.hpp"

namespace isogon::python {

void Model::look(const std::function<void(const Archive&)>& at) const {
    const std::shared_lock others_may_look(guard_);
    at(transformer_ ? transformer_->model() : archive_);
}

const Transformer& Model::transformer(RunContext context) {
    const std::unique_lock alone(guard_);
    if (!transformer_) {
        // The callback is not called: its thread may be waiting for this mutex.
        context.on_iteration = {};
        // A copy, so that a run which is ended meanwhile leaves the archive as it is.
        transformer_ = std::make_unique<Transformer>(Archive(archive_), context);
        archive_ = {};
    }
    return *transformer_;
}

namespace {

/// Throws as a fit without coordinates does: a RuntimeError in Python.
void require_complete(const Transformed& result, const RunContext& context) {
    if (const auto reason = context.interruption()) {
        throw Interruption{*reason};
    }
    if (!result.summary.usable()) {
        throw std::runtime_error(result.summary.message);
    }
}

nb::tuple transform(Model& model, const RowArray& points, const RunSettings& settings) {
    const PointsView rows = view_of(points, "X");
    Transformed result;
    run_or_raise(settings, [&](const RunContext& context) {
        result = model.transformer(context).transform(rows, context);
        require_complete(result, context);
    });
    nb::dict summary = to_python(result.summary);
    return nb::make_tuple(to_numpy(std::move(result.coordinates)), summary);
}

/// Two numbers for each row: FitDistances::of.
nb::object distances(Model& model, const RowArray& points, const RunSettings& settings) {
    const PointsView rows = view_of(points, "X");
    Points found;
    run_or_raise(settings, [&](const RunContext& context) {
        found = FitDistances(model.transformer(context).model()).of(rows, context);
    });
    return to_numpy(std::move(found));
}

std::shared_ptr<Model> query_map(const Model& model, const std::optional<RowArray>& queries, int prototypes,
                                 int directions, std::uint64_t seed, const RunSettings& settings) {
    const PointsView rows = queries ? view_of(*queries, "queries_like") : PointsView();
    Archive made;
    run_or_raise(settings, [&](const RunContext& context) {
        model.look([&](const Archive& archive) {
            made = make_query_map(archive, {.prototypes = prototypes, .directions = directions, .seed = seed}, context,
                                  rows);
            const auto dimension = static_cast<Index>(archive.array("inputs").shape.back());
            add_column_names(made, column_names_in(archive, dimension).names);
        });
    });
    return std::make_shared<Model>(std::move(made));
}

/// The other way: rows are coordinates.
nb::tuple inverse_transform(Model& model, const RowArray& coordinates, const RunSettings& settings) {
    const PointsView rows = view_of(coordinates, "X");
    Transformed result;
    run_or_raise(settings, [&](const RunContext& context) {
        result = model.transformer(context).inverse(context)->transform(rows, context);
        require_complete(result, context);
    });
    nb::dict summary = to_python(result.summary);
    return nb::make_tuple(to_numpy(std::move(result.coordinates)), summary);
}

nb::tuple dimensions(Model& model, const RunSettings& settings) {
    Index input = 0;
    Index output = 0;
    run_or_raise(settings, [&](const RunContext& context) {
        input = model.transformer(context).input_dimension();
        output = model.transformer(context).output_dimension();
    });
    return nb::make_tuple(input, output);
}

template <class Member>
nb::object read(const Model& model, const Member& member) {
    nb::object result;
    model.look([&](const Archive& archive) { result = member(archive); });
    return result;
}

nb::object method(const Model& model) {
    return read(model, [](const Archive& archive) { return nb::cast(archive.method); });
}

nb::object options(const Model& model) {
    return read(model, [](const Archive& archive) { return to_python(archive.options); });
}

nb::object names(const Model& model) {
    return read(model, [](const Archive& archive) {
        nb::list list;
        for (const auto& entry : archive.arrays) {
            list.append(entry.first);
        }
        return list;
    });
}

/// Names of `features` columns, or None. Bytes that are no UTF-8 come as Python's surrogates.
nb::object column_names(const Model& model, Index features) {
    return read(model, [&](const Archive& archive) -> nb::object {
        const ColumnNames columns = column_names_in(archive, features);
        if (columns.empty()) {
            return nb::none();
        }
        nb::list list;
        for (const std::string& name : columns.names) {
            list.append(
                nb::steal(PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogateescape")));
        }
        return list;
    });
}

nb::object array(const Model& model, const std::string& name) {
    return read(model, [&](const Archive& archive) { return to_numpy(archive.array(name)); });
}

void write(const Model& model, const std::string& path, bool overwrite) {
    model.look([&](const Archive& archive) { write_archive(path, archive, {.format = {}, .overwrite = overwrite}); });
}

std::shared_ptr<Model> read_model(const std::string& path) {
    return std::make_shared<Model>(read_archive(path));
}

}  // namespace

void add_model(nb::module_& m) {
    const nb::call_guard<nb::gil_scoped_release> others_may_run;
    nb::class_<Model>(m, "Model")
        .def_prop_ro("method", &method)
        .def_prop_ro("options", &options)
        .def_prop_ro("arrays", &names)
        .def("array", &array, nb::arg("name"))
        .def("column_names", &column_names, nb::arg("features"))
        .def("dimensions", &dimensions, nb::arg("run"))
        .def("query_map", &query_map, nb::arg("queries").noconvert().none(), nb::arg("prototypes"),
             nb::arg("directions"), nb::arg("seed"), nb::arg("run"))
        .def("distances", &distances, nb::arg("points").noconvert(), nb::arg("run"))
        .def("transform", &transform, nb::arg("points").noconvert(), nb::arg("run"))
        .def("inverse_transform", &inverse_transform, nb::arg("coordinates").noconvert(), nb::arg("run"))
        .def("write", &write, nb::arg("path"), nb::arg("overwrite"), others_may_run);
    m.def("read_model", &read_model, nb::arg("path"), others_may_run);
}

}  // namespace isogon::python
