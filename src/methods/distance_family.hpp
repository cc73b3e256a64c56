#pragma once
#include "isogon/core/points.hpp"
#include "methods/kernel_family.hpp"

namespace isogon {

/// Throws InputError naming the first entry at fault unless the rows are a table of distances between as many points:
/// square, 0 on the diagonal, nowhere below 0 and, to float32's rounding, the same both ways. O(n^2).
void require_distance_table(const PointsView& distances);

/// Classical scaling of distances that are given, as a square table, instead of points: K = -1/2 d^2.
class DistanceFamily : public KernelFamily {
public:
    /// The table must have passed require_distance_table().
    DistanceFamily(const PointsView& distances, bool reduced) : KernelFamily(reduced), distances_(distances) {}

protected:
    void prepare(Summary& /*summary*/, const RunContext& /*context*/) override {}
    [[nodiscard]] Index size() const override { return distances_.count; }
    void rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const override;

private:
    PointsView distances_;
};

}  // namespace isogon
