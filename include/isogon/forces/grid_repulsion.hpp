#pragma once
#include <memory>

#include "isogon/forces/repulsion.hpp"

namespace isogon {

/// In one and two dimensions, by way of a grid: points become charges on its nodes, sums over all pairs of nodes a
/// convolution, which Fourier transforms make a product, and forces are read between nodes (Linderman et al., "Fast
/// interpolation-based t-SNE", Nature Methods 2019; here with splines). Nodes are at most 0.4 apart, where the kernel
/// is 1 wide: forces are then within half a percent of the exact ones where points are sparse, a tenth of that where
/// they are dense, and Z within 1e-5. O(n) and a few transforms of four times as many numbers as the grid has nodes:
/// from some 3,000 points on that is less than all pairs take.
class GridRepulsion final : public Repulsion {
public:
    /// Throws InvalidArgument unless dimension is 1 or 2.
    GridRepulsion(Index points, Index dimension);
    ~GridRepulsion() override;

    /// Outputs that lie so far apart that the grid would have more than most_nodes(n) nodes along a side are pushed
    /// pair by pair. A grid that has to grow states its need first: throws LimitExceeded.
    double repel(const WideVectors& y, WideVectors& pushes, const RunContext& context) override;

    /// Along a side: enough for maps as t-SNE makes them, whose width grows as the root of n.
    [[nodiscard]] static std::size_t most_nodes(Index points);
    /// What it takes while outputs are close together. How wide a map becomes, nobody knows before; repel() states what
    /// a wider one takes, four planes of up to 3,072 x 3,072 numbers.
    [[nodiscard]] static std::uint64_t bytes(Index points, Index dimension);

private:
    struct Planes;
    std::unique_ptr<Planes> planes_;
};

}  // namespace isogon
