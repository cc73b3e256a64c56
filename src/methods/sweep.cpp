#include "isogon/methods/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/methods/landmarks.hpp"
#include "methods/input_points.hpp"
#include "methods/shared_steps.hpp"
#include "methods/sweep.hpp"

namespace isogon {

namespace {

constexpr std::size_t most_combinations = 100000;

const OptionSpec* find(const std::vector<OptionSpec>& specs, std::string_view name) {
    const auto found =
        std::find_if(specs.begin(), specs.end(), [&](const OptionSpec& spec) { return spec.name == name; });
    return found == specs.end() ? nullptr : &*found;
}

const std::vector<OptionSpec>& landmark_specs() {
    static const std::vector<OptionSpec> specs = landmark_option_table().specs();
    return specs;
}

const OptionSpec& spec_of(const Method& method, const std::string& name) {
    if (const OptionSpec* spec = find(method.options, name)) {
        return *spec;
    }
    if (const OptionSpec* spec = find(landmark_specs(), name)) {
        return *spec;
    }
    std::string names;
    for (const auto& spec : sweep_option_specs(method.name)) {
        names += (names.empty() ? "" : ", ") + spec.name;
    }
    throw InvalidArgument("option", name, "the method " + method.name + " has no such option; it has " + names);
}

void require_axis(const Method& method, const SweepPlan& plan, const SweepAxis& axis) {
    const OptionSpec& spec = spec_of(method, axis.option);
    const auto same = [&](const SweepAxis& other) { return other.option == axis.option; };
    if (std::count_if(plan.axes.begin(), plan.axes.end(), same) > 1) {
        throw InvalidArgument("grid", axis.option, "is there twice; give all its values at once");
    }
    if (plan.options.contains(axis.option)) {
        throw InvalidArgument("grid", axis.option, "has a fixed value as well; leave out one of the two");
    }
    if (axis.values.empty()) {
        throw InvalidArgument("grid", axis.option, "has no values; give at least one");
    }
    for (const auto& value : axis.values) {
        check_option(spec, value);
    }
}

bool is_positive(const OptionValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr && *whole > 0;
}

bool any_landmarks(const SweepPlan& plan) {
    const auto fixed = plan.options.find("landmarks");
    return (fixed != plan.options.end() && is_positive(fixed->second)) ||
           std::any_of(plan.axes.begin(), plan.axes.end(), [](const SweepAxis& axis) {
               return axis.option == "landmarks" && std::any_of(axis.values.begin(), axis.values.end(), is_positive);
           });
}

/// Options that would change nothing are a mistake.
void require_landmarks_for(const std::string& name, const SweepPlan& plan) {
    if (name != "landmarks" && find(landmark_specs(), name) != nullptr && !any_landmarks(plan)) {
        throw InvalidArgument("option", name, "goes with landmarks, of which there are none; give their number");
    }
}

/// Those of the method first, then those of landmarks.
std::vector<SweepAxis> in_order(const Method& method, std::vector<SweepAxis> axes) {
    std::stable_partition(axes.begin(), axes.end(),
                          [&](const SweepAxis& axis) { return find(method.options, axis.option) != nullptr; });
    return axes;
}

SweepPoint point_of(const Method& method, const OptionValues& fixed, OptionValues values) {
    SweepPoint point;
    const auto sort_in = [&](const OptionValues& list) {
        for (const auto& [name, value] : list) {
            (find(method.options, name) != nullptr ? point.method : point.landmarks)[name] = value;
        }
    };
    sort_in(fixed);
    sort_in(values);
    point.values = std::move(values);
    return point;
}

std::uint64_t whole(const OptionValue& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

}  // namespace

std::vector<OptionSpec> sweep_option_specs(std::string_view method_name) {
    const Method& method = find_method(method_name);
    if (!method.embed_on_landmarks) {
        std::string names;
        for (const auto& other : methods()) {
            names += !other.embed_on_landmarks ? "" : (names.empty() ? "" : ", ") + other.name;
        }
        throw InvalidArgument("method", method.name, "has no sweep; it must be one of " + names);
    }
    std::vector<OptionSpec> specs = method.options;
    specs.insert(specs.end(), landmark_specs().begin(), landmark_specs().end());
    return specs;
}

void require_plan(const Method& method, const SweepPlan& plan) {
    for (const auto& [name, value] : plan.options) {
        check_option(spec_of(method, name), value);
        require_landmarks_for(name, plan);
    }
    if (plan.axes.empty()) {
        throw InvalidArgument("grid", "nothing", "name at least one option and its values");
    }
    std::size_t count = 1;
    for (const auto& axis : plan.axes) {
        require_axis(method, plan, axis);
        require_landmarks_for(axis.option, plan);
        if (axis.values.size() > most_combinations / count) {
            throw InvalidArgument("grid", "too many combinations",
                                  "must be at most " + std::to_string(most_combinations) + "; leave out some values");
        }
        count *= axis.values.size();
    }
}

std::vector<SweepPoint> combinations(const Method& method, const SweepPlan& plan) {
    std::vector<OptionValues> grid{{}};
    for (const auto& axis : in_order(method, plan.axes)) {
        std::vector<OptionValues> longer;
        for (const auto& values : grid) {
            for (const auto& value : axis.values) {
                longer.push_back(values);
                longer.back()[axis.option] = value;
            }
        }
        grid = std::move(longer);
    }
    std::vector<SweepPoint> points;
    points.reserve(grid.size());
    for (auto& values : grid) {
        points.push_back(point_of(method, plan.options, std::move(values)));
    }
    return points;
}

OptionValue option_of(const Method& method, const SweepPoint& point, std::string_view name) {
    for (const OptionValues* list : {&point.method, &point.landmarks}) {
        if (const auto given = list->find(name); given != list->end()) {
            return given->second;
        }
    }
    for (const auto* specs : {&method.options, &landmark_specs()}) {
        if (const OptionSpec* spec = find(*specs, name)) {
            return spec->default_value;
        }
    }
    return {};
}

Index most_neighbors(const Method& method, const std::vector<SweepPoint>& points, Index n) {
    std::uint64_t most = 0;
    for (const auto& point : points) {
        const std::uint64_t size = whole(option_of(method, point, "neighbors"));
        most = size < n ? std::max(most, size) : most;  // more are refused
    }
    return static_cast<Index>(most);
}

std::vector<MemoryItem> shared_bytes(const Method& method, const std::vector<SweepPoint>& points, Index n) {
    std::set<std::tuple<OptionValue, OptionValue, std::uint64_t>> searches;
    std::set<std::tuple<OptionValue, OptionValue, OptionValue, OptionValue, OptionValue, std::uint64_t>> weights;
    std::uint64_t lists_bytes = 0;
    std::uint64_t weights_bytes = 0;
    for (const auto& point : points) {
        const auto option = [&](const char* name) { return option_of(method, point, name); };
        const std::uint64_t size = whole(option("neighbors"));
        if (method.uses_neighbors && size < n && searches.emplace(option("metric"), option("seed"), size).second) {
            lists_bytes += std::uint64_t{n} * size * (sizeof(Index) + sizeof(float));
        }
        const std::uint64_t landmarks = whole(option("landmarks"));
        const std::uint64_t wished = whole(option("extension-neighbors"));
        const std::uint64_t mixed = std::min(wished == 0 ? whole(option("dimension")) + 1 : wished, landmarks);
        const bool formula = option("extension") == OptionValue(std::string("nystrom"));
        if (landmarks > 0 && landmarks < n && !formula &&
            weights
                .emplace(option("landmarks"), option("landmark-selection"), option("seed"), option("metric"),
                         option("extension-ridge"), mixed)
                .second) {
            weights_bytes += std::uint64_t{n} * (mixed * (sizeof(Index) + sizeof(double)) + sizeof(Offset));
        }
    }
    return {{"neighbours that fits share", lists_bytes}, {"weights towards landmarks that fits share", weights_bytes}};
}

namespace {

/// Throws Interruption if the context has ended a fit: a partial result is not the fit of its options.
void require_finished(const Embedding& fitted) {
    const Termination reason = fitted.summary.termination;
    if (reason == Termination::TimeLimit || reason == Termination::Cancelled) {
        throw Interruption{reason};
    }
}

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
            fitted = timed(row.seconds, [&] { return embed(point.method, landmarks); });
            row.summary = fitted.summary;
            if (!fitted.summary.usable()) {
                row.refused = fitted.summary.message;
            } else if (exact_wanted) {
                exact = landmarks.landmarks == 0 ? &fitted : &exact_fit(point.method);
                row.exact_seconds = landmarks.landmarks == 0 ? row.seconds : exact_seconds_;
            }
        } catch (const InvalidArgument& error) {
            row.refused = error.what();
        } catch (const InputError& error) {
            row.refused = error.what();
        } catch (const LimitExceeded& error) {
            row.refused = error.what();
        }
        if (visit && row.refused.empty()) {
            visit({rows.size(), row, fitted, exact});
        }
        rows.push_back(std::move(row));
    }

    [[nodiscard]] const SharedSteps& shared() const { return shared_; }

private:
    [[nodiscard]] Embedding embed(const OptionValues& options, const LandmarkOptions& landmarks) {
        Embedding fitted = landmarks.landmarks == 0
                               ? method_.embed_with(x_, options, context_, extras_)
                               : method_.embed_on_landmarks(x_, options, landmarks, context_, extras_);
        require_finished(fitted);
        return fitted;
    }

    template <class Fit>
    [[nodiscard]] Embedding timed(double& seconds, const Fit& fit) {
        const auto start = std::chrono::steady_clock::now();
        const double shared_before = shared_.seconds();
        Embedding fitted = fit();
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        seconds = std::max(0.0, passed.count() - (shared_.seconds() - shared_before));
        return fitted;
    }

    /// Kept for the next rows, which differ in landmarks first.
    [[nodiscard]] const Embedding& exact_fit(const OptionValues& options) {
        if (!exact_ || exact_options_ != options) {
            exact_.reset();
            Embedding fitted = timed(exact_seconds_, [&] { return embed(options, {}); });
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
