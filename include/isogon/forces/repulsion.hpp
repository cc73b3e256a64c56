#pragma once
#include <cstdint>
#include <memory>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// What keeps outputs apart, by the Cauchy kernel k = 1 / (1 + |y_i - y_j|^2): the second half of t-SNE's gradient. How
/// the sums over all pairs are worked out is each scheme's own affair.
class Repulsion {
public:
    Repulsion() = default;
    virtual ~Repulsion() = default;
    Repulsion(const Repulsion&) = delete;
    Repulsion& operator=(const Repulsion&) = delete;

    /// Row i of `pushes` becomes sum_j k_ij^2 (y_i - y_j); what comes back is Z = sum_{i != j} k_ij, above 0. A quarter
    /// of the gradient of log Z by y_i is then -pushes_i / Z. y holds at least two points and no NaN. The same bits for
    /// any number of threads. Throws Interruption when the context ends the run in the middle.
    virtual double repel(const WideVectors& y, WideVectors& pushes, const RunContext& context) = 0;

    /// Which iteration the sums to come are of. Schemes that draw points draw others in each, and the same when one is
    /// made again; to all others it is nothing.
    virtual void begin_iteration(std::uint64_t /*iteration*/) {}
};

/// Every pair looked at, in any number of dimensions: n^2 (2 d + 2) multiplications and n^2 divisions, no memory. What
/// serves some thousand points, and what the other schemes are measured by.
class ExactRepulsion final : public Repulsion {
public:
    double repel(const WideVectors& y, WideVectors& pushes, const RunContext& context) override;
};

/// By others drawn at random, in any number of dimensions: each point is pushed by so many, of n - 1, and every push
/// counts (n - 1) / samples times. Both sums are then what they should be on average over draws, and err by one over
/// the root of the samples. Pushes of near points are strong, and rarely drawn: most of the error is theirs. So points
/// that are known to be near, those that edges join, are looked at every time instead, and pass when they are drawn.
/// What is drawn is a function of seed, iteration and point: the same bits for any number of threads, and for a run
/// that is gone on with. O(n samples d + entries d), no memory. It is what serves many points in more than three
/// dimensions, where there is neither grid nor tree.
class SampledRepulsion final : public Repulsion {
public:
    static constexpr int usual_samples = 100;
    static constexpr int most_samples = 1000000;

    /// `near`: a graph without a diagonal, of as many points as the outputs, which must outlive this; null: nobody is
    /// known to be near. Throws InvalidArgument unless 1 <= samples <= most_samples.
    explicit SampledRepulsion(int samples = usual_samples, std::uint64_t seed = 0,
                              const CsrMatrix<float>* near = nullptr);

    /// Of no more points than samples and one, all pairs.
    double repel(const WideVectors& y, WideVectors& pushes, const RunContext& context) override;
    void begin_iteration(std::uint64_t iteration) override { iteration_ = iteration; }

private:
    [[nodiscard]] double push_row(const WideVectors& y, std::size_t i, double* push) const;

    std::uint32_t samples_;
    std::uint64_t seed_;
    const CsrMatrix<float>* near_;
    std::uint64_t iteration_ = 0;
};

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
