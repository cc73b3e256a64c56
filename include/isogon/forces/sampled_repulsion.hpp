#pragma once
#include <cstdint>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/forces/repulsion.hpp"

namespace isogon {

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

}  // namespace isogon
