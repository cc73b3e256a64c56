#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/random.hpp"
#include "isogon/forces/output_kernel.hpp"

namespace isogon {

/// One moving output among fixed ones, and the edges that attract it.
struct SampledRow {
    static constexpr Index nobody = std::numeric_limits<Index>::max();

    float* own = nullptr;                ///< its coordinates, replaced by the new ones
    std::span<const Index> neighbors{};  ///< rows of the map
    std::span<const double> weights{};   ///< beside them, at least 0 and at most the heaviest
    Offset first_edge = 0;               ///< a number of its first edge, which tells in which epochs edges come
    Index self = nobody;                 ///< its own row of the map, which does not push it
};

/// A row's steps by samples, in float32. An edge comes in w / heaviest of the epochs, evenly spread, and brings a pull,
/// pushes by rows of the map drawn at random, and one more pull, as one of the other end's. Eight of these at a time
/// are worked out from one place, side by side in registers: each goes down the gradient of cost or gap_cost of the
/// kernel, every number of it cut at 4, as in umap-learn, before it is multiplied by the rate. Never NaN as long as
/// all numbers are below 1e15 in size.
class SampledSteps {
public:
    static constexpr std::size_t batch = 8;

    /// `map` must outlive this.
    SampledSteps(const OutputKernel& kernel, const PointsView& map, double heaviest, int negatives);

    /// All samples of one epoch. `random` gives what is drawn.
    void move(const SampledRow& row, int epoch, float rate, Random random);

private:
    void add(const float* other, bool pulls, float* own, float rate);
    void take(float* own, float rate);

    OutputKernel kernel_;
    PointsView map_;
    double shares_;  ///< what makes a weight a share of the epochs, in units of 2^-32
    int negatives_;
    std::size_t waiting_ = 0;
    std::vector<float> others_;  ///< of the samples that wait, number by number
    float pulls_[batch]{};       ///< 1 for a pull, 0 for a push
};

}  // namespace isogon
