#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"
#include "isogon/linalg/wide_panels.hpp"

namespace isogon {

/// The entries that count (active_set.hpp) of up to 48 rows: how many in each row, and their columns, ascending, row
/// after row.
struct ActiveRows {
    std::vector<Offset> lengths;
    std::vector<Index> columns;
};

/// Those of rows 48 panel and following. `rows` and `columns` are the panels of factors.left and factors.right. Over
/// the observed entries only, where not all are. 48 n r multiplications, 4 bytes an entry.
[[nodiscard]] ActiveRows active_rows(const ReluSide& side, const ReluFactors& factors, const WidePanels& rows,
                                     const WidePanels& columns, Index panel);

/// Places in a matrix, by rows: the columns of row i, ascending.
struct EntryPattern {
    std::vector<Offset> offsets{0};
    std::vector<Index> columns;

    [[nodiscard]] Index rows() const { return static_cast<Index>(offsets.size() - 1); }
    [[nodiscard]] Offset entries() const { return columns.size(); }
    [[nodiscard]] std::span<const Index> row(std::size_t i) const {
        return {columns.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
};

/// The entries of L = W H that count at the present W and H: the support of S, and where L is above 0 off it. There
/// |Z - L|^2 is a sum of squares, of S - L and of 0 - L; elsewhere it is zero, and stays so for small changes. What L
/// should be is read from S, so an entry takes no more than its place, both ways round.
struct ActiveSet {
    EntryPattern forward;   ///< m rows
    EntryPattern backward;  ///< n rows

    [[nodiscard]] const EntryPattern& side(bool back) const { return back ? backward : forward; }
};

/// One pass over all entries (over the observed ones, where not all are). Empty if it would hold more than `capacity`
/// entries. m n r multiplications; 8 bytes an entry, 12 while it is made.
[[nodiscard]] std::optional<ActiveSet> active_set(const ReluSide& side, const ReluFactors& factors, Offset capacity,
                                                  const RunContext& context);

}  // namespace isogon
