#include "comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cached_runs.hpp"
#include "isogon/pairs/threshold.hpp"

namespace isogon::cli {

namespace {

class CompareRun {
public:
    CompareRun(const PointsView& points, const ComparisonPlan& plan, ScoreOptions options, CachedRuns& runs,
               Session& session)
        : points_(points), plan_(plan), options_(options), runs_(runs), session_(session) {}

    void fit(const Contender& contender, std::int64_t dimension, Comparison& result) {
        start(result);
        const CachedFit fit = runs_.fit(fit_of(contender, dimension));
        ComparedRow row{contender.name, role_of(contender.method), dimension};
        row.kept = fit.kept;
        row.refused = fit.refused;
        if (fit.refused.empty()) {
            row.seconds = fit.seconds;
            row.options = fit.fitted.options;
            row.termination = name(fit.fitted.summary.termination);
            judge(fit.fitted.coordinates.view(), row);
            for (const auto& sentence : fit.fitted.summary.warnings) {
                result.warnings.push_back(fmt::format("{}, d = {}: {}", contender.name, dimension, sentence));
            }
        }
        result.rows.push_back(std::move(row));
    }

    void file(const Elsewhere& one, Comparison& result) {
        start(result);
        ComparedRow row{one.name, SeriesRole::Other, one.y.points.dimension};
        row.file = one.file;
        judge(one.y.points, row);
        result.rows.push_back(std::move(row));
    }

private:
    void start(const Comparison& result) const {
        stop_if_asked(session_.context());
        session_.context().report({"runs", result.rows.size(), result.wanted, 0.0});
    }

    /// A method may embed the largest component only: then there is nothing to compare row by row.
    void judge(const PointsView& y, ComparedRow& row) {
        if (y.count != points_.count) {
            row.refused = fmt::format("gave {} of {} points coordinates, which cannot be compared with the others",
                                      y.count, points_.count);
            return;
        }
        row.score = runs_.score(y, plan_.labels, options_);
    }

    PointsView points_;
    const ComparisonPlan& plan_;
    ScoreOptions options_;
    CachedRuns& runs_;
    Session& session_;
};

std::vector<WantedFit> fits_of(const ComparisonPlan& plan) {
    std::vector<WantedFit> wanted;
    for (const std::int64_t dimension : plan.dimensions) {
        for (const auto& contender : plan.contenders) {
            wanted.push_back(fit_of(contender, dimension));
        }
    }
    return wanted;
}

void tell(Comparison& result) {
    const auto judged =
        std::count_if(result.rows.begin(), result.rows.end(), [](const auto& row) { return row.score.has_value(); });
    const auto refused = static_cast<std::ptrdiff_t>(result.rows.size()) - judged;
    result.summary.count("runs", static_cast<double>(result.wanted));
    result.summary.count("judged", static_cast<double>(judged));
    result.summary.count("refused", static_cast<double>(refused));
    result.summary.message = fmt::format("{} of {} runs judged, {} refused", judged, result.wanted, refused);
    result.summary.warnings = result.warnings;
}

}  // namespace

Comparison compare(const PointsView& points, const ComparisonPlan& plan, RunCache& cache, Session& session) {
    Comparison result;
    result.wanted = plan.contenders.size() * plan.dimensions.size() + plan.elsewhere.size();
    result.summary.threads = session.context().thread_count();
    result.summary.seed = plan.options.seed;
    CachedRuns runs(points, fits_of(plan), cache, session);
    try {
        ScoreOptions options = plan.options;
        if (!options.threshold) {  // once, instead of for each score anew
            options.threshold = choose_threshold(points, {.seed = options.seed}, session.context()).threshold;
        }
        result.threshold = *options.threshold;
        CompareRun run(points, plan, options, runs, session);
        for (const std::int64_t dimension : plan.dimensions) {
            for (const auto& contender : plan.contenders) {
                run.fit(contender, dimension, result);
            }
        }
        for (const auto& one : plan.elsewhere) {
            run.file(one, result);
        }
    } catch (const Interruption& interruption) {
        result.summary.termination = interruption.reason;
    }
    result.summary.seconds = runs.shared().seconds;
    tell(result);
    return result;
}

}  // namespace isogon::cli
