#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "bindings.hpp"
#include "convert.hpp"
#include "fit.hpp"
#include "io/column_names.hpp"
#include "isogon/core/error.hpp"
#include "isogon/registry/registry.hpp"

namespace isogon::python {

namespace {

nb::list list_methods() {
    nb::list list;
    for (const auto& method : methods()) {
        nb::dict entry;
        entry["name"] = method.name;
        entry["title"] = method.title;
        entry["source"] = method.source;
        entry["options"] = to_python(method.options);
        entry["starts"] = method.accepts_init;
        entry["starts_some"] = method.accepts_partial_init;
        entry["resumes"] = method.resumes;
        entry["uses_neighbors"] = method.uses_neighbors;
        entry["uses_affinities"] = method.uses_affinities;
        entry["uses_labels"] = method.uses_labels;
        entry["accepts_precomputed"] = method.accepts_precomputed;
        entry["accepts_sparse"] = method.accepts_sparse;
        entry["embeds_on_landmarks"] = method.fits_on_landmarks;
        list.append(entry);
    }
    return list;
}

/// The caller's request in the library's words; alive while the fit runs.
struct Request {
    const Method& method;
    PointsView points{};
    OptionValues options{};
    LandmarkOptions landmarks{};
    FitExtras extras{};
    NeighborLists lists{};
    CsrMatrix<double> affinities{};
    CsrMatrix<double> sparse{};          ///< the points, where they are such; `points` has no numbers then
    std::vector<std::string> columns{};  ///< names, or none
    bool wants_model = true;
};

/// The results of the work, before Python sees them.
struct Outcome {
    Embedding fitted{};
    std::vector<Index> rows{};
    std::optional<Archive> model{};
};

bool has_transform(const OptionValues& options) {
    try {
        require_transform(options);
        return true;
    } catch (const InvalidArgument&) {
        return false;
    }
}

/// Numbers of a row of coordinates, at most: what was asked for is the method's to judge.
std::uint64_t outputs_of(const Request& request) {
    const std::int64_t most =
        std::max<std::int64_t>({1, request.points.dimension, request.points.count, request.sparse.columns});
    const auto found = request.options.find("dimension");
    const auto* asked = found == request.options.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
    return static_cast<std::uint64_t>(asked == nullptr ? most : std::clamp<std::int64_t>(*asked, 1, most));
}

std::uint64_t fitted_rows(const Request& request) {
    const std::int64_t landmarks = request.landmarks.landmarks;
    const std::int64_t all = request.points.count;
    return static_cast<std::uint64_t>(landmarks > 0 ? std::min(landmarks, all) : all);
}

/// Bytes that make_model() will hold: a linear map or the parts of nmf, for other methods the fitted inputs and
/// coordinates.
std::uint64_t model_bytes(const Request& request) {
    const std::uint64_t inputs = std::max(request.points.dimension, request.sparse.columns);
    const std::uint64_t outputs = outputs_of(request);
    const std::string& name = request.method.name;
    return name == "svd" || name == "pca" || name == "nmf" ? inputs * (outputs + 1) * sizeof(double)
                                                           : fitted_rows(request) * (inputs + outputs) * sizeof(float);
}

/// A limit of what is left when this is taken, which is stated first.
RunContext without(const char* what, std::uint64_t bytes, const RunContext& context) {
    require_memory(context, {{what, bytes}}, "raise memory_limit or fit fewer points");
    return beside(context, bytes);
}

bool usable(const Embedding& fitted) {
    return fitted.summary.usable() && !fitted.coordinates.empty();
}

void fit_all(const Request& request, const RunContext& context, Outcome& outcome) {
    const Method& method = request.method;
    const bool on_landmarks = request.landmarks.landmarks != 0;
    outcome.fitted = method.embed(request.points, request.options, context, request.extras,
                                  on_landmarks ? &request.landmarks : nullptr);
    if (on_landmarks) {
        outcome.fitted.options.merge(landmark_option_table().values(request.landmarks));
    }
    if (request.wants_model && usable(outcome.fitted)) {
        outcome.model = make_model(method.name, request.points, outcome.fitted);
    }
}

/// For methods that place: landmarks fitted, all rows placed among them.
void fit_some(const Request& request, const RunContext& given, Outcome& outcome) {
    const std::uint64_t coordinates = request.points.count * outputs_of(request) * sizeof(float);
    const RunContext context = without("coordinates of all points", coordinates, given);
    const ViewRows source(request.points);
    FitExtras extras = request.extras;
    extras.neighbors = nullptr;  // they are those of all points; the fit of the landmarks has no use for them
    const LandmarkRun run{request.method, source, request.landmarks, context};
    LandmarkFit fit = fit_landmarks(run, request.options, extras);
    if (!usable(fit.fitted)) {
        outcome.fitted = std::move(fit.fitted);
        return;
    }
    if (request.wants_model) {
        outcome.model = make_model(request.method.name, fit.inputs.view(), fit.fitted);
    }
    Points all(request.points.count, fit.fitted.coordinates.dimension());
    PointsSink sink(all);
    Summary summary = extend_to_all(run, fit, sink, request.lists.size == 0 ? nullptr : &request.lists);
    outcome.rows = std::move(fit.rows);
    outcome.fitted = std::move(fit.fitted);
    outcome.fitted.summary = std::move(summary);
    const bool whole = !was_interrupted(outcome.fitted.summary.termination);
    outcome.fitted.coordinates = whole ? std::move(all) : Points();
}

void work_on(const Request& request, const RunContext& context, Outcome& outcome) {
    const RunContext left =
        request.wants_model ? without("the model of the fit", model_bytes(request), context) : context;
    if (request.landmarks.landmarks != 0 && !request.method.fits_on_landmarks) {
        fit_some(request, left, outcome);
    } else {
        fit_all(request, left, outcome);
    }
    if (outcome.model) {
        add_column_names(*outcome.model, request.columns);
    }
}

Fit to_fit(Outcome outcome, const RaisedMeanwhile& raised) {
    Fit fit;
    fit.summary = to_python(outcome.fitted.summary);
    fit.options = to_python(outcome.fitted.options);
    std::map<std::string, Array, std::less<>> map = std::move(outcome.fitted.linear_map);
    map.merge(outcome.fitted.nonnegative_map);
    const auto& kept = outcome.fitted.kept;
    const std::size_t count = outcome.fitted.coordinates.count();
    if (kept && outcome.rows.empty() && count <= KeptNeighbors::most_rows) {
        std::vector<float> shares(count, 1.0F);  // a zero vector has no neighbours to lose
        for (std::size_t r = 0; r < kept->rows.size(); ++r) {
            shares[kept->rows[r]] = kept->shares[r];
        }
        map.emplace("kept", Array{{count}, std::move(shares)});
    }
    fit.map = to_python(map);
    fit.coordinates = usable(outcome.fitted) ? to_numpy(std::move(outcome.fitted.coordinates)) : nb::none();
    const std::size_t landmarks = outcome.rows.size();
    fit.landmark_rows = landmarks == 0 ? nb::none() : to_numpy(std::move(outcome.rows), {landmarks});
    if (outcome.model) {
        fit.model = std::make_shared<Model>(std::move(*outcome.model));
    }
    fit.raised = raised ? nb::borrow(raised->value()) : nb::none();
    return fit;
}

Fit fit(const std::string& name, const RowArray& points, const nb::dict& options, const RunSettings& settings,
        const nb::dict& landmarks, const std::optional<RowArray>& start, const std::optional<IndexTable>& neighbors,
        const std::optional<DistanceTable>& distances, const std::optional<CompressedRows>& affinities,
        const std::optional<LabelArray>& classes, const std::optional<RowArray>& targets, const nb::list& columns,
        const std::optional<CompressedRows>& sparse) {
    Request request{.method = find_method(name)};
    request.points = view_of(points, "X");
    request.options = to_options(options);
    request.landmarks = landmark_option_table().make(to_options(landmarks));
    request.wants_model = request.points.dimension != 0 && has_transform(request.options);
    for (const nb::handle column : columns) {
        const auto bytes = nb::cast<nb::bytes>(column);
        request.columns.emplace_back(bytes.c_str(), bytes.size());
    }
    if (start) {
        request.extras.start = view_of(*start, "start");
    }
    if (neighbors) {
        request.lists = to_lists(*neighbors, distances, request.points.count);
        request.extras.neighbors = &request.lists;
    }
    if (classes) {
        request.extras.labels = {classes->data(), classes->shape(0)};
    }
    if (targets) {
        request.extras.targets = view_of(*targets, "y");
    }
    if (affinities) {
        if (request.landmarks.landmarks != 0) {
            throw InvalidArgument("affinities", "given", "are of all points, not of landmarks: leave these out");
        }
        request.affinities = to_matrix(*affinities);
        request.extras.affinities = &request.affinities;
        request.wants_model = false;  // it would weigh new rows otherwise than the fitted are
    }
    if (sparse) {
        if (request.landmarks.landmarks != 0) {
            throw InvalidArgument("landmarks", "given", "are chosen among dense rows: leave them out");
        }
        request.sparse = to_matrix(*sparse);
        request.extras.sparse = &request.sparse;
        request.wants_model = !request.method.accepts_precomputed;  // others place new rows among dense ones
    }
    Outcome outcome;
    const RaisedMeanwhile raised =
        run_apart(settings, [&](const RunContext& context) { work_on(request, context, outcome); });
    return to_fit(std::move(outcome), raised);
}

}  // namespace

void add_methods(nb::module_& m) {
    m.def("methods", &list_methods, "All methods: name, title, source, options.");
    m.def("landmark_options", [] { return to_python(landmark_option_table().specs()); });
    nb::class_<Fit>(m, "Fit")
        .def_ro("coordinates", &Fit::coordinates)
        .def_ro("summary", &Fit::summary)
        .def_ro("options", &Fit::options)
        .def_ro("map", &Fit::map)
        .def_ro("landmark_rows", &Fit::landmark_rows)
        .def_ro("model", &Fit::model)
        .def("take_raised", [](Fit& self) { return std::exchange(self.raised, nb::none()); });
    m.def("fit", &fit, nb::arg("method"), nb::arg("points").noconvert(), nb::arg("options"), nb::arg("run"),
          nb::arg("landmarks") = nb::dict(), nb::arg("start").noconvert() = nb::none(),
          nb::arg("neighbors").noconvert() = nb::none(), nb::arg("distances").noconvert() = nb::none(),
          nb::arg("affinities").noconvert() = nb::none(), nb::arg("classes").noconvert() = nb::none(),
          nb::arg("targets").noconvert() = nb::none(), nb::arg("columns") = nb::list(),
          nb::arg("sparse").noconvert() = nb::none());
    m.def(
        "require_transform", [](const nb::dict& options) { require_transform(to_options(options)); },
        nb::arg("options"));
}

}  // namespace isogon::python
