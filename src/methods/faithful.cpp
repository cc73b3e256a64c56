#include "isogon/methods/faithful.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/core/random.hpp"
#include "isogon/decomposition/low_rank.hpp"
#include "isogon/decomposition/relu_decomposition.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/pairs/isolated_points.hpp"
#include "isogon/pairs/local_range.hpp"
#include "isogon/pairs/matching_problem.hpp"
#include "isogon/pairs/threshold.hpp"
#include "methods/checkpoints.hpp"
#include "methods/input_points.hpp"

namespace isogon {

namespace {

constexpr Index neighbors_of_isolated = 10;
constexpr int tsm_updates = 100;  // as a start; more cost as much as they save

void require_start(const PointsView& start, const DistributedPoints& x, int dimension) {
    if (start.empty()) {
        return;
    }
    if (start.count != x.count() || start.dimension != static_cast<Index>(dimension)) {
        throw InvalidArgument("start", std::to_string(start.count) + " points of " + std::to_string(start.dimension),
                              "must be " + std::to_string(x.count()) + " points of " + std::to_string(dimension) +
                                  " numbers, one for each input");
    }
    require_finite(start, "start");
}

void state_memory(const DistributedPoints& x, const FaithfulOptions& options, double density, bool checkpoints,
                  const RunContext& context) {
    const auto d = static_cast<Index>(options.dimension);
    const std::uint64_t start =
        options.start == FaithfulStart::Tsm ? ReluDecomposition::bytes(x.count(), {.rank = d}) : 0;
    // A checkpoint is a copy of the solver's state.
    const std::uint64_t solver = FaithfulPath::bytes(x.count(), d) * (checkpoints ? 2 : 1);
    require_memory(context,
                   {{"the weighted points", std::uint64_t{x.local().count} * x.dimension() * sizeof(float)},
                    {"the similarities", similarities_bytes(x.count(), x.dimension(), density, context)},
                    {"the solver", std::max(start, solver)},
                    {"the product of the inputs with themselves", std::uint64_t{x.dimension()} * x.dimension() * 48}},
                   "raise the limit, the threshold (fewer similarities) or embed fewer points");
}

/// S, with isolated points tied to their nearest neighbours.
Similarities prepare(const DistributedPoints& points, double tau, const RunContext& context, Summary& summary) {
    MatchingProblem problem = prepare_matching(points, tau, false, context, summary);
    const IsolatedSupport tied = support_isolated(points, isolated_points(problem.similarities, context),
                                                  neighbors_of_isolated, problem.similarities, context);
    summary.count("isolated_pairs", static_cast<double>(tied.added));
    if (tied.unreachable > 0) {
        summary.warn(std::to_string(tied.unreachable) +
                     " points lie 90 degrees or more from all others: nothing ties them to the rest");
    }
    return std::move(problem.similarities);
}

/// Coordinates drawn to the spheres; where there is no direction to keep, a random one.
MultiVector<float> on_spheres(const PointsView& coordinates, const std::vector<float>& lengths, std::uint64_t seed) {
    const std::vector<double> norms_of_start = norms(coordinates);
    MultiVector<float> start(coordinates.count, coordinates.dimension);
    for (Index i = 0; i < coordinates.count; ++i) {
        std::vector<double> row(coordinates[i].begin(), coordinates[i].end());
        double length = norms_of_start[i];
        Random random(seed, RandomStream::FaithfulStart, i);
        while (length == 0.0) {
            double square = 0.0;
            for (double& value : row) {
                value = random.normal();
                square += value * value;
            }
            length = std::sqrt(square);
        }
        for (std::size_t k = 0; k < row.size(); ++k) {
            start.row(i)[k] = static_cast<float>(row[k] * double{lengths[i]} / length);
        }
    }
    return start;
}

Points tsm_start(const Similarities& s, const Points& projections, const FaithfulOptions& options,
                 const RunContext& context) {
    const auto d = static_cast<Index>(options.dimension);
    const double tau = s.threshold;
    ReluDecomposition state(s, initial_matrix(projections, tau), {.rank = d, .seed = options.seed}, context);
    const Termination end = state.run_to(tsm_updates);
    if (end == Termination::TimeLimit || end == Termination::Cancelled) {
        throw Interruption{end};
    }
    return outputs_from_matrix(state.matrix(), tau, d, context).outputs;
}

/// Outputs of the lengths of the inputs; or [y_i, s_i] of length-1 inputs, for searching by inner product.
Points read_off(const FaithfulPath& path, const DistributedPoints& x, const std::vector<float>& lengths,
                FaithfulOutput output, const RunContext& context) {
    if (output == FaithfulOutput::Cosine) {
        Points outputs = path.outputs(context);
        set_norms(outputs, norms_of_all(x));
        return outputs;
    }
    Points lifted = path.lifted_outputs();
    for (Index i = 0; i < lifted.count(); ++i) {
        for (float& value : lifted[i]) {
            value = lengths[i] > 0.0F ? value / lengths[i] : 0.0F;
        }
    }
    return lifted;
}

void report(const FaithfulPath& path, Summary& summary) {
    summary.trace = path.trace();
    summary.count("violating_pairs", 0.5 * path.descent().value().violations);
    summary.count("relaxed", path.stage() == FaithfulStage::Relaxed ? 1.0 : 0.0);
    summary.count("strained", path.stage() == FaithfulStage::DampedSpheres ? 1.0 : 0.0);
    summary.measure("relative_residual", path.descent().relative_residual());
    if (path.trial_residual() >= 0.0) {
        summary.measure("residual_on_spheres", path.trial_residual());
    }
}

/// Three digits are enough for a sentence.
std::string rounded(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

std::string message_for(const FaithfulPath& path, const FaithfulOptions& options, Termination end) {
    std::string form = path.form() == FaithfulForm::Relaxed ? "in the relaxed form" : "on the spheres";
    if (path.stage() != FaithfulStage::Spheres) {
        form += ", since " + std::to_string(options.dimension) +
                " dimensions cannot hold these angles (residual after the trial " + rounded(path.trial_residual()) +
                ")";
    }
    const std::string count = std::to_string(path.trace().size());
    const std::string updates = count + " updates " + form;
    const std::string residual = ", |S - max(0, L)| / |S| = " + rounded(path.descent().relative_residual());
    switch (end) {
        case Termination::Converged:
            return "the residual changed by less than " + rounded(path.descent().tolerance()) +
                   " in each of ten updates after " + updates + residual;
        case Termination::IterationLimit: return "all " + count + " updates made " + form + residual;
        case Termination::Stalled: return "no step led further after " + updates + residual;
        case Termination::NumericalFailure: return "the residual became infinite after " + updates;
        default: return "ended after " + updates + residual;
    }
}

/// One run of the method, phase by phase; what it has reached stands in `result` when the context ends it.
class Run {
public:
    Run(DistributedPoints points, const FaithfulOptions& options, const RunContext& context, const FitExtras& extras,
        Checkpoints& checkpoints, Embedding& result)
        : points_(std::move(points)),
          options_(options),
          context_(context),
          extras_(extras),
          checkpoints_(checkpoints),
          result_(result),
          summary_(result.summary) {}

    template <class Work>
    auto phase(const char* name, const Work& work) {
        const PhaseTimer timer(summary_, name);
        return work();
    }

    void go() {
        choose_threshold_for();
        WeightedPoints weighted = weighted_points(points_, options_.weights == PairWeights::Unit, context_);
        const DistributedPoints points = points_.with(weighted.points.view());
        Points start = first_coordinates(points);
        const Similarities s =
            phase("similarities", [&] { return prepare(points, *options_.threshold, context_, summary_); });
        if (options_.start == FaithfulStart::Tsm && extras_.start.empty()) {
            start = phase("start", [&] { return tsm_start(s, start, options_, context_); });
        }
        weighted.points = Points();  // S is all that is needed of them from here on
        match(s, weighted.lengths, start);
    }

private:
    void choose_threshold_for() {
        const AngleHistograms chosen = phase("threshold", [&] {
            const ThresholdOptions sample{.seed = options_.seed};
            return options_.threshold ? describe_threshold(points_, *options_.threshold, sample, context_)
                                      : choose_threshold(points_, sample, context_);
        });
        options_.threshold = chosen.threshold;
        result_.options = faithful_option_table().values(options_);
        summary_.measure("threshold", chosen.threshold);
        state_memory(points_, options_, 1.0 - chosen.sparsity, bool{extras_.checkpoint}, context_);
    }

    /// Those of svd, or those given; also the best there is if the run ends before the matching begins.
    Points first_coordinates(const DistributedPoints& points) {
        if (!extras_.start.empty()) {
            Points start(extras_.start.count, extras_.start.dimension);
            for (Index i = 0; i < start.count(); ++i) {
                std::copy(extras_.start[i].begin(), extras_.start[i].end(), start[i].begin());
            }
            return start;
        }
        Points start = phase("svd", [&] {
            const auto d = static_cast<Index>(options_.dimension);
            return project(points, truncated_svd(points, d, context_), context_);
        });
        if (options_.output == FaithfulOutput::Cosine) {
            result_.coordinates = start;
            set_norms(result_.coordinates, norms_of_all(points_));
        }
        return start;
    }

    void match(const Similarities& s, const std::vector<float>& lengths, const Points& start) {
        const FaithfulPathOptions options{.favor = options_.favor,
                                          .off_support_weight = options_.off_support_weight,
                                          .iterations = options_.iterations,
                                          .tolerance = options_.tolerance};
        MultiVector<float> first = on_spheres(start.view(), lengths, options_.seed);
        std::unique_ptr<FaithfulPath> path;
        RunContext watched = context_;
        watched.on_iteration = [&](const Progress& progress) {
            context_.report(progress);
            if (path && progress.phase == "matching") {
                checkpoints_.take([&](Archive& archive) { path->save(archive); });
            }
        };
        const PhaseTimer timer(summary_, "matching");
        path = checkpoints_.resume() == nullptr
                   ? std::make_unique<FaithfulPath>(s, lengths, std::move(first), options, watched)
                   : std::make_unique<FaithfulPath>(s, lengths, std::move(first), options, *checkpoints_.resume(),
                                                    watched);
        finish(*path, path->run(), lengths);
    }

    void finish(const FaithfulPath& path, Termination end, const std::vector<float>& lengths) {
        summary_.termination = end;
        report(path, summary_);
        summary_.message = message_for(path, options_, end);
        if (end == Termination::Cancelled || end == Termination::TimeLimit) {
            checkpoints_.take([&](Archive& archive) { path.save(archive); }, true);
        }
        RunContext finishing = context_;  // reading the result of an interrupted run takes about a second
        finishing.stop = {};
        finishing.deadline.reset();
        if (summary_.usable()) {
            result_.coordinates = read_off(path, points_, lengths, options_.output, finishing);
        }
    }

    DistributedPoints points_;
    FaithfulOptions options_;
    const RunContext& context_;
    const FitExtras& extras_;
    Checkpoints& checkpoints_;
    Embedding& result_;
    Summary& summary_;
};

}  // namespace

const OptionTable<FaithfulOptions>& faithful_option_table() {
    static const OptionTable<FaithfulOptions> table =
        OptionTable<FaithfulOptions>()
            .integer("dimension", &FaithfulOptions::dimension, {.minimum = 1},
                     "numbers for each point; higher keeps more")
            .number("threshold", &FaithfulOptions::threshold, {.minimum = 0.0, .maximum = 1.0, .open = true},
                    "cosine above which angles must be kept; auto: the one that 1% of pairs exceed, lower where that "
                    "would leave more than a quarter of the points without a neighbour above it")
            .choice(
                "favor", &FaithfulOptions::favor,
                {{"neighbors", Favor::Neighbors}, {"balanced", Favor::Balanced}, {"angles", Favor::Angles}},
                "what to keep where the dimension is too low for everything: who is near whom, the size of angles, or "
                "both in part; all three agree where it is not")
            .choice("weights", &FaithfulOptions::weights, {{"unit", PairWeights::Unit}, {"norms", PairWeights::Norms}},
                    "unit: every pair counts alike; norms: by the squared lengths of its points, as in tsm")
            .number("balance", &FaithfulOptions::off_support_weight, {.minimum = 0.0},
                    "weight of pairs that must stay below the threshold against those above it; higher keeps strangers "
                    "apart; auto: 1, or 0.8 when angles are favoured in too few dimensions")
            .choice("start", &FaithfulOptions::start, {{"svd", FaithfulStart::Svd}, {"tsm", FaithfulStart::Tsm}},
                    "where the descent begins")
            .integer("iterations", &FaithfulOptions::iterations, {.minimum = 1},
                     "most updates, besides 30 on the spheres that decide on the form; more lower the residual")
            .number("tolerance", &FaithfulOptions::tolerance, {.minimum = 0.0},
                    "stop when ten updates in a row change the residual by a smaller share; 0: never")
            .choice(
                "output-for", &FaithfulOptions::output,
                {{"cosine", FaithfulOutput::Cosine}, {"inner-product", FaithfulOutput::InnerProduct}},
                "cosine: coordinates of the inputs' lengths; inner-product: one number more, for search engines (see "
                "docs/methods/faithful.md)")
            .integer("seed", &FaithfulOptions::seed, {.minimum = 0}, "of the threshold's sample and the start of tsm");
    return table;
}

Embedding faithful(const DistributedPoints& given, const FaithfulOptions& options, const RunContext& context,
                   const FitExtras& extras) {
    faithful_option_table().validate(options);
    require_points(given, options.dimension);
    require_same_on_all_ranks(given, faithful_option_table().values(options), context);
    const DistributedPoints x = distributed(given, context);
    require_start(extras.start, x, options.dimension);
    const PowerOfTwoScaling input(x, context);
    Checkpoints checkpoints("faithful", faithful_option_table().values(options), x, extras);
    Embedding result;
    result.summary.seed = options.seed;
    result.summary.threads = context.thread_count();
    result.options = faithful_option_table().values(options);
    try {
        Run(x.with(input.points()), options, context, extras, checkpoints, result).go();
    } catch (const Interruption& interruption) {
        result.summary.termination = interruption.reason;
        result.summary.message = result.coordinates.empty()
                                     ? "ended before there were any coordinates"
                                     : "ended before the matching began: these are the directions of svd";
    }
    if (options.output == FaithfulOutput::Cosine) {
        input.restore(result.coordinates);
    }
    return result;
}

Method faithful_method() {
    Method method{"faithful", "the equation itself: lengths exact, angles below acos(threshold) kept, at full size",
                  "Saul 2022, A geometrical connection between sparse and low-rank matrices and its application to "
                  "manifold learning, TMLR, eq. 2; solved on spheres by this project",
                  faithful_option_table().specs(),
                  [](const PointsView& x, const OptionValues& values, const RunContext& context) {
                      return faithful(x, faithful_option_table().make(values), context);
                  }};
    method.accepts_init = true;
    method.resumes = true;
    method.distributes_pairs = true;
    method.embed_distributed = [](const DistributedPoints& x, const OptionValues& values, const RunContext& context,
                                  const FitExtras& extras) {
        return faithful(x, faithful_option_table().make(values), context, extras);
    };
    method.embed_with = [](const PointsView& x, const OptionValues& values, const RunContext& context,
                           const FitExtras& extras) {
        return faithful(x, faithful_option_table().make(values), context, extras);
    };
    return method;
}

}  // namespace isogon
