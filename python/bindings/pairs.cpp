#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "pairs/row_sample.hpp"
#include "pairs/threshold.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

nb::dict threshold(const RowArray& points, const std::optional<double>& given, const nb::dict& values,
                   const RunSettings& settings) {
    const PointsView x = view_of(points, "X");
    const ThresholdOptions options = threshold_option_table().make(to_options(values));
    AngleHistograms angles;
    run_or_raise(settings, [&](const RunContext& context) {
        angles = given ? describe_threshold(x, *given, options, context) : choose_threshold(x, options, context);
    });
    nb::dict result;
    result["threshold"] = angles.threshold;
    result["threshold_degrees"] = angles.threshold_degrees;
    result["advised_threshold"] = angles.advised_threshold > 0.0 ? nb::cast(angles.advised_threshold) : nb::none();
    result["sparsity"] = angles.sparsity;
    result["isolated_share"] = angles.isolated_share;
    result["sampled_rows"] = angles.sampled_rows;
    result["zero_vectors"] = angles.zero_vectors;
    result["bin_degrees"] = angles.bin_degrees;
    const std::size_t bins = angles.nearest.size();
    result["nearest"] = to_numpy(std::move(angles.nearest), {bins});
    result["all"] = to_numpy(std::move(angles.all), {bins});
    return result;
}

/// The rows that `isogon embed --landmarks COUNT --landmark-selection random` takes.
nb::object sampled_rows(Index rows, Index count, std::uint64_t seed) {
    std::vector<Index> chosen;
    {
        const nb::gil_scoped_release others_may_run;
        chosen = sample_rows(rows, count, seed, RandomStream::Landmarks);
    }
    const std::size_t size = chosen.size();
    return to_numpy(std::move(chosen), {size});
}

}  // namespace

void add_pairs(nb::module_& m) {
    m.def("threshold_options", [] { return to_python(threshold_option_table().specs()); });
    m.def("threshold", &threshold, nb::arg("points").noconvert(), nb::arg("threshold"), nb::arg("options"),
          nb::arg("run"));
    m.def("sample_rows", &sampled_rows, nb::arg("rows"), nb::arg("count"), nb::arg("seed"));
}

}  // namespace isogon::python
