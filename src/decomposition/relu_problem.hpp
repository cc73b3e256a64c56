#pragma once
#include <array>
#include <optional>

#include "decomposition/decompose.hpp"
#include "decomposition/relu_factors.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/packed_points.hpp"

namespace isogon {

/// S and the pattern of its observed entries, by rows, in one orientation.
struct ReluSide {
    CsrMatrix<double> s;                        ///< entries above zero only
    std::optional<CsrMatrix<double>> observed;  ///< known entries; empty: all of them

    [[nodiscard]] Index rows() const { return s.rows; }
    [[nodiscard]] Index columns() const { return s.columns; }
};

/// S ~ max(0, W H), in both orientations: updates of W read rows of S, updates of H its columns.
struct ReluProblem {
    ReluSide forward;
    ReluSide backward;
    double unit = 1.0;          ///< S was divided by this
    double squared_norm = 0.0;  ///< |S|^2 after the division

    /// m n
    [[nodiscard]] double entries() const {
        return static_cast<double>(forward.rows()) * static_cast<double>(forward.columns());
    }
    /// Entries that are known.
    [[nodiscard]] double known() const {
        return forward.observed ? static_cast<double>(forward.observed->entries()) : entries();
    }
    [[nodiscard]] const ReluSide& side(bool transposed) const { return transposed ? backward : forward; }
};

/// Validates and copies S: explicit zeros and entries outside `observed` are dropped. Every entry is divided by
/// `unit`; entries that underflow to zero are dropped. Throws InvalidArgument naming the first negative or infinite
/// entry; for a matrix without rows or columns or without an entry above zero; and if `observed` has another shape.
/// O(entries).
[[nodiscard]] ReluProblem relu_problem(const CsrMatrix<double>& s, const CsrMatrix<double>* observed,
                                       double unit = 1.0);

/// A power of four near the largest entry of S. After division by it the squares of S do not overflow float64 and its
/// products do not overflow float32, and every entry keeps its mantissa. 1 where no entry is above zero.
[[nodiscard]] double unit_of(const CsrMatrix<double>& s);

/// Both factors times a number.
[[nodiscard]] ReluFactors scaled(ReluFactors factors, double factor);

/// 48 x 48 entries of a matrix, column by column: entry (i, j) at j * 48 + i, as multiply_panels writes them. Entries
/// beyond the matrix are unspecified.
struct EntryTile {
    alignas(64) PanelTile<double> values;
    [[nodiscard]] double& at(std::size_t i, std::size_t j) { return values[j * panel_width + i]; }
};

/// Iterates over the sparse entries of 48 rows in tiles of 48 columns, from left to right, so that finding the
/// entries of a tile needs no search.
class TileCursor {
public:
    TileCursor(const CsrMatrix<double>& matrix, Index first_row);

    /// Calls visit(row within the tile, column within the tile, value) for the entries before column first_column + 48
    /// that were not visited before; to be called by ascending first_column.
    template <class Visit>
    void visit(Index first_column, const Visit& visit) {
        const std::size_t end = std::size_t{first_column} + panel_width;
        for (Index i = 0; i < rows_; ++i) {
            Offset& k = next_[i];
            for (; k < end_[i] && matrix_->indices[k] < end; ++k) {
                visit(i, matrix_->indices[k] - first_column, matrix_->values[k]);
            }
        }
    }

private:
    const CsrMatrix<double>* matrix_;
    Index rows_;
    std::array<Offset, panel_width> next_{};
    std::array<Offset, panel_width> end_{};
};

/// The position of a sweep along 48 rows, in S and in the pattern of its observed entries.
struct CompletionCursor {
    CompletionCursor(const ReluSide& side, Index first_row);
    TileCursor support;
    std::optional<TileCursor> observed;
};

/// Residuals of L = W H from one pass over all entries. Unobserved entries do not count.
struct ReluResiduals {
    double latent_squares = 0.0;  ///< |Z - L|^2, Z of eq. 5: (S - L)^2 on the support, max(0, L)^2 off it
    double output_squares = 0.0;  ///< |S - max(0, L)|^2
    double violations = 0.0;      ///< entries off the support with L_ij > 0
};

/// The residuals by tiles of 48 x 48, never m x n. m n r multiplications; memory: both factors packed.
[[nodiscard]] ReluResiduals relu_residuals(const ReluSide& side, const MultiVector<double>& left,
                                           const MultiVector<double>& right, const RunContext& context);

/// |Z - L|, the objective of the block and alternating algorithms: one pass over all entries.
[[nodiscard]] double latent_distance(const ReluProblem& problem, const ReluFactors& factors, const RunContext& context);

/// An iterative algorithm for S ~ max(0, W H).
class ReluUpdate {
public:
    ReluUpdate() = default;
    ReluUpdate(const ReluUpdate&) = delete;
    ReluUpdate& operator=(const ReluUpdate&) = delete;
    ReluUpdate(ReluUpdate&&) = delete;
    ReluUpdate& operator=(ReluUpdate&&) = delete;
    virtual ~ReluUpdate() = default;

    /// One update. Throws Interruption when the context ends the run; the factors then stay as they were.
    virtual void update() = 0;
    [[nodiscard]] virtual const ReluFactors& factors() const = 0;
    /// True once further updates would change nothing.
    [[nodiscard]] virtual bool at_rest() const { return false; }
};

/// The sizes that determine the memory of a run.
struct DecompositionSize {
    Index rows = 0;
    Index columns = 0;
    Offset entries = 0;  ///< entries of S
    Offset known = 0;    ///< entries of the pattern of observed entries

    [[nodiscard]] double all() const { return static_cast<double>(rows) * static_cast<double>(columns); }
};

[[nodiscard]] DecompositionSize size_of(const ReluProblem& problem);

/// Whether m x n arrays are stored. ReluHistory::Auto stores them where at least an eighth of the entries of S is
/// above zero.
[[nodiscard]] bool is_recursive(const DecompositionSize& size, ReluHistory history);

/// The largest active set that Gauss-Newton may hold.
[[nodiscard]] Offset active_capacity(const DecompositionSize& size);

/// States the memory of a run to the context; `starts`: the run computes its own start. Throws LimitExceeded.
void state_memory(const DecompositionSize& size, const DecomposeOptions& options, bool starts,
                  const RunContext& context);

}  // namespace isogon
