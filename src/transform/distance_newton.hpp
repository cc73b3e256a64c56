#pragma once
#include <cstdint>
#include <span>

#include "linalg/multi_vector.hpp"

namespace isogon {

/// The term of one fitted point in the objective of a new one at a squared distance E: (scale (E - target))^2, if it is
/// none of the near ones only where E is below the target.
struct PlacementTerm {
    Index place = 0;      ///< of its output
    double target = 0.0;  ///< D, or R of others
    double scale = 0.0;   ///< 1 / max(D, floor), or sqrt(b) / R
    bool is_near = false;
};

/// Damped Newton steps of one new point among fixed ones, none of which increases the sum of its terms. With residuals
/// r = scale (E - target) of the active terms and z = y - y_j the gradient is 4 sum r scale z, and the Hessian 8 sum
/// scale^2 z z^T + 4 (sum r scale) I: a Gauss-Newton matrix and a multiple of the identity, to which the damping is
/// added (Levenberg and Marquardt). One object serves one thread: it keeps scratch memory, no state between points.
class DistanceNewton {
public:
    struct State {
        AlignedArray<double> y;  ///< padded with zeros, as outputs are
        int steps = 0;
        bool settled = false;  ///< a whole step would hardly lower the sum
    };

    /// `outputs` must outlive this.
    explicit DistanceNewton(const MultiVector<float>& outputs);

    /// A point at the origin.
    [[nodiscard]] State start() const { return {AlignedArray<double>(stride_)}; }
    /// Steps until the point has settled, `most` steps have been taken in all, or the next would lead farther than
    /// `reach` from where it is now. O(k d^2 + d^3) a step for k active terms.
    void advance(std::span<const PlacementTerm> terms, double reach, int most, State& state);
    /// The sum of the terms at y.
    [[nodiscard]] double value(std::span<const PlacementTerm> terms, const double* y);

    /// Bytes of scratch.
    [[nodiscard]] static std::uint64_t bytes(Index dimension);

private:
    void linearize(std::span<const PlacementTerm> terms, const double* y);
    [[nodiscard]] bool solve(double damping);

    [[nodiscard]] double* vector(std::size_t k) { return vectors_.data() + k * stride_; }
    [[nodiscard]] double* difference() { return vector(0); }
    [[nodiscard]] double* descent() { return vector(1); }  ///< minus a quarter of the gradient
    [[nodiscard]] double* step() { return vector(2); }
    [[nodiscard]] double* trial() { return vector(3); }
    [[nodiscard]] double* anchor() { return vector(4); }
    [[nodiscard]] double* none() { return vector(5); }     ///< zeros
    [[nodiscard]] double* scratch() { return vector(6); }  ///< two of them
    static constexpr std::size_t vectors_held = 8;
    static constexpr std::size_t gathered_at_once = 64;

    const MultiVector<float>& outputs_;
    Index dimension_;
    std::size_t stride_;
    AlignedArray<double> vectors_;
    AlignedArray<double> rows_;    ///< sqrt(2) scale z of active terms, some at a time
    AlignedArray<double> normal_;  ///< their products
    AlignedArray<double> factor_;
    double value_ = 0.0;
    double shift_ = 0.0;  ///< sum r scale
    double trace_ = 0.0;  ///< of normal_, a coordinate
};

}  // namespace isogon
