#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "forces/sampled_layout.hpp"
#include "isogon/core/points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/transform/new_point_map.hpp"

namespace isogon {

/// How t-SNE places a row: down the divergence of its probabilities.
struct FrozenDivergence {
    double perplexity = 1.0;  ///< of the row's probabilities
    int neighbors = 1;        ///< among which they are
    Metric metric = Metric::Euclidean;
};

/// How UMAP places a row: by sampled steps.
struct FrozenSamples {
    SamplingOptions sampling{};
    int neighbors = 1;
    Metric metric = Metric::Euclidean;
};

/// Coordinates of new points by the forces of the fit with all fitted points fixed, as in umap-learn and openTSNE: each
/// row by itself, attracted by its nearest fitted points and repelled by the others. Random numbers are seeded by the
/// row's own values: the same bits in any batch. A row equal to a fitted one gets its coordinates, to several those of
/// the first.
///
/// n m D operations for the neighbours, then of UMAP some thousand steps a row, of t-SNE some thirty sums over all m
/// fitted points.
class FrozenMap final : public NewPointMap {
public:
    /// Inputs and coordinates of the fit, whose numbers are at most SampledLayout::largest_start in size, must outlive
    /// this. O(m D).
    using Forces = std::variant<FrozenDivergence, FrozenSamples>;
    FrozenMap(const PointsView& inputs, const PointsView& coordinates, const Forces& forces);

    [[nodiscard]] Index input_dimension() const override { return inputs_.dimension; }
    [[nodiscard]] Index output_dimension() const override { return coordinates_.dimension; }
    [[nodiscard]] Index fitted_count() const override { return coordinates_.count; }
    [[nodiscard]] std::string_view only_way() const override;

private:
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override;
    template <class SomeForces>
    [[nodiscard]] Points coordinates_by(const SomeForces& forces, const PointsView& rows, Summary& summary,
                                        const RunContext& context) const;
    [[nodiscard]] std::optional<Index> equal_to(std::span<const float> row) const;

    PointsView inputs_;
    PointsView coordinates_;
    Forces forces_;
    std::vector<std::pair<std::uint64_t, Index>> digests_{};  ///< of the inputs, in order
};

/// A map, whose numbers are at most SampledLayout::largest_start in size, and what attracts a row that comes into it.
struct MapAttraction {
    const PointsView& map;
    std::span<const Index> neighbors;  ///< rows of the map
    std::span<const double> weights;   ///< beside them, at least 0 and not all 0
};

// Optimises one output with all other outputs fixed. `place` is its start and receives the result.

/// UMAP's way, by the same samples as SampledLayout: a weight of 1 comes in every epoch. What is drawn is a function of
/// the options' seed, `stream` and the epoch. O(epochs weights negatives). Throws Interruption.
void settle_by_samples(const MapAttraction& attraction, const SamplingOptions& options, std::uint64_t stream,
                       std::vector<double>& place, const RunContext& context = {});

/// t-SNE's way: down KL(p || q) of this one row, q_l = k_l / sum_l k_l over the whole map, by steps to where its edges
/// alone would be in equilibrium, were weights p k and the pushes what they are; a step that does not go down is
/// halved. At most 30 values. Returns the last, less sum p log p. The weights are p and sum to 1. O(n) a value.
double settle_by_divergence(const MapAttraction& attraction, std::vector<double>& place);

}  // namespace isogon
