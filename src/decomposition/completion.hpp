#pragma once
#include <optional>
#include <vector>

#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"
#include "isogon/linalg/wide_panels.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// exp(x^2) erfc(x), without overflow for x >= 0; to 1e-13 of itself. Infinite below some -26.
[[nodiscard]] double scaled_erfc(double x);

/// The mean of a normal variable of mean t and variance 1 given that it is below zero: t - rho(t) with
/// rho = sqrt(2 / pi) / erfcx(t / sqrt 2) (Saul 2022a, the E-step).
[[nodiscard]] double mean_below_zero(double t);

/// Its variance: 1 - (rho - t) rho, in [0, 1].
[[nodiscard]] double variance_below_zero(double t);

/// Where a cursor along 48 rows stands in S and in the entries known of it.
struct CompletionCursor {
    CompletionCursor(const ReluSide& side, Index first_row);
    TileCursor support;
    std::optional<TileCursor> observed;
};

/// Turns a tile of L, at the cursor's place, into one of Z: S on its support, below_zero(L) off it, L where S is
/// unknown.
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

/// Z, the completion of S: a matrix known tile by tile, both ways round. `back` means its transpose.
class Completion {
public:
    explicit Completion(const ReluProblem& problem) : problem_(problem) {}
    Completion(const Completion&) = delete;
    Completion& operator=(const Completion&) = delete;
    Completion(Completion&&) = delete;
    Completion& operator=(Completion&&) = delete;
    virtual ~Completion() = default;

    /// The tile of row panel p and column panel q; a cursor begins at q = 0 and goes on by one.
    virtual void fill(bool back, Index p, Index q, CompletionCursor& cursor, EntryTile& tile) const = 0;
    [[nodiscard]] const ReluProblem& problem() const { return problem_; }

private:
    const ReluProblem& problem_;
};

/// Z v, or Z^T v. 2 m n columns operations besides the tiles'. v's columns are filled up to a multiple of 48.
[[nodiscard]] WideVectors product(const Completion& z, bool back, const WideVectors& v, const RunContext& context);

/// |Z|^2, of known and unknown entries.
[[nodiscard]] double squared_norm(const Completion& z, const RunContext& context);

/// One of the terms of L = sum of coefficient_t W_t H_t.
struct ReluTerm {
    const ReluFactors* factors = nullptr;
    double coefficient = 1.0;
};

/// Z of an L, made tile by tile whenever it is asked for: S on its support, L where S is not known, and off the support
/// min(0, L) (eq. 5), or, if there is noise, the mean of what lies below zero around L (gaussian_moments). m n rank
/// multiplications a product; memory: the terms, packed.
class StreamedCompletion : public Completion {
public:
    StreamedCompletion(const ReluProblem& problem, const std::vector<ReluTerm>& terms, const RunContext& context,
                       double noise = 0.0);

    void fill(bool back, Index p, Index q, CompletionCursor& cursor, EntryTile& tile) const override;

    /// Sum over the entries off the support of the variance of what lies below zero around L; needs noise.
    [[nodiscard]] double variance(const RunContext& context) const;

private:
    void latent_tile(bool back, Index p, Index q, EntryTile& tile) const;

    WidePanels left_;
    WidePanels right_;
    double noise_;
};

/// An orthonormal basis of the columns of v (Loewdin's, twice); directions shorter than 1e-7 of the longest leave zero
/// columns. O(n r^2) time.
[[nodiscard]] WideVectors orthonormal_columns(const WideVectors& v, const RunContext& context);

struct CompletionSvd {
    ReluFactors factors;  ///< W orthonormal times singular values, H^T orthonormal; `rank` columns
    WideVectors right;    ///< rank + guard columns, for the next one to begin at
};

struct CompletionSvdOptions {
    Index rank = 1;
    double tolerance = 1e-7;  ///< on the share of |L|^2 by which a round still changes it
    int most_rounds = 40;     ///< of two products with Z each
};

/// The best approximation of Z of that rank, by subspace iteration with Rayleigh-Ritz from `start` (n x some columns).
/// The first round already is at least as near to Z as any L whose rows lie in the span of `start`. Throws
/// Interruption.
[[nodiscard]] CompletionSvd completion_svd(const Completion& z, const WideVectors& start,
                                           const CompletionSvdOptions& options, const RunContext& context);

/// `block` and `guard` random columns beside it: what a first start lacks.
[[nodiscard]] WideVectors with_guard(const WideVectors& block, Index guard, std::uint64_t seed);

}  // namespace isogon
