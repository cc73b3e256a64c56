#include "decomposition/streamed_completion.hpp"

#include <algorithm>

#include "decomposition/gaussian_moments.hpp"
#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

WidePanels packed(const std::vector<ReluTerm>& terms, bool right, const RunContext& context) {
    std::vector<const WideVectors*> blocks;
    std::vector<double> coefficients;
    for (const ReluTerm& term : terms) {
        blocks.push_back(right ? &term.factors->right : &term.factors->left);
        coefficients.push_back(right ? 1.0 : term.coefficient);
    }
    return {blocks, coefficients, context};
}

}  // namespace

StreamedCompletion::StreamedCompletion(const ReluProblem& problem, const std::vector<ReluTerm>& terms,
                                       const RunContext& context, double noise)
    : Completion(problem), left_(packed(terms, false, context)), right_(packed(terms, true, context)), noise_(noise) {}

void StreamedCompletion::latent_tile(bool back, Index p, Index q, EntryTile& tile) const {
    const WidePanels& rows = back ? right_ : left_;
    const WidePanels& columns = back ? left_ : right_;
    multiply_panels(columns.panel(q), rows.panel(p), rows.depth(), tile.values.data(), panel_width, false);
}

void StreamedCompletion::fill(bool back, Index p, Index q, CompletionCursor& cursor, EntryTile& tile) const {
    latent_tile(back, p, q, tile);
    const auto first_column = static_cast<Index>(q * panel_width);
    if (noise_ > 0.0) {
        complete_tile(tile, cursor, first_column,
                      [&](double latent) { return noise_ * mean_below_zero(latent / noise_); });
    } else {
        complete_tile(tile, cursor, first_column, [](double latent) { return std::min(0.0, latent); });
    }
}

double StreamedCompletion::variance(const RunContext& context) const {
    const ReluSide& side = problem().forward;
    return parallel_sum(context, left_.panels(), 1, [&](Range panel) {
        const auto p = static_cast<Index>(panel.begin);
        CompletionCursor cursor(side, p * static_cast<Index>(panel_width));
        const std::size_t rows = block_range(panel.begin, side.rows(), panel_width).size();
        EntryTile tile;
        double sum = 0.0;
        for (Index q = 0; q < right_.panels(); ++q) {
            const auto first_column = static_cast<Index>(q * panel_width);
            const std::size_t columns = block_range(q, side.columns(), panel_width).size();
            latent_tile(false, p, q, tile);
            EntryTile counts;
            counts.values.fill(cursor.observed ? 0.0 : 1.0);
            if (cursor.observed) {
                cursor.observed->visit(first_column,
                                       [&](Index i, Index j, double /*value*/) { counts.at(i, j) = 1.0; });
            }
            cursor.support.visit(first_column, [&](Index i, Index j, double /*s*/) { counts.at(i, j) = 0.0; });
            for (std::size_t j = 0; j < columns; ++j) {
                for (std::size_t i = 0; i < rows; ++i) {
                    if (counts.at(i, j) > 0.0) {
                        sum += variance_below_zero(tile.at(i, j) / noise_);
                    }
                }
            }
        }
        return noise_ * noise_ * sum;
    });
}

}  // namespace isogon
