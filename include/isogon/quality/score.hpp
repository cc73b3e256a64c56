#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// How nearness is measured by trustworthiness, continuity and k-nn accuracy. Recall is always by cosine.
enum class Nearness { Euclidean, Cosine };

struct ScoreOptions {
    std::optional<double> threshold;          ///< cosine tau; empty: chosen for a sparsity of 99% from a sample
    int neighbors = 10;                       ///< k of recall@k, trustworthiness, continuity and k-nn accuracy
    Nearness nearness = Nearness::Euclidean;  ///< Euclidean as in scikit-learn
    int rank_rows = 20000;  ///< rows that the rank measures look at: all of them up to this number, else a sample
    std::uint64_t seed = 0;
};

[[nodiscard]] const OptionTable<ScoreOptions>& score_option_table();

/// How faithful coordinates y are to inputs x (mathematics page, section 9).
struct Score {
    double mean_angular_deviation_degrees = 0.0;  ///< over pairs with cos(x_i, x_j) > tau, the diagonal counted
    double jaccard = 0.0;                         ///< of the pairs above tau in x and in y, the diagonal counted
    double norm_deviation_mean = 0.0;             ///< of | |y|/|x| - 1 | over points that are not zero
    double norm_deviation_max = 0.0;
    double recall = 0.0;  ///< share of the k nearest by cosine in x that are among the k nearest in y
    double trustworthiness = 0.0;
    double continuity = 0.0;
    std::optional<double> knn_accuracy;  ///< leave-one-out in y, with labels only
    Index points = 0;
    double threshold = 0.0;
    double sparsity = 0.0;  ///< share of ordered pairs i != j of x at or below tau
    Index isolated = 0;     ///< points of x with no other point above tau
    Index zero_vectors = 0;
    Index rank_rows = 0;  ///< rows that recall, trustworthiness, continuity and accuracy were taken over
    int neighbors = 0;
    Summary summary;
};

/// Judges y against x: n rows each, in the same order. `labels` is empty or holds n class numbers.
/// Time O(n^2 (D + d)), memory O(n (D + d)); nothing n x n is ever held.
[[nodiscard]] Score score(const PointsView& x, const PointsView& y, std::span<const std::int64_t> labels,
                          const ScoreOptions& options = {}, const RunContext& context = {});

}  // namespace isogon
