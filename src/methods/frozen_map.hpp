#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// New points in a map by forces whose fitted points stand still, as umap-learn and openTSNE place them: each row by
/// itself, pulled by its nearest among the fitted as these were in the fit and pushed by the others. What is drawn
/// follows from the row's own numbers: the same bits in any batch. A row equal to a fitted one gets its coordinates, to
/// several those of the first.
/// Knows how from the method and options of the model. Borrows the arrays of the archive.
class FrozenMap {
public:
    /// Throws InputError for arrays that are missing or do not belong together, and options that the method has not.
    explicit FrozenMap(const Archive& archive);
    ~FrozenMap();
    FrozenMap(FrozenMap&&) noexcept;
    FrozenMap& operator=(FrozenMap&&) noexcept;
    FrozenMap(const FrozenMap&) = delete;
    FrozenMap& operator=(const FrozenMap&) = delete;

    /// n m D operations for the neighbours, then of umap some thousand steps a row, of tsne some thirty sums over all
    /// m fitted points. Throws InputError for NaN, LimitExceeded, Interruption.
    [[nodiscard]] Points transform(const PointsView& rows, const RunContext& context) const;

    [[nodiscard]] Index input_dimension() const;
    [[nodiscard]] Index output_dimension() const;

    /// Whether models of this method are of this kind.
    [[nodiscard]] static bool serves(std::string_view method);
    /// What the constructor reads besides method and options.
    static void write(const PointsView& x, const PointsView& coordinates, Archive& archive);

private:
    class Placing;
    class ByPerplexity;
    class BySamples;

    [[nodiscard]] std::optional<Index> equal_to(std::span<const float> row) const;

    PointsView inputs_;
    PointsView coordinates_;
    std::unique_ptr<const Placing> placing_;
    std::vector<std::pair<std::uint64_t, Index>> digests_{};  ///< of the inputs, in order
};

}  // namespace isogon
