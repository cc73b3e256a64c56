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

/// Coordinates of new points by the forces of the fit with all fitted points fixed, as in umap-learn and openTSNE: each
/// row by itself, attracted by its nearest fitted points and repelled by the others. Random numbers are seeded by the
/// row's own values: the same bits in any batch. A row equal to a fitted one gets its coordinates, to several those of
/// the first. Method and options are those of the model. Borrows the arrays of the archive.
class FrozenMap {
public:
    /// Throws InputError for missing or inconsistent arrays, and options that the method does not have.
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

    /// Whether models of this method are placed this way.
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
