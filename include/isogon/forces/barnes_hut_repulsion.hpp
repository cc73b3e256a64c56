#pragma once
#include "isogon/forces/repulsion.hpp"

namespace isogon {

/// In one to three dimensions, by way of boxes: a box of points that is narrow, as seen from a point, pushes as if all
/// were at their mean (van der Maaten, "Accelerating t-SNE using tree-based algorithms", JMLR 2014). Narrow is what is
/// less wide than `theta` times its distance; the error of forces goes as theta^2, and at 0.5 is some hundredths where
/// points are sparse and a tenth of that where they are dense. O(n log n), each point looking at some hundreds of
/// boxes: what serves in three dimensions, where a grid would have too many nodes.
class BarnesHutRepulsion final : public Repulsion {
public:
    static constexpr double usual_theta = 0.5;  ///< as in the paper's experiments

    /// Throws InvalidArgument unless dimension is 1, 2 or 3 and theta is at least 0 (all pairs) and at most 1.
    explicit BarnesHutRepulsion(Index dimension, double theta = usual_theta);

    double repel(const WideVectors& y, WideVectors& pushes, const RunContext& context) override;

    /// What it takes while it works.
    [[nodiscard]] static std::uint64_t bytes(Index points);

private:
    double theta_;
};

}  // namespace isogon
