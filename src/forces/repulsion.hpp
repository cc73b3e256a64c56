#pragma once
#include <cstdint>
#include <memory>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// The repulsive half of t-SNE's gradient, with the Cauchy kernel k = 1 / (1 + |y_i - y_j|^2). Each scheme computes or
/// approximates the sums over all pairs in its own way.
class Repulsion {
public:
    Repulsion() = default;
    virtual ~Repulsion() = default;
    Repulsion(const Repulsion&) = delete;
    Repulsion& operator=(const Repulsion&) = delete;

    /// Row i of `pushes` becomes sum_j k_ij^2 (y_i - y_j); the return value is Z = sum_{i != j} k_ij, above 0. A
    /// quarter of the gradient of log Z by y_i is then -pushes_i / Z. y holds at least two points and no NaN. The same
    /// bits for any number of threads. Throws Interruption when the context ends the run.
    virtual double repel(const MultiVector<double>& y, MultiVector<double>& pushes, const RunContext& context) = 0;

    /// Sets the iteration that the next sums belong to. Sampling schemes draw different points in each iteration, and
    /// the same points when an iteration is repeated; other schemes ignore it.
    virtual void begin_iteration(std::uint64_t /*iteration*/) {}
};

/// Sums over all pairs with the Cauchy kernel k = 1 / (1 + |y_i - y_j|^2): row i of `pushes` becomes sum_j k_ij^(power
/// + 1) (y_i - y_j), the return value is sum_{i != j} k_ij^power; -4 power pushes_i is its gradient by y_i. `power` is
/// 1 or 2. n^2 (2 d + 3) multiplications and n^2 divisions, no memory; the same bits for any number of threads. Throws
/// Interruption.
[[nodiscard]] double sum_over_pairs(const MultiVector<double>& y, int power, MultiVector<double>& pushes,
                                    const RunContext& context);

/// Exact sums over all pairs, in any number of dimensions: n^2 (2 d + 2) multiplications and n^2 divisions, no memory.
/// For up to some thousand points, and the reference for the errors of the other schemes.
class ExactRepulsion final : public Repulsion {
public:
    double repel(const MultiVector<double>& y, MultiVector<double>& pushes, const RunContext& context) override;
};

/// Random sampling, in any number of dimensions: for each point, `samples` of the other n - 1 points are drawn, and
/// each contribution is weighted by (n - 1) / samples. Both sums are unbiased; their error decreases as 1 /
/// sqrt(samples). Near points contribute most and are rarely drawn, so they cause most of the variance. Points that
/// edges join are therefore always summed exactly, and skipped when drawn. The draws are a function of seed, iteration
/// and point: the same bits for any number of threads and for a resumed run. O(n samples d + entries d), no memory. For
/// many points in more than three dimensions, where there is neither grid nor tree.
class SampledRepulsion final : public Repulsion {
public:
    static constexpr int usual_samples = 100;
    static constexpr int most_samples = 1000000;

    /// `near`: a graph without a diagonal, of as many points as the outputs, which must outlive this; null: no near
    /// points are known. Throws InvalidArgument unless 1 <= samples <= most_samples.
    explicit SampledRepulsion(int samples = usual_samples, std::uint64_t seed = 0,
                              const CsrMatrix<float>* near = nullptr);

    /// With at most samples + 1 points it sums over all pairs.
    double repel(const MultiVector<double>& y, MultiVector<double>& pushes, const RunContext& context) override;
    void begin_iteration(std::uint64_t iteration) override { iteration_ = iteration; }

private:
    [[nodiscard]] double push_row(const MultiVector<double>& y, std::size_t i, double* push) const;

    std::uint32_t samples_;
    std::uint64_t seed_;
    const CsrMatrix<float>* near_;
    std::uint64_t iteration_ = 0;
};

/// In one to three dimensions, by a tree of boxes: the points of a box that is narrow as seen from a point are replaced
/// by their mean (van der Maaten, "Accelerating t-SNE using tree-based algorithms", JMLR 2014). A box is narrow if its
/// width is less than `theta` times its distance. The error of forces is proportional to theta^2; at 0.5 it is some
/// hundredths where points are sparse and a tenth of that where they are dense. O(n log n), some hundreds of boxes a
/// point: for three dimensions, where a grid would have too many nodes.
class BarnesHutRepulsion final : public Repulsion {
public:
    static constexpr double usual_theta = 0.5;  ///< the value in the paper's experiments

    /// Throws InvalidArgument unless dimension is 1, 2 or 3 and theta is at least 0 (all pairs) and at most 1.
    explicit BarnesHutRepulsion(Index dimension, double theta = usual_theta);

    double repel(const MultiVector<double>& y, MultiVector<double>& pushes, const RunContext& context) override;

    /// Working memory in bytes.
    [[nodiscard]] static std::uint64_t bytes(Index points);

private:
    double theta_;
};

/// In one and two dimensions, by a grid: points are spread as charges on its nodes, the sums over all pairs of nodes
/// are a convolution, computed by Fourier transforms, and forces are interpolated between nodes (Linderman et al.,
/// "Fast interpolation-based t-SNE", Nature Methods 2019; here with splines). Nodes are at most 0.4 apart, where the
/// kernel is 1 wide: forces are then within half a percent of the exact ones where points are sparse, a tenth of that
/// where they are dense, and Z within 1e-5. O(n) and a few transforms of four times as many numbers as the grid has
/// nodes: faster than all pairs from some 3,000 points on.
class GridRepulsion final : public Repulsion {
public:
    /// Throws InvalidArgument unless dimension is 1 or 2.
    GridRepulsion(Index points, Index dimension);
    ~GridRepulsion() override;

    /// Sums over all pairs where the grid would have more than most_nodes(n) nodes along a side. A grid that has to
    /// grow checks the memory limit first: throws LimitExceeded.
    double repel(const MultiVector<double>& y, MultiVector<double>& pushes, const RunContext& context) override;

    /// Along a side: enough for maps as t-SNE makes them, whose width grows as the root of n.
    [[nodiscard]] static std::size_t most_nodes(Index points);
    /// Bytes while outputs are close together. The width of a map is not known in advance; repel() checks the memory of
    /// a wider grid, four planes of up to 3,072 x 3,072 numbers.
    [[nodiscard]] static std::uint64_t bytes(Index points, Index dimension);

private:
    struct Planes;
    std::unique_ptr<Planes> planes_;
};

}  // namespace isogon
