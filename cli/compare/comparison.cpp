#include "compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "compare/cached_runs.hpp"
#include "isogon/core/error.hpp"
#include "isogon/pairs/threshold.hpp"

namespace isogon::cli {

namespace {

/// "tsm, d = 8: what a summary warned of"
std::string told_of(const ComparedRow& row, const std::string& sentence) {
    return fmt::format("{}, d = {}: {}", row.name, row.dimension, sentence);
}

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
            find_same_run(contender.method, row);
            judge(fit.fitted.coordinates.view(), row);
            for (const auto& sentence : fit.fitted.summary.warnings) {
                result.warnings.push_back(told_of(row, sentence));
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
        throw_if_cancelled(session_.context());
        session_.context().report({"runs", result.rows.size(), result.wanted, 0.0});
    }

    /// Options may be spelled in two ways: then the second run is the first one, and not one of an earlier command.
    void find_same_run(const std::string& method, ComparedRow& row) {
        const auto same = std::find_if(done_.begin(), done_.end(), [&](const Done& one) {
            return one.method == method && one.row.options == row.options;
        });
        if (row.kept && same != done_.end()) {
            row.same_as = same->row.name;
            row.kept = same->row.kept;
        } else {
            done_.push_back({method, row});
        }
    }

    /// A method may embed the largest component only: then there is nothing to compare row by row. A score that is
    /// refused (over the memory limit, for instance) concerns its row alone.
    void judge(const PointsView& y, ComparedRow& row) {
        if (y.count != points_.count) {
            row.refused = fmt::format("gave {} of {} points coordinates, which cannot be compared with the others",
                                      y.count, points_.count);
            return;
        }
        try {
            row.score = runs_.score(y, plan_.labels, options_);
        } catch (const InvalidArgument& error) {
            row.refused = refused_score(error);
        } catch (const InputError& error) {
            row.refused = refused_score(error);
        } catch (const LimitExceeded& error) {
            row.refused = refused_score(error);
        }
    }

    static std::string refused_score(const Error& error) { return fmt::format("cannot be judged: {}", error.what()); }

    /// A fit that came to coordinates.
    struct Done {
        std::string method;
        ComparedRow row;  ///< unjudged
    };

    PointsView points_;
    const ComparisonPlan& plan_;
    ScoreOptions options_;
    CachedRuns& runs_;
    Session& session_;
    std::vector<Done> done_{};
};

/// Most of what a score warns of is true of the inputs, and so of every row: that is told once.
void tell_warnings_of_scores(Comparison& result) {
    std::vector<std::pair<std::string, std::vector<const ComparedRow*>>> told;
    std::size_t judged = 0;
    for (const auto& row : result.rows) {
        judged += row.score ? 1U : 0U;
        for (const auto& sentence : row.score ? row.score->summary.warnings : std::vector<std::string>()) {
            auto place = std::find_if(told.begin(), told.end(), [&](const auto& one) { return one.first == sentence; });
            if (place == told.end()) {
                place = told.insert(told.end(), {sentence, {}});
            }
            place->second.push_back(&row);
        }
    }
    for (const auto& [sentence, rows] : told) {
        if (rows.size() == judged) {
            result.warnings.push_back(sentence);
            continue;
        }
        for (const ComparedRow* row : rows) {
            result.warnings.push_back(told_of(*row, sentence));
        }
    }
}

/// Before the first fit, for it is no row's fault.
void require_neighbors(const ScoreOptions& options, Index count) {
    if (static_cast<Index>(options.neighbors) >= count) {
        throw InvalidArgument("--neighbors", std::to_string(options.neighbors),
                              fmt::format("must be below {}, the number of points that are compared", count));
    }
}

std::vector<FitRequest> fits_of(const ComparisonPlan& plan) {
    std::vector<FitRequest> wanted;
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
    tell_warnings_of_scores(result);
    result.summary.count("runs", static_cast<double>(result.wanted));
    result.summary.count("judged", static_cast<double>(judged));
    result.summary.count("refused", static_cast<double>(refused));
    result.summary.message = fmt::format("{} of {} runs judged, {} refused", judged, result.wanted, refused);
    result.summary.warnings = result.warnings;
}

}  // namespace

Comparison compare(const PointsView& points, const ComparisonPlan& plan, RunCache& cache, Session& session) {
    require_neighbors(plan.options, points.count);
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
        result.threshold = options.threshold;
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
