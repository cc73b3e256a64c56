#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"
#include "isogon/linalg/packed_points.hpp"

namespace isogon {

/// The active entries (see ActiveSet) of up to 48 rows: their number in each row, and their columns, ascending, row
/// after row.
struct ActiveRows {
    std::vector<Offset> lengths;
    std::vector<Index> columns;
};

/// The active entries of rows 48 panel to 48 panel + 47. `rows` and `columns` are the packed panels of factors.left
/// and factors.right. Where S is observed in part, only observed entries are tested. 48 n r multiplications, 4 bytes
/// an entry.
[[nodiscard]] ActiveRows active_rows(const ReluSide& side, const ReluFactors& factors, const PackedRows& rows,
                                     const PackedRows& columns, Index panel);

/// A sparsity pattern by rows: the columns of row i, ascending.
struct EntryPattern {
    std::vector<Offset> offsets{0};
    std::vector<Index> columns;

    [[nodiscard]] Index rows() const { return static_cast<Index>(offsets.size() - 1); }
    [[nodiscard]] Offset entries() const { return columns.size(); }
    [[nodiscard]] std::span<const Index> row(std::size_t i) const {
        return {columns.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
};

/// The entries of L = W H with a residual that depends on L: the support of S, and the entries off it with L > 0. On
/// this set |Z - L|^2 is a sum of squares, of S - L on the support and of 0 - L off it. All other entries contribute
/// zero, also after small changes of L. Targets are read from S, so an entry is stored as its position only, in both
/// orientations.
struct ActiveSet {
    EntryPattern forward;   ///< m rows
    EntryPattern backward;  ///< n rows

    [[nodiscard]] const EntryPattern& side(bool back) const { return back ? backward : forward; }
};

/// One pass over all entries (over the observed ones where S is observed in part). Empty if the set would exceed
/// `capacity` entries. m n r multiplications; 8 bytes an entry, 12 during construction.
[[nodiscard]] std::optional<ActiveSet> active_set(const ReluSide& side, const ReluFactors& factors, Offset capacity,
                                                  const RunContext& context);

}  // namespace isogon
