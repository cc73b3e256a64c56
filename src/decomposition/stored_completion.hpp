#pragma once
#include "decomposition/completion.hpp"
#include "isogon/linalg/aligned_array.hpp"

namespace isogon {

/// An m x n matrix stored tile by tile: used only where S is so dense that this is a small multiple of S.
class TileArray {
public:
    TileArray(Index rows, Index columns);

    [[nodiscard]] double* tile(Index p, Index q) { return values_.data() + (p * column_panels_ + q) * tile_size; }
    [[nodiscard]] const double* tile(Index p, Index q) const { return const_cast<TileArray*>(this)->tile(p, q); }
    [[nodiscard]] std::size_t row_panels() const { return row_panels_; }
    [[nodiscard]] std::size_t column_panels() const { return column_panels_; }
    [[nodiscard]] static std::uint64_t bytes(Index rows, Index columns);
    static constexpr std::size_t tile_size = panel_width * panel_width;

private:
    std::size_t row_panels_;
    std::size_t column_panels_;
    AlignedArray<double> values_;
};

/// Z as the published codes store it, for accelerations with memory of all updates: they extrapolate from an
/// extrapolated Z, which is no sum of a few matrices of low rank.
class StoredCompletion : public Completion {
public:
    explicit StoredCompletion(const ReluProblem& problem);

    void fill(bool back, Index p, Index q, CompletionCursor& cursor, EntryTile& tile) const override;

    /// Z = P(latent) + beta (P(latent) - previous), P of eq. 5. `previous` may be this Z itself.
    void complete(const TileArray& latent, double beta, const StoredCompletion& previous, const RunContext& context);
    /// Copies another Z, where computing it twice takes longer than reading it.
    void hold(const Completion& other, const RunContext& context);
    /// Z += gamma (newer - older), off the support and where S is known (on it, Z is S).
    void add_difference(double gamma, const StoredCompletion& newer, const StoredCompletion& older,
                        const RunContext& context);
    [[nodiscard]] const TileArray& tiles() const { return z_; }
    /// |Z - latent|
    [[nodiscard]] double distance(const TileArray& latent, const RunContext& context) const;

private:
    TileArray z_;
};

/// latent = W H + beta (W H - previous); `previous` may be `latent` itself.
void extrapolate(const ReluFactors& factors, double beta, const TileArray& previous, TileArray& latent,
                 const RunContext& context);

}  // namespace isogon
