#include "methods/linear.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/power_of_two_scaling.hpp"
#include "isogon/core/error.hpp"
#include "linalg/nonnegative_factorization.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "transform/projection_map.hpp"

namespace isogon {

namespace {

void state_memory(const PowerOfTwoScaling& input, const NmfOptions& options, const RunContext& context) {
    const PointsView x = input.points();
    const auto d = static_cast<Index>(options.dimension);
    std::vector<MemoryItem> items{{"the points in another unit of length", input.bytes()},
                                  {"the factors", NonnegativeFactorization::bytes(x.count, x.dimension, d)},
                                  {"the coordinates", std::uint64_t{x.count} * (d * sizeof(float) + sizeof(double))}};
    if (options.start == NmfStart::Svd) {
        items.push_back({"the start", nonnegative_svd_start_bytes(x.count, x.dimension, d)});
    }
    require_memory(context, items, "raise the limit, or use start = random");
}

MultiVector<float> start_of(const PointsView& x, const NmfOptions& options, const RunContext& context) {
    const auto d = static_cast<Index>(options.dimension);
    return options.start == NmfStart::Svd ? nonnegative_svd_start(x, d, options.seed, context)
                                          : nonnegative_random_start(x.dimension, d, options.seed);
}

/// Columns by descending length; zero and equal ones in the order they have.
std::vector<Index> by_length(const PointsView& weights) {
    std::vector<double> squares(weights.dimension);
    for (Index i = 0; i < weights.count; ++i) {
        for (Index k = 0; k < weights.dimension; ++k) {
            squares[k] += double{weights[i][k]} * double{weights[i][k]};
        }
    }
    std::vector<Index> order(weights.dimension);
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return squares[a] > squares[b]; });
    return order;
}

MultiVector<float> reordered(const MultiVector<float>& parts, const std::vector<Index>& order) {
    MultiVector<float> result(parts.rows(), parts.columns());
    for (std::size_t i = 0; i < parts.rows(); ++i) {
        for (std::size_t k = 0; k < order.size(); ++k) {
            result.row(i)[k] = parts.row(i)[order[k]];
        }
    }
    return result;
}

void reorder(Points& coordinates, const std::vector<Index>& order) {
    std::vector<float> before(order.size());
    for (Index i = 0; i < coordinates.count(); ++i) {
        const auto row = coordinates[i];
        std::copy(row.begin(), row.end(), before.begin());
        std::transform(order.begin(), order.end(), row.begin(), [&](Index k) { return before[k]; });
    }
}

/// The coordinates that transform() would give, columns in descending order of length, and what is left of X.
void read_off(const PointsView& x, const MultiVector<float>& unordered, const RunContext& context, Embedding& result) {
    NonnegativeProjection::Result best = NonnegativeProjection(unordered).project(x, context);
    const std::vector<Index> order = by_length(best.coordinates.view());
    const MultiVector<float> parts = reordered(unordered, order);
    reorder(best.coordinates, order);
    const double left = squared_distance_to_product(x, best.coordinates.view(), parts, context);
    const std::vector<double> lengths = norms(x);
    const double all = std::inner_product(lengths.begin(), lengths.end(), lengths.begin(), 0.0);
    result.coordinates = std::move(best.coordinates);
    result.nonnegative_map = NonnegativeProjection(parts).arrays();
    result.summary.count("unsettled", best.unsettled);
    result.summary.measure("relative_residual", all > 0.0 ? std::sqrt(left / all) : 0.0);
}

std::string message_for(const Summary& summary, const NmfOptions& options) {
    const std::string updates = std::to_string(summary.trace.size()) + " updates";
    const std::string residual = ", |X - W H| / |X| = " + rounded(summary.value("relative_residual"));
    switch (summary.termination) {
        case Termination::Converged:
            return "the residual fell by less than " + to_text(options.tolerance) +
                   " of itself in each of ten updates, or to rounding, after " + updates + residual;
        case Termination::IterationLimit: return "all " + updates + " made" + residual;
        default: return "ended after " + updates + residual;
    }
}

/// Updates compare squares of float32 products, so components below the square root of their rounding may be missed.
void warn_about_remaining(double seen_residual, Summary& summary) {
    constexpr double resolved = 3e-4;
    constexpr double nothing = 3e-7;  // some roundings of float32
    const double left = summary.value("relative_residual");
    if (seen_residual < resolved && left > nothing) {
        summary.warn(rounded(left) + " of |X| is left, and below " + to_text(resolved) +
                     " updates cannot tell it from rounding: structure as small as that may be missing; subtract what "
                     "all points have (the least value of each column) and fit again");
    }
}

/// HALS from a start; an interrupted run still returns its current factors.
void factorize(const PowerOfTwoScaling& input, const NmfOptions& options, const RunContext& context,
               Embedding& result) {
    Summary& summary = result.summary;
    const PointsView x = input.points();
    const auto phase = [&](const char* name, auto&& work) {
        const PhaseTimer timer(summary, name);
        return work();
    };
    MultiVector<float> start = phase("start", [&] { return start_of(x, options, context); });
    NonnegativeFactorization state(x, std::move(start), context);
    try {
        summary.termination = phase("factorization", [&] {
            return state.run({options.iterations, options.tolerance});
        });
    } catch (const Interruption& interruption) {
        summary.termination = interruption.reason;
    }
    summary.trace = state.trace();
    const RunContext finishing = uninterrupted(context);  // reading the result of an interrupted run takes a second
    phase("coordinates",
          [&] { read_off(x, reordered(state.parts(), by_length(state.weights().view())), finishing, result); });
    warn_about_remaining(state.relative_residual(), summary);
    input.restore(result.coordinates);
}

}  // namespace

const OptionTable<NmfOptions>& nmf_option_table() {
    static const OptionTable<NmfOptions> table =
        OptionTable<NmfOptions>()
            .integer("dimension", &NmfOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more")
            .integer("iterations", &NmfOptions::iterations, {.minimum = 1},
                     "most updates of both factors; more lower the residual")
            .number("tolerance", &NmfOptions::tolerance, {.minimum = 0.0},
                    "stop when ten updates in a row make |X - W H| fall by a smaller share of itself; 0: never")
            .choice("start", &NmfOptions::start, {{"svd", NmfStart::Svd}, {"random", NmfStart::Random}},
                    "svd: from halves of the singular directions (NNDSVD); random: another seed, another result")
            .integer("seed", &NmfOptions::seed, {.minimum = 0},
                     "of the random start, and of parts for which the data has no singular direction");
    return table;
}

Embedding nmf(const PointsView& x, const NmfOptions& options, const RunContext& context) {
    nmf_option_table().validate(options);
    require_points(x, options.dimension);
    require_nonnegative(x);
    const PowerOfTwoScaling input(x, context);
    state_memory(input, options, context);
    Embedding result = unfitted(nmf_option_table().values(options), options.seed, context);
    run_steps(result, [&] {
        factorize(input, options, context, result);
        result.summary.message = message_for(result.summary, options);
    });
    return result;
}

Method nmf_method() {
    return method_entry({.name = "nmf",
                         .title = "nonnegative matrix factorisation: points as mixtures of parts, nothing negative",
                         .source = "Lee and Seung 1999; HALS: Cichocki and Phan 2009, Gillis and Glineur 2012"},
                        nmf_option_table(), nmf);
}

}  // namespace isogon
