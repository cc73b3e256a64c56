#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bindings.hpp"
#include "convert.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/quality/score.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

/// The keys of the command line's JSON.
template <class AnyScore>
nb::dict faithfulness(const AnyScore& scored) {
    nb::dict result;
    result["mean_angular_deviation_degrees"] = scored.mean_angular_deviation_degrees;
    result["jaccard"] = scored.jaccard;
    result["norm_deviation_mean"] = scored.norm_deviation_mean;
    result["norm_deviation_max"] = scored.norm_deviation_max;
    result[("recall_at_" + std::to_string(scored.neighbors)).c_str()] = scored.recall;
    result["points"] = scored.points;
    result["threshold"] = scored.threshold;
    result["isolated"] = scored.isolated;
    result["zero_vectors"] = scored.zero_vectors;
    nb::dict metrics;
    metrics["input"] = std::string(scored.metrics.input_name());
    metrics["output"] = std::string(scored.metrics.output_name());
    result["metrics"] = metrics;
    result["summary"] = to_python(scored.summary);
    return result;
}

nb::dict score_alone(const RowArray& inputs, const RowArray& outputs, const std::optional<LabelArray>& labels,
                     const nb::dict& values, const RunSettings& settings) {
    const PointsView x = view_of(inputs, "X");
    const PointsView y = view_of(outputs, "Y");
    const ScoreOptions options = score_option_table().make(to_options(values));
    std::span<const std::int64_t> classes;
    if (labels) {
        classes = {labels->data(), labels->size()};
    }
    Score scored;
    run_or_raise(settings, [&](const RunContext& context) {
        scored = score(x, y, classes, options, context);
        throw_if_interrupted(scored.summary.termination);
    });
    nb::dict result = faithfulness(scored);
    result["deviation_without_self_degrees"] = scored.deviation_without_self_degrees;
    result["jaccard_without_self"] = scored.jaccard_without_self;
    const std::string k = std::to_string(scored.neighbors);
    result[("all_kept_at_" + k).c_str()] = scored.all_kept;
    result[("kept_in_order_at_" + k).c_str()] = scored.kept_in_order;
    nb::list worst;
    for (const auto& point : scored.kept.worst()) {
        nb::dict entry;
        entry["point"] = point.point;
        entry["kept"] = point.share;
        worst.append(entry);
    }
    result["worst_points"] = worst;
    result["trustworthiness"] = scored.trustworthiness;
    result["continuity"] = scored.continuity;
    if (scored.knn_accuracy) {
        result["knn_accuracy"] = *scored.knn_accuracy;
    }
    if (scored.knn_accuracy_inputs) {
        result["knn_accuracy_inputs"] = *scored.knn_accuracy_inputs;
    }
    result["sparsity"] = scored.sparsity;
    result["angle_rows"] = scored.angle_rows;
    result["rank_rows"] = scored.rank_rows;
    return result;
}

nb::dict score_against(const RowArray& inputs, const RowArray& outputs, const RowArray& fitted_inputs,
                       const RowArray& fitted_outputs, const nb::dict& values, const RunSettings& settings) {
    const PointsView x = view_of(inputs, "X");
    const PointsView y = view_of(outputs, "Y");
    const PointsView f = view_of(fitted_inputs, "fitted_X");
    const PointsView g = view_of(fitted_outputs, "fitted_Y");
    const CrossScoreOptions options = cross_score_option_table().make(to_options(values));
    CrossScore scored;
    run_or_raise(settings, [&](const RunContext& context) {
        scored = cross_score(x, y, f, g, options, context);
        throw_if_interrupted(scored.summary.termination);
    });
    nb::dict result = faithfulness(scored);
    result["fitted"] = scored.fitted;
    return result;
}

}  // namespace

void add_quality(nb::module_& m) {
    m.def("score_options", [] { return to_python(score_option_table().specs()); });
    m.def("cross_score_options", [] { return to_python(cross_score_option_table().specs()); });
    m.def(
        "number_labels",
        [](const std::vector<std::string>& texts) {
            Labels labels = numbered_labels(texts);
            return to_numpy(std::move(labels.values), {texts.size()});
        },
        nb::arg("texts"));
    m.def("score", &score_alone, nb::arg("x").noconvert(), nb::arg("y").noconvert(), nb::arg("labels").noconvert(),
          nb::arg("options"), nb::arg("run"));
    m.def("cross_score", &score_against, nb::arg("x").noconvert(), nb::arg("y").noconvert(),
          nb::arg("fitted_x").noconvert(), nb::arg("fitted_y").noconvert(), nb::arg("options"), nb::arg("run"));
}

}  // namespace isogon::python
