#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "isogon/quality/score.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

/// What a run left that was ended is not told in part.
void require_whole(const Summary& summary) {
    if (summary.termination == Termination::Cancelled || summary.termination == Termination::TimeLimit) {
        throw Interruption{summary.termination};
    }
}

/// The keys of the command line's JSON.
template <class Judgement>
nb::dict faithfulness(const Judgement& judged) {
    nb::dict result;
    result["mean_angular_deviation_degrees"] = judged.mean_angular_deviation_degrees;
    result["jaccard"] = judged.jaccard;
    result["norm_deviation_mean"] = judged.norm_deviation_mean;
    result["norm_deviation_max"] = judged.norm_deviation_max;
    result[("recall_at_" + std::to_string(judged.neighbors)).c_str()] = judged.recall;
    result["points"] = judged.points;
    result["threshold"] = judged.threshold;
    result["isolated"] = judged.isolated;
    result["zero_vectors"] = judged.zero_vectors;
    result["summary"] = to_python(judged.summary);
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
    Score judged;
    run_or_raise(settings, [&](const RunContext& context) {
        judged = score(x, y, classes, options, context);
        require_whole(judged.summary);
    });
    nb::dict result = faithfulness(judged);
    const std::string k = std::to_string(judged.neighbors);
    result[("all_kept_at_" + k).c_str()] = judged.all_kept;
    result[("kept_in_order_at_" + k).c_str()] = judged.kept_in_order;
    nb::list worst;
    for (const auto& point : judged.kept.worst()) {
        nb::dict entry;
        entry["point"] = point.point;
        entry["kept"] = point.share;
        worst.append(entry);
    }
    result["worst_points"] = worst;
    result["trustworthiness"] = judged.trustworthiness;
    result["continuity"] = judged.continuity;
    if (judged.knn_accuracy) {
        result["knn_accuracy"] = *judged.knn_accuracy;
    }
    result["sparsity"] = judged.sparsity;
    result["rank_rows"] = judged.rank_rows;
    return result;
}

nb::dict score_against(const RowArray& inputs, const RowArray& outputs, const RowArray& fitted_inputs,
                       const RowArray& fitted_outputs, const nb::dict& values, const RunSettings& settings) {
    const PointsView x = view_of(inputs, "X");
    const PointsView y = view_of(outputs, "Y");
    const PointsView f = view_of(fitted_inputs, "fitted_X");
    const PointsView g = view_of(fitted_outputs, "fitted_Y");
    const CrossScoreOptions options = cross_score_option_table().make(to_options(values));
    CrossScore judged;
    run_or_raise(settings, [&](const RunContext& context) {
        judged = cross_score(x, y, f, g, options, context);
        require_whole(judged.summary);
    });
    nb::dict result = faithfulness(judged);
    result["fitted"] = judged.fitted;
    return result;
}

}  // namespace

void add_quality(nb::module_& m) {
    m.def("score_options", [] { return to_python(score_option_table().specs()); });
    m.def("cross_score_options", [] { return to_python(cross_score_option_table().specs()); });
    m.def("score", &score_alone, nb::arg("x").noconvert(), nb::arg("y").noconvert(), nb::arg("labels").noconvert(),
          nb::arg("options"), nb::arg("run"));
    m.def("cross_score", &score_against, nb::arg("x").noconvert(), nb::arg("y").noconvert(),
          nb::arg("fitted_x").noconvert(), nb::arg("fitted_y").noconvert(), nb::arg("options"), nb::arg("run"));
}

}  // namespace isogon::python
