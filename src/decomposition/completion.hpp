#pragma once
#include <optional>
#include <vector>

#include "decomposition/relu_factors.hpp"
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/packed_points.hpp"

namespace isogon {

/// exp(x^2) erfc(x), without overflow for x >= 0; relative error 1e-13. Infinite below about -26.
[[nodiscard]] double scaled_erfc(double x);

/// The mean of a normal variable of mean t and variance 1 given that it is below zero: t - rho(t) with
/// rho = sqrt(2 / pi) / erfcx(t / sqrt 2) (Saul 2022a, the E-step).
[[nodiscard]] double mean_below_zero(double t);

/// Its variance: 1 - (rho - t) rho, in [0, 1].
[[nodiscard]] double variance_below_zero(double t);

/// Replaces a tile of L, at the cursor's position, by the tile of Z: S on its support, below_zero(L) off it, L where S
/// is unknown.
template <class BelowZero>
void complete_tile(EntryTile& tile, CompletionCursor& cursor, Index first_column, const BelowZero& below_zero) {
    if (cursor.observed) {
        cursor.observed->visit(first_column,
                               [&](Index i, Index j, double /*value*/) { tile.at(i, j) = below_zero(tile.at(i, j)); });
    } else {
        for (double& value : tile.values) {
            value = below_zero(value);
        }
    }
    cursor.support.visit(first_column, [&](Index i, Index j, double s) { tile.at(i, j) = s; });
}

/// Z, the completion of S: a matrix that is available tile by tile, in both orientations. `back` selects the
/// transpose.
class Completion {
public:
    explicit Completion(const ReluProblem& problem) : problem_(problem) {}
    Completion(const Completion&) = delete;
    Completion& operator=(const Completion&) = delete;
    Completion(Completion&&) = delete;
    Completion& operator=(Completion&&) = delete;
    virtual ~Completion() = default;

    /// The tile of row panel p and column panel q. A sweep visits q = 0, 1, ... with one cursor.
    virtual void fill(bool back, Index p, Index q, CompletionCursor& cursor, EntryTile& tile) const = 0;
    [[nodiscard]] const ReluProblem& problem() const { return problem_; }

private:
    const ReluProblem& problem_;
};

/// Z v, or Z^T v. 2 m n columns operations besides the computation of the tiles. The columns of v are padded to a
/// multiple of 48.
[[nodiscard]] MultiVector<double> product(const Completion& z, bool back, const MultiVector<double>& v,
                                          const RunContext& context);

/// |Z|^2, of known and unknown entries.
[[nodiscard]] double squared_norm(const Completion& z, const RunContext& context);

/// One of the terms of L = sum of coefficient_t W_t H_t.
struct ReluTerm {
    const ReluFactors* factors = nullptr;
    double coefficient = 1.0;
};

/// Z of an L, computed tile by tile on every request: S on its support, L where S is unknown, and off the support
/// min(0, L) (eq. 5) or, with noise, the mean of a normal variable around L given that it is below zero
/// (mean_below_zero). m n rank multiplications a product; memory: the terms, packed.
class StreamedCompletion : public Completion {
public:
    StreamedCompletion(const ReluProblem& problem, const std::vector<ReluTerm>& terms, const RunContext& context,
                       double noise = 0.0);

    void fill(bool back, Index p, Index q, CompletionCursor& cursor, EntryTile& tile) const override;

    /// Sum over the entries off the support of the variance of a normal variable around L given that it is below zero;
    /// needs noise > 0.
    [[nodiscard]] double variance(const RunContext& context) const;

private:
    void latent_tile(bool back, Index p, Index q, EntryTile& tile) const;

    PackedRows left_;
    PackedRows right_;
    double noise_;
};

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

/// An orthonormal basis of the columns of v (Loewdin orthonormalisation, twice). Directions shorter than 1e-7 of the
/// longest become zero columns. O(n r^2) time.
[[nodiscard]] MultiVector<double> orthonormal_columns(const MultiVector<double>& v, const RunContext& context);

struct CompletionSvd {
    ReluFactors factors;        ///< W orthonormal times singular values, H^T orthonormal; `rank` columns
    MultiVector<double> right;  ///< rank + guard columns: a start for the next call
};

struct CompletionSvdOptions {
    Index rank = 1;
    double tolerance = 1e-7;  ///< on the relative change of |L|^2 by a round
    int most_rounds = 40;     ///< each takes two products with Z
};

/// The best approximation of Z of that rank, by subspace iteration with Rayleigh-Ritz from `start` (n x some columns).
/// After the first round the result is at least as near to Z as any L with rows in the span of `start`. Throws
/// Interruption.
[[nodiscard]] CompletionSvd completion_svd(const Completion& z, const MultiVector<double>& start,
                                           const CompletionSvdOptions& options, const RunContext& context);

/// `block` followed by `guard` random columns.
[[nodiscard]] MultiVector<double> with_guard(const MultiVector<double>& block, Index guard, std::uint64_t seed);

}  // namespace isogon
