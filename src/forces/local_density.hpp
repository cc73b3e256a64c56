#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "forces/output_kernel.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// The density term of densMAP (Narayan, Berger and Cho, "Assessing single-cell transcriptomic variability through
/// density-preserving data visualization", Nature Biotechnology 2021): the correlation over the points of the log local
/// radii of inputs and outputs, where the radius of output i is sum_k phi_ik |y_i - y_k|^2 / sum_k phi_ik over its
/// edges, and phi the output kernel.
class LocalDensity {
public:
    /// `edges`: symmetric; `log_radii`: of the inputs, one for each point; both must outlive this.
    LocalDensity(const CsrMatrix<double>& edges, std::span<const double> log_radii, const OutputKernel& kernel);

    /// The correlation at y; 0 where all radii of a side are equal. O(edges), and a power each.
    [[nodiscard]] double correlation(const Points& y, const RunContext& context) const;

    /// Moves y by `rate` up the gradient of the correlation. Its force for a pair is that of densMAP's samples in an
    /// epoch, on average, with lambda 1, and cut at 4 as all others. Same bits for any number of threads. O(edges).
    void step(Points& y, double rate, const RunContext& context) const;

    /// Bytes besides edges and outputs, with the radii of the inputs.
    [[nodiscard]] static std::uint64_t bytes(Index points, Index dimension) {
        return std::uint64_t{points} * (7 * sizeof(double) + dimension * sizeof(float));
    }

private:
    /// Of outputs: radii, their logarithms, and the sums of the kernel over edges.
    struct Radii {
        std::vector<double> radii;
        std::vector<double> logs;
        std::vector<double> sums;
    };
    [[nodiscard]] Radii radii_of(const Points& y, const RunContext& context) const;

    const CsrMatrix<double>& edges_;
    OutputKernel kernel_;
    std::vector<double> wanted_;  ///< log radii of the inputs, standardised
    double scale_ = 0.0;          ///< the weight of all edges over the heaviest
};

}  // namespace isogon
