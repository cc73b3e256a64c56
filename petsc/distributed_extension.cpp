#include "distributed_extension.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "distributed/agreement.hpp"
#include "distributed_graph.hpp"
#include "distributed_matrix.hpp"
#include "graph/reconstruction_weights.hpp"
#include "isogon/core/error.hpp"
#include "least_squares.hpp"
#include "transform/landmark_mixtures.hpp"
#include "transform/locally_linear_extension.hpp"

namespace isogon {

namespace {

/// A rank's rows of eq. 27 (Saul 2022) as a least-squares problem K t = b: the rows of
/// src/transform/extension_system.hpp, columns not yet scaled. Unknown outputs are numbered in the order of points, so
/// that those of a rank's own points lie together and in its part of every vector.
class ExtensionRows {
public:
    /// Weights V of own rows; lengths of all points; landmarks ascending.
    ExtensionRows(const DistributedMatrix& weights, const std::vector<double>& lengths,
                  std::span<const Index> landmarks, const PointsView& landmark_outputs);

    /// Its b has a column for each number of an output.
    [[nodiscard]] LeastSquaresProblem problem() const { return {matrix_, static_cast<Index>(unknown_.size()), known_}; }
    /// Own points whose outputs are sought, ascending, by the numbers of all.
    [[nodiscard]] const std::vector<Index>& unknown() const { return unknown_; }

private:
    void append_row(const DistributedMatrix& weights, Index i);
    void add_known(const DistributedMatrix& weights, Index i, std::span<const Index> landmarks,
                   const PointsView& outputs);

    const std::vector<double>& lengths_;
    std::vector<Index> place_;  ///< for each point its place among the unknown, or among the landmarks
    std::vector<bool> is_unknown_;
    std::vector<Index> unknown_{};
    DistributedMatrix matrix_{};
    MultiVector<double> known_{};
};

ExtensionRows::ExtensionRows(const DistributedMatrix& weights, const std::vector<double>& lengths,
                             std::span<const Index> landmarks, const PointsView& landmark_outputs)
    : lengths_(lengths), place_(lengths.size()), is_unknown_(lengths.size(), true) {
    for (std::size_t k = 0; k < landmarks.size(); ++k) {
        is_unknown_[landmarks[k]] = false;
        place_[landmarks[k]] = static_cast<Index>(k);
    }
    Index count = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (is_unknown_[i]) {
            place_[i] = count++;
            if (i >= weights.first && i - weights.first < weights.rows.rows) {
                unknown_.push_back(static_cast<Index>(i));
            }
        }
    }
    matrix_ = {.all_rows = weights.all_rows, .first = weights.first};
    matrix_.rows = {.rows = weights.rows.rows, .columns = count};
    known_ = MultiVector<double>(weights.rows.rows, landmark_outputs.dimension);
    for (Index i = 0; i < weights.rows.rows; ++i) {
        append_row(weights, i);
        add_known(weights, i, landmarks, landmark_outputs);
    }
}

/// |x_i| (z_i - sum_j V_ij z_j), as far as z is unknown.
void ExtensionRows::append_row(const DistributedMatrix& weights, Index i) {
    const Index own = weights.first + i;
    std::vector<std::pair<Index, double>> row;
    const auto columns = weights.rows.row_indices(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (is_unknown_[columns[k]]) {
            row.emplace_back(place_[columns[k]], -lengths_[own] * weights.rows.row_values(i)[k]);
        }
    }
    if (is_unknown_[own]) {
        row.emplace_back(place_[own], lengths_[own]);
    }
    std::sort(row.begin(), row.end());
    for (const auto& [column, value] : row) {
        matrix_.rows.indices.push_back(column);
        matrix_.rows.values.push_back(value);
    }
    matrix_.rows.offsets.push_back(matrix_.rows.indices.size());
}

/// The rest, on the other side: |x_i| (sum over landmarks j of V_ij z_j, minus z_i if i is one).
void ExtensionRows::add_known(const DistributedMatrix& weights, Index i, std::span<const Index> landmarks,
                              const PointsView& outputs) {
    const Index own = weights.first + i;
    const auto add = [&](Index j, double factor) {
        // z of a landmark that is a zero vector is zero.
        const double length = lengths_[landmarks[place_[j]]];
        for (Index a = 0; a < outputs.dimension && length > 0.0; ++a) {
            known_.at(i, a) += lengths_[own] * factor * double{outputs[place_[j]][a]} / length;
        }
    };
    const auto columns = weights.rows.row_indices(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (!is_unknown_[columns[k]]) {
            add(columns[k], weights.rows.row_values(i)[k]);
        }
    }
    if (!is_unknown_[own]) {
        add(own, -1.0);
    }
}

void require_ascending(std::span<const Index> landmarks) {
    const auto before = std::adjacent_find(landmarks.begin(), landmarks.end(), std::greater<>());
    if (before != landmarks.end()) {
        throw InvalidArgument("landmark", std::to_string(*(before + 1)),
                              "comes after " + std::to_string(*before) + ": landmarks must ascend");
    }
}

/// The steps of one extension on one rank.
class Extension {
public:
    Extension(const ExtensionProblem& problem, const LocallyLinearOptions& options, const RankGroup& ranks,
              const RunContext& context)
        : points_(problem.points),
          lists_(problem.own_lists),
          landmarks_(problem.landmarks),
          outputs_(problem.landmark_outputs),
          options_(options),
          ranks_(ranks),
          context_(context),
          own_(ranks.own_part(points_.count())) {}

    DistributedExtension run(ExtensionSolver solver) {
        Summary& summary = result_.summary;
        summary.threads = context_.thread_count();
        try {
            look();
            find_unreached();
            result_.outputs = Points(static_cast<Index>(own_.size()), outputs_.dimension);
            solve(solver);
            place_unreached();
        } catch (const Interruption& interruption) {
            summary.termination = interruption.reason;
            summary.message = "ended before all points had outputs";
            result_.outputs = Points();
            return std::move(result_);
        }
        place_landmarks();
        on_all_ranks(ranks_, [&] { require_held(); });
        return std::move(result_);
    }

private:
    /// Weights of the own rows, and the lengths of all points over the longest.
    void look() {
        const PhaseTimer timer(result_.summary, "weights");
        CsrMatrix<float> weights;
        std::vector<double> own_lengths;
        on_all_ranks(ranks_, [&] {
            const Index k = locally_linear_neighbors(options_, outputs_.dimension, points_.count());
            if (lists_.count() != own_.size()) {
                throw InvalidArgument("neighbour lists", std::to_string(lists_.count()),
                                      "must be " + std::to_string(own_.size()) + ", one for each own point");
            }
            require_neighbor_lists(lists_, lists_.count(), points_.count(), SelfAllowed::Yes, "neighbour lists");
            const PointsOfLists known = points_of_lists(points_, nearest_of(lists_, k), own_);
            own_lengths = norms(known.own.view());
            weights =
                reconstruction_weights(known.own.view(), known.points.view(), known.lists, options_.ridge, context_);
            for (Index& column : weights.indices) {
                column = known.numbers[column];
            }
            weights.columns = points_.count();
        });
        weights_ = distributed(widen(std::move(weights)), points_.count(), ranks_);
        lengths_ = gathered(std::span<const double>(own_lengths), ranks_);
        const double longest = *std::max_element(lengths_.begin(), lengths_.end());
        std::transform(lengths_.begin(), lengths_.end(), lengths_.begin(),
                       [longest](double length) { return longest > 0.0 ? length / longest : 0.0; });
    }

    void find_unreached() {
        Summary& summary = result_.summary;
        result_.unreached = unreached_rows(weights_, landmarks_, ranks_);
        // A zero vector is joined to nothing, and has its output all the same.
        std::erase_if(result_.unreached, [&](Index i) { return lengths_[i] == 0.0; });
        summary.count("landmarks", static_cast<double>(landmarks_.size()));
        summary.count("unknown", static_cast<double>(points_.count() - landmarks_.size()));
        summary.count("zero_vectors", static_cast<double>(std::count(lengths_.begin(), lengths_.end(), 0.0)));
        summary.count("unreached", static_cast<double>(result_.unreached.size()));
        if (!result_.unreached.empty()) {
            summary.warn("no chain of neighbours joins " + std::to_string(result_.unreached.size()) + " of " +
                         std::to_string(points_.count()) +
                         " points to a landmark; each was mixed from its nearest landmarks instead; take more "
                         "neighbors, more landmarks or another choice of them");
        }
    }

    void solve(ExtensionSolver solver) {
        const ExtensionRows rows(weights_, lengths_, landmarks_, outputs_);
        weights_ = {};
        const PhaseTimer timer(result_.summary, "solution");
        const LeastSquares solution = least_squares(rows.problem(),
                                                    {.tolerance = options_.tolerance,
                                                     .iterations = options_.iterations,
                                                     .factor = solver == ExtensionSolver::Factor},
                                                    ranks_, context_);
        for (std::size_t u = 0; u < rows.unknown().size(); ++u) {
            const Index i = rows.unknown()[u];
            for (Index a = 0; a < outputs_.dimension; ++a) {
                result_.outputs[own_place(i)][a] = static_cast<float>(solution.solution.at(u, a) * lengths_[i]);
            }
        }
        tell(solution);
    }

    void tell(const LeastSquares& solution) {
        Summary& summary = result_.summary;
        summary.termination = solution.termination;
        summary.count("iterations", solution.iterations);
        summary.count("factored", solution.factored ? 1.0 : 0.0);
        summary.measure("residual", solution.largest_residual());
        if (solution.termination == Termination::IterationLimit || solution.termination == Termination::Stalled) {
            summary.warn(
                "the joint solution ended with a residual above the tolerance; allow more iterations, a "
                "larger ridge, or a factor");
        }
    }

    /// Places the points that eq. 27 does not determine, by weights to landmarks alone.
    void place_unreached() {
        std::vector<Index> own;
        std::copy_if(result_.unreached.begin(), result_.unreached.end(), std::back_inserter(own),
                     [&](Index i) { return i >= own_.begin && i < own_.end; });
        on_all_ranks(ranks_, [&] {
            if (own.empty()) {
                return;
            }
            const Points rows = read_rows(points_, own);
            const Points inputs = read_rows(points_, landmarks_);
            const Points mixed =
                mix_landmark_outputs(rows.view(), {inputs.view(), outputs_},
                                     {.neighbors = options_.neighbors, .ridge = options_.ridge}, context_);
            for (Index k = 0; k < mixed.count(); ++k) {
                std::copy(mixed[k].begin(), mixed[k].end(), result_.outputs[own_place(own[k])].begin());
            }
        });
    }

    void place_landmarks() {
        for (std::size_t k = 0; k < landmarks_.size(); ++k) {
            if (landmarks_[k] >= own_.begin && landmarks_[k] < own_.end) {
                const auto output = outputs_[static_cast<Index>(k)];
                std::copy(output.begin(), output.end(), result_.outputs[own_place(landmarks_[k])].begin());
            }
        }
    }

    void require_held() const {
        for (Index i = 0; i < result_.outputs.count(); ++i) {
            const auto output = result_.outputs[i];
            if (!std::all_of(output.begin(), output.end(), [](float value) { return std::isfinite(value); })) {
                throw InputError("input", "row " + std::to_string(own_.begin + i),
                                 "its output is beyond the largest number of float32: it is too long beside the "
                                 "landmarks");
            }
        }
    }

    [[nodiscard]] Index own_place(Index i) const { return i - static_cast<Index>(own_.begin); }

    const RowSource& points_;
    const NeighborLists& lists_;
    std::span<const Index> landmarks_;
    PointsView outputs_;
    const LocallyLinearOptions& options_;
    RankGroup ranks_;
    const RunContext& context_;
    Range own_;
    DistributedMatrix weights_{};
    std::vector<double> lengths_{};
    DistributedExtension result_{};
};

}  // namespace

DistributedExtension extend_distributed(const ExtensionProblem& problem, const LocallyLinearOptions& options,
                                        ExtensionSolver solver, const RankGroup& ranks, const RunContext& context) {
    locally_linear_option_table().validate(options);
    on_all_ranks(ranks, [&] {
        require_extension_landmarks(problem.points.count(), {problem.landmarks, problem.landmark_outputs});
        require_ascending(problem.landmarks);
    });
    return Extension(problem, options, ranks, context).run(solver);
}

}  // namespace isogon
