#include "transform/locally_linear_extension.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>

#include "core/finite_result.hpp"
#include "graph/components.hpp"
#include "graph/reconstruction_weights.hpp"
#include "isogon/core/error.hpp"
#include "linalg/conjugate_gradients.hpp"
#include "transform/extension_system.hpp"
#include "transform/landmark_mixtures.hpp"

namespace isogon {

namespace {

std::string number_text(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2g", value);
    return text.data();
}

/// The landmarks by ascending number, and their outputs in that order.
struct Landmarks {
    explicit Landmarks(const GivenRows& given) {
        std::vector<Index> order(given.rows.size());
        std::iota(order.begin(), order.end(), Index{0});
        std::sort(order.begin(), order.end(), [&](Index a, Index b) { return given.rows[a] < given.rows[b]; });
        std::transform(order.begin(), order.end(), std::back_inserter(places), [&](Index k) { return given.rows[k]; });
        outputs = read_rows(ViewRows(given.coordinates), order);
    }

    std::vector<Index> places;
    Points outputs;
};

/// The steps of one extension.
class Extension {
public:
    Extension(const PointsView& points, const Landmarks& landmarks, const LocallyLinearOptions& options,
              const RunContext& context)
        : points_(points),
          landmarks_(landmarks),
          options_(options),
          context_(context),
          inner_(already_stated(context)),
          lengths_(norms(points)) {}

    LocallyLinearExtension run(const NeighborLists& lists);

private:
    void solve(CsrMatrix<float> weights);
    void find_unreached(const CsrMatrix<float>& weights);
    void place_unreached();
    void tell(const ConjugateGradientResult& solution);

    PointsView points_;
    const Landmarks& landmarks_;
    const LocallyLinearOptions& options_;
    const RunContext& context_;
    RunContext inner_;
    std::vector<double> lengths_;
    LocallyLinearExtension result_;
};

LocallyLinearExtension Extension::run(const NeighborLists& lists) {
    Summary& summary = result_.summary;
    summary.threads = context_.thread_count();
    summary.count("landmarks", static_cast<double>(landmarks_.places.size()));
    summary.count("unknown", static_cast<double>(points_.count - landmarks_.places.size()));
    summary.count("zero_vectors", static_cast<double>(std::count(lengths_.begin(), lengths_.end(), 0.0)));
    summary.count("neighbors", lists.size);
    try {
        CsrMatrix<float> weights;
        {
            const PhaseTimer timer(summary, "weights");
            weights = reconstruction_weights(points_, lists, options_.ridge, inner_);
        }
        find_unreached(weights);
        result_.outputs = Points(points_.count, landmarks_.outputs.dimension());
        solve(std::move(weights));
        place_unreached();
    } catch (const Interruption& interruption) {
        summary.termination = interruption.reason;
        summary.message = "ended before all points had outputs";
        result_.outputs = Points();
        return std::move(result_);
    }
    for (std::size_t k = 0; k < landmarks_.places.size(); ++k) {
        const auto output = landmarks_.outputs[static_cast<Index>(k)];
        std::copy(output.begin(), output.end(), result_.outputs[landmarks_.places[k]].begin());
    }
    fail_unless_finite(result_.outputs, summary);
    return std::move(result_);
}

void Extension::find_unreached(const CsrMatrix<float>& weights) {
    result_.unreached = unreached_rows(weights, landmarks_.places);
    // A zero vector has no neighbours, but its output is known: zero.
    std::erase_if(result_.unreached, [&](Index i) { return lengths_[i] == 0.0; });
    const auto count = result_.unreached.size();
    result_.summary.count("unreached", static_cast<double>(count));
    if (count == 0) {
        return;
    }
    constexpr std::size_t most_named = 5;
    std::string names;
    for (std::size_t k = 0; k < std::min(count, most_named); ++k) {
        names += (k > 0 ? ", " : "") + std::to_string(result_.unreached[k]);
    }
    result_.summary.warn("no chain of neighbours joins " + std::to_string(count) + " of " +
                         std::to_string(points_.count) + " points to a landmark (rows " + names +
                         (count > most_named ? ", ..." : "") +
                         "); each was mixed from its nearest landmarks instead; take more neighbors, more landmarks or "
                         "another choice of them");
}

void Extension::solve(CsrMatrix<float> weights) {
    Summary& summary = result_.summary;
    const auto made = [&] {
        const PhaseTimer timer(summary, "system");
        return ExtensionSystem(std::move(weights), lengths_, landmarks_.places, landmarks_.outputs.view(), inner_);
    };
    const ExtensionSystem system = made();
    const PhaseTimer timer(summary, "solution");
    const ConjugateGradientResult solution = conjugate_gradients(
        system, system.right_side(), MultiVector<float>(system.size(), landmarks_.outputs.dimension()),
        {.tolerance = options_.tolerance, .iterations = options_.iterations}, inner_);
    system.write_outputs(solution.solution, result_.outputs);
    tell(solution);
}

void Extension::tell(const ConjugateGradientResult& solution) {
    Summary& summary = result_.summary;
    const double residual = solution.largest_residual();
    summary.termination = solution.termination;
    summary.count("iterations", solution.iterations);
    summary.measure("residual", residual);
    summary.message = "residual " + number_text(residual) + " after " + std::to_string(solution.iterations) +
                      " iterations, tolerance " + number_text(options_.tolerance);
    for (std::size_t k = 0; k < solution.course.size(); ++k) {
        summary.trace.push_back({.iteration = static_cast<int>(k) + 1, .objective = solution.course[k]});
    }
    if (solution.termination == Termination::IterationLimit) {
        summary.warn("the joint solution ended with a residual of " + number_text(residual) +
                     ", above the tolerance; allow more iterations or a larger ridge");
    } else if (solution.termination == Termination::Stalled) {
        summary.warn("the joint solution came no nearer than a residual of " + number_text(residual) +
                     ", above the tolerance; a larger ridge makes it easier");
    }
}

/// Outputs of points that eq. 27 does not determine, by weights to landmarks alone.
void Extension::place_unreached() {
    if (result_.unreached.empty()) {
        return;
    }
    const PhaseTimer timer(result_.summary, "unreached");
    const Points rows = read_rows(ViewRows(points_), result_.unreached);
    const Points inputs = read_rows(ViewRows(points_), landmarks_.places);
    const Points mixed = mix_landmark_outputs(rows.view(), {inputs.view(), landmarks_.outputs.view()},
                                              {.neighbors = options_.neighbors, .ridge = options_.ridge}, inner_);
    for (Index k = 0; k < mixed.count(); ++k) {
        std::copy(mixed[k].begin(), mixed[k].end(), result_.outputs[result_.unreached[k]].begin());
    }
}

}  // namespace

void require_extension_landmarks(Index points, const GivenRows& given) {
    const auto& [landmarks, outputs] = given;
    if (landmarks.empty() || outputs.dimension == 0) {
        throw InvalidArgument("landmarks", std::to_string(landmarks.size()),
                              "there must be at least one, with an output of at least one number");
    }
    if (landmarks.size() != outputs.count) {
        throw InvalidArgument("landmark outputs", std::to_string(outputs.count),
                              "must be " + std::to_string(landmarks.size()) + ", one for each landmark");
    }
    std::vector<bool> seen(points);
    for (const Index landmark : landmarks) {
        if (landmark >= points) {
            throw InvalidArgument("landmark", std::to_string(landmark),
                                  "must be below " + std::to_string(points) + ", the number of points");
        }
        if (seen[landmark]) {
            throw InvalidArgument("landmark", std::to_string(landmark), "is listed twice");
        }
        seen[landmark] = true;
    }
    require_finite(outputs, "landmark outputs");
}

const OptionTable<LocallyLinearOptions>& locally_linear_option_table() {
    static const OptionTable<LocallyLinearOptions> table =
        OptionTable<LocallyLinearOptions>()
            .integer("neighbors", &LocallyLinearOptions::neighbors,
                     {.minimum = 0, .maximum = most_reconstruction_neighbors},
                     "neighbours that a point is rebuilt from; 0: four times the dimension")
            .number("ridge", &LocallyLinearOptions::ridge, {.minimum = 0.0, .maximum = 1e6, .open = true},
                    "weight of the weights themselves: more makes them smaller and smoother")
            .number("tolerance", &LocallyLinearOptions::tolerance, {.minimum = 0.0, .maximum = 1.0, .open = true},
                    "the joint solution ends when every residual is that much shorter than its right side")
            .integer("iterations", &LocallyLinearOptions::iterations, {.minimum = 1},
                     "most iterations of the joint solution");
    return table;
}

Index locally_linear_neighbors(const LocallyLinearOptions& options, Index dimension, Index points) {
    const std::uint64_t requested =
        options.neighbors > 0 ? static_cast<std::uint64_t>(options.neighbors) : 4 * std::uint64_t{dimension};
    const std::uint64_t most_neighbors =
        std::min<std::uint64_t>(points > 1 ? points - 1 : 1, most_reconstruction_neighbors);
    return static_cast<Index>(std::min(requested, most_neighbors));
}

std::uint64_t locally_linear_bytes(const PointsView& points, const GivenRows& landmarks,
                                   const LocallyLinearOptions& options, const RunContext& context) {
    const Index n = points.count;
    const auto m = static_cast<Index>(landmarks.rows.size());
    const Index d = landmarks.coordinates.dimension;
    const Index neighbors = locally_linear_neighbors(options, d, n);
    const std::uint64_t outputs = std::uint64_t{n} * d * sizeof(float);
    const std::uint64_t weights = reconstruction_weights_bytes(n, n, points.dimension, neighbors, context);
    const std::uint64_t solution = ExtensionSystem::bytes(n, m, neighbors, d) + 4 * MultiVector<float>::bytes(n - m, d);
    return outputs + std::uint64_t{m} * d * sizeof(float) + std::max(weights, solution);
}

LocallyLinearExtension extend_locally_linearly(const PointsView& points, const GivenRows& landmarks,
                                               const NeighborLists& lists, const LocallyLinearOptions& options,
                                               const RunContext& context) {
    locally_linear_option_table().validate(options);
    require_extension_landmarks(points.count, landmarks);
    require_finite(points, "input");
    require_memory(context, {{"weights and joint solution", locally_linear_bytes(points, landmarks, options, context)}},
                   "raise the limit or take fewer neighbors");
    const Landmarks sorted(landmarks);
    const Index neighbors = locally_linear_neighbors(options, landmarks.coordinates.dimension, points.count);
    Extension extension(points, sorted, options, context);
    return lists.size == neighbors ? extension.run(lists) : extension.run(nearest_of(lists, neighbors));
}

}  // namespace isogon
