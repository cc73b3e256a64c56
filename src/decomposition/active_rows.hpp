#pragma once
#include <vector>

#include "decomposition/relu_problem.hpp"
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

}  // namespace isogon
