#include "lll_sweeps.hpp"

#include "../failure.hpp"

namespace isogon::cli {

std::vector<JudgedFit> judged_sweep(FigureContext& shop, const PointsView& points, const SweepPlan& plan,
                                    const std::function<double(const SweepFit&)>& judge) {
    std::vector<JudgedFit> fits;
    const Sweep result = sweep(points, plan, shop.context(), nullptr, [&](const SweepFit& fit) {
        fits.push_back({fit.row, judge(fit)});
    });
    if (result.summary.termination != Termination::Converged) {
        throw Interruption{result.summary.termination};
    }
    if (fits.empty()) {
        throw UsageError("no combination could be fitted; the first: " + result.rows.front().refused);
    }
    return fits;
}

double number_in(const SweepRow& row, const std::string& option) {
    const OptionValue& value = row.values.at(option);
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

std::string text_in(const SweepRow& row, const std::string& option) {
    return to_text(row.values.at(option));
}

}  // namespace isogon::cli
