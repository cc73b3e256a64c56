#include "isogon/pairs/tiled_sparse_matrix.hpp"

#include <algorithm>

#include "isogon/core/parallel.hpp"
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

TiledSparseMatrix::TiledSparseMatrix(const CsrMatrix<float>& upper)
    : panels_(block_count(upper.rows, tile_width)),
      offsets_(panels_ * (panels_ + 1) / 2 + 1),
      places_(upper.entries()),
      values_(upper.entries()) {
    for (Index p = 0; p < panels_; ++p) {
        order_panel(upper, p);
    }
}

/// The entries of 48 rows stay in their range of the arrays: only their order changes.
void TiledSparseMatrix::order_panel(const CsrMatrix<float>& upper, Index panel) {
    const auto rows = block_range(panel, upper.rows, tile_width);
    Offset* ends = offsets_.data() + tile_number(panel, panel) + 1;  // of this panel's tiles
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        for (const Index j : upper.row_indices(static_cast<Index>(i))) {
            ++ends[j / tile_width - panel];
        }
    }
    std::vector<Offset> next(panels_ - panel);
    Offset sum = upper.offsets[rows.begin];
    for (std::size_t q = 0; q < next.size(); ++q) {
        next[q] = sum;
        sum += ends[q];
        ends[q] = sum;
    }
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const auto columns = upper.row_indices(static_cast<Index>(i));
        const auto values = upper.row_values(static_cast<Index>(i));
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const Offset slot = next[columns[k] / tile_width - panel]++;
            places_[slot] = static_cast<std::uint16_t>((i - rows.begin) << tile_place_shift | columns[k] % tile_width);
            values_[slot] = values[k];
        }
    }
}

std::uint64_t TiledSparseMatrix::bytes(Index count, Offset entries) {
    const std::uint64_t panels = block_count(count, tile_width);
    return entries * (sizeof(std::uint16_t) + sizeof(float)) + panels * (panels + 1) / 2 * sizeof(Offset);
}

}  // namespace isogon
