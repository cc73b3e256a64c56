#include "registry/fit_series.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/registry/registry.hpp"
#include "methods/input_points.hpp"
#include "methods/shared_steps.hpp"
#include "registry/sweep_plan.hpp"

namespace isogon {

namespace {

class SweepRun {
public:
    SweepRun(const PointsView& x, const Method& method, const std::vector<SweepPoint>& points,
             const RunContext& context, const NeighborLists* lists)
        : x_(x), method_(method), context_(context), shared_(most_neighbors(method, points, x.count)) {
        extras_.neighbors = lists;
        extras_.shared = &shared_;
    }

    /// One row, shown to `visit` unless it is refused. Throws Interruption.
    void fit(const SweepPoint& point, bool exact_wanted, const std::function<void(const SweepFit&)>& visit,
             std::vector<SweepRow>& rows) {
        SweepRow row{.values = point.values};
        Embedding fitted;
        const Embedding* exact = nullptr;
        const LandmarkOptions landmarks = landmark_option_table().make(point.landmarks);
        try {
            row.seconds = shared_.seconds_beside([&] { fitted = embed(point.method, landmarks); });
            row.summary = fitted.summary;
            if (!fitted.summary.usable()) {
                row.refused = fitted.summary.message;
            } else if (exact_wanted) {
                exact = landmarks.landmarks == 0 ? &fitted : &exact_fit(point.method);
                row.exact_seconds = landmarks.landmarks == 0 ? row.seconds : exact_seconds_;
            }
        } catch (const InvalidArgument& error) {
            row.refused = error.text();
        } catch (const InputError& error) {
            row.refused = error.text();
        } catch (const LimitExceeded& error) {
            row.refused = error.text();
        }
        if (visit && row.refused.empty()) {
            visit({rows.size(), row, fitted, exact});
        }
        rows.push_back(std::move(row));
    }

    [[nodiscard]] const SharedSteps& shared() const { return shared_; }

private:
    [[nodiscard]] Embedding embed(const OptionValues& options, const LandmarkOptions& landmarks) {
        Embedding fitted =
            method_.embed(x_, options, context_, extras_, landmarks.landmarks == 0 ? nullptr : &landmarks);
        throw_if_interrupted(fitted.summary.termination);  // a part is not the fit of these options
        return fitted;
    }

    /// Kept for the next rows, which differ in landmarks first.
    [[nodiscard]] const Embedding& exact_fit(const OptionValues& options) {
        if (!exact_ || exact_options_ != options) {
            exact_.reset();
            Embedding fitted;
            exact_seconds_ = shared_.seconds_beside([&] { fitted = embed(options, {}); });
            if (!fitted.summary.usable()) {
                throw InputError("the exact fit", "", fitted.summary.message);
            }
            exact_ = std::move(fitted);
            exact_options_ = options;
        }
        return *exact_;
    }

    PointsView x_;
    const Method& method_;
    const RunContext& context_;
    SharedSteps shared_;
    FitExtras extras_{};
    std::optional<Embedding> exact_{};
    OptionValues exact_options_{};
    double exact_seconds_ = 0.0;
};

void tell(Sweep& result, std::size_t combinations) {
    const auto refused =
        std::count_if(result.rows.begin(), result.rows.end(), [](const SweepRow& row) { return !row.refused.empty(); });
    const std::size_t fitted = result.rows.size() - static_cast<std::size_t>(refused);
    result.summary.count("combinations", static_cast<double>(combinations));
    result.summary.count("fitted", static_cast<double>(fitted));
    result.summary.count("refused", static_cast<double>(refused));
    result.summary.message = std::to_string(fitted) + " of " + std::to_string(combinations) + " combinations fitted, " +
                             std::to_string(refused) + " refused";
}

}  // namespace

Sweep sweep(const PointsView& x, const SweepPlan& plan, const RunContext& context, const NeighborLists* lists,
            const std::function<void(const SweepFit&)>& visit) {
    static_cast<void>(sweep_option_specs(plan.method));
    const Method& method = find_method(plan.method);
    require_plan(method, plan);
    require_points(x, 1);
    const std::vector<SweepPoint> points = combinations(method, plan);
    const std::uint64_t held = require_memory(context, shared_bytes(method, points, x.count),
                                              "raise the limit, or leave out values of the grid");
    const RunContext rest = beside(context, held);

    Sweep result;
    result.summary.threads = context.thread_count();
    SweepRun run(x, method, points, rest, lists);
    try {
        for (const auto& point : points) {
            throw_if_cancelled(context);
            context.report({"combinations", result.rows.size(), points.size(), 0.0});
            run.fit(point, plan.exact, visit, result.rows);
        }
    } catch (const Interruption& interruption) {
        result.summary.termination = interruption.reason;
    }
    result.summary.seconds = run.shared().spent().seconds;
    tell(result, points.size());
    return result;
}

}  // namespace isogon
