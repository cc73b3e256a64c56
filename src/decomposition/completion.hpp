#pragma once
#include <optional>

#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"
#include "isogon/linalg/wide_panels.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

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

}  // namespace isogon
