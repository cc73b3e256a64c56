#pragma once
#include <optional>
#include <vector>

#include "decomposition/completion.hpp"

namespace isogon {

/// One of the terms of L = sum of coefficient_t W_t H_t.
struct ReluTerm {
    const ReluFactors* factors = nullptr;
    double coefficient = 1.0;
};

/// Z of an L, made tile by tile whenever it is asked for: S on its support, L where S is not known, and off the support
/// min(0, L) (eq. 5), or, if there is noise, the mean of what lies below zero around L (gaussian_moments). m n rank
/// multiplications a product; memory: the terms, packed.
class StreamedCompletion : public Completion {
public:
    StreamedCompletion(const ReluProblem& problem, const std::vector<ReluTerm>& terms, const RunContext& context,
                       double noise = 0.0);

    void fill(bool back, Index p, Index q, CompletionCursor& cursor, EntryTile& tile) const override;

    /// Sum over the entries off the support of the variance of what lies below zero around L; needs noise.
    [[nodiscard]] double variance(const RunContext& context) const;

private:
    void latent_tile(bool back, Index p, Index q, EntryTile& tile) const;

    WidePanels left_;
    WidePanels right_;
    double noise_;
};

}  // namespace isogon
