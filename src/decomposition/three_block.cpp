#include "decomposition/three_block.hpp"

#include <utility>

#include "decomposition/block_update.hpp"
#include "decomposition/streamed_completion.hpp"

namespace isogon {

ThreeBlock::ThreeBlock(const ReluProblem& problem, ReluFactors start, const ThreeBlockOptions& options,
                       RunContext context)
    : problem_(problem),
      factors_(std::move(start)),
      previous_(factors_),
      options_(options),
      context_(std::move(context)) {
    if (options_.recursive) {
        const Index m = problem.forward.rows();
        const Index n = problem.forward.columns();
        stored_ = std::make_unique<Stored>(problem, m, n);
        extrapolate(factors_, 0.0, stored_->latent, stored_->latent, context_);
        stored_->z.complete(stored_->latent, 0.0, stored_->z, context_);
    }
}

ReluFactors ThreeBlock::stepped() {
    if (stored_) {
        stored_->z.complete(stored_->latent, options_.extrapolation, stored_->z, context_);
        return block_step(stored_->z, factors_, options_.ridge, context_);
    }
    const double beta = options_.extrapolation;
    const StreamedCompletion z(problem_, {{&factors_, 1.0 + beta}, {&previous_, -beta}}, context_);
    return block_step(z, factors_, options_.ridge, context_);
}

void ThreeBlock::add_factor_momentum(ReluFactors& next) const {
    const auto add = [&](WideVectors& block, const WideVectors& before) {
        for (std::size_t k = 0; k < block.values.size(); ++k) {
            block.values[k] += options_.factor_momentum * (block.values[k] - before.values[k]);
        }
    };
    add(next.left, factors_.left);
    add(next.right, factors_.right);
}

void ThreeBlock::update() {
    ReluFactors next = stepped();
    if (options_.factor_momentum != 0.0) {
        add_factor_momentum(next);
    }
    if (stored_) {
        extrapolate(next, options_.extrapolation, stored_->latent, stored_->latent, context_);
    }
    previous_ = std::exchange(factors_, std::move(next));
}

}  // namespace isogon
