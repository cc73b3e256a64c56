#pragma once
#include <vector>

#include "isogon/core/summary.hpp"
#include "isogon/decomposition/low_rank.hpp"
#include "isogon/pairs/similarities.hpp"

namespace isogon {

struct DenseReluOptions {
    Index rank = 16;
    double momentum = 0.9;          ///< gamma of eq. 23; 0: the plain alternation, whose objective never rises
    bool regularize = true;         ///< eqs. 19-22, turned as in ReluDecomposition
    double eigen_tolerance = 1e-4;  ///< of the eigen-step, relative to the largest eigenvalue
    int eigen_products = 12;        ///< most products with Z in an eigen-step, warm from the one before
    std::uint64_t seed = 0;
};

/// The algorithm as published (Saul 2022b, eqs. 20-23, with the inequality reversed), with Z and its predecessor
/// stored as dense n x n matrices: the slow reference in tests of ReluDecomposition, and `--recipe paper`. Time an
/// update: n^2 (r + products (r + 8)); memory 8 n^2 bytes.
class DenseReluDecomposition {
public:
    DenseReluDecomposition(const Similarities& s, LowRank start, const DenseReluOptions& options, RunContext context);

    void update();
    Termination run_to(int iterations);

    [[nodiscard]] int iterations() const { return iterations_; }
    [[nodiscard]] const LowRank& matrix() const { return current_; }
    /// |L - Z|^2 for the L that the last update started from and the Z that it made of it, before momentum.
    [[nodiscard]] double objective() const { return objective_; }
    [[nodiscard]] double relative_residual() const;
    [[nodiscard]] double lift() const { return lift_; }
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }
    /// The present Z, n rows of n (for tests).
    [[nodiscard]] const MultiVector<float>& z() const { return z_; }
    [[nodiscard]] static std::uint64_t bytes(Index size, const DenseReluOptions& options);

private:
    [[nodiscard]] double sum_off_support(const PackedLowRank& packed) const;
    double update_z(const PackedLowRank& packed);
    void restore_support(Index row, float* z, const float* l, double& objective) const;

    const Similarities& s_;
    CsrMatrix<float> lower_;  ///< the other half of S
    DenseReluOptions options_;
    RunContext context_;
    LowRank current_;
    MultiVector<float> basis_;
    MultiVector<float> z_;
    MultiVector<float> z_previous_;
    double lift_ = 0.0;
    double objective_ = 0.0;
    int iterations_ = 0;
    std::vector<IterationRecord> trace_;
};

}  // namespace isogon
