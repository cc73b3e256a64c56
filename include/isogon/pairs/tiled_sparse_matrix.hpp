#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// A sparse symmetric matrix (its entries i < j) in the order in which a pass over all pairs meets them: tile by tile,
/// and row by row within a tile. Read from compressed rows, a tile of 48 x 48 touches 48 places far apart in memory,
/// which took a quarter of a pass at d = 16. Memory: 6 bytes an entry, 8 bytes a tile (n^2 / 288).
class TiledSparseMatrix {
public:
    /// The entries of one tile: row * 64 + column, ascending, and their values.
    struct Tile {
        const std::uint16_t* places = nullptr;
        const float* values = nullptr;
        std::size_t count = 0;
    };

    /// `upper` holds entries i < j. O(entries + tiles) time.
    explicit TiledSparseMatrix(const CsrMatrix<float>& upper);

    /// The entries where panel `row` of 48 points meets panel `column`, row <= column.
    [[nodiscard]] Tile tile(Index row, Index column) const {
        const std::size_t t = tile_number(row, column);
        return {places_.data() + offsets_[t], values_.data() + offsets_[t],
                static_cast<std::size_t>(offsets_[t + 1] - offsets_[t])};
    }

    [[nodiscard]] static std::uint64_t bytes(Index count, Offset entries);

private:
    /// Of the tiles on and above the diagonal, row by row.
    [[nodiscard]] std::size_t tile_number(Index row, Index column) const {
        return std::size_t{row} * panels_ - std::size_t{row} * (std::size_t{row} + 1) / 2 + column;
    }
    void order_panel(const CsrMatrix<float>& upper, Index panel);

    std::size_t panels_ = 0;
    std::vector<Offset> offsets_;
    std::vector<std::uint16_t> places_;
    std::vector<float> values_;
};

}  // namespace isogon
