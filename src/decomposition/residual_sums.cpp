#include "decomposition/residual_sums.hpp"

#include <algorithm>
#include <vector>

#include "decomposition/violation_kernel.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/linalg/wide_panels.hpp"

namespace isogon {

namespace {

void add_known(double s, double latent, ReluResiduals& sums) {
    const double output = s - std::max(0.0, latent);
    sums.latent_squares += (s - latent) * (s - latent);
    sums.output_squares += output * output;
}

/// 48 rows of L against those of S.
class RowPanel {
public:
    RowPanel(const ReluSide& side, Index first_row) : support_(side.s, first_row) {
        if (side.observed) {
            observed_.emplace(*side.observed, first_row);
        }
    }

    void add(EntryTile& tile, Index first_column, ReluResiduals& sums) {
        if (observed_) {
            keep_observed(tile, first_column);
        }
        support_.visit(first_column, [&](Index i, Index j, double s) {
            add_known(s, tile.at(i, j), sums);
            tile.at(i, j) = 0.0;
        });
        add_violations(tile.values.data(), violations_);
    }

    /// What is above zero off the support, of all tiles.
    void finish(ReluResiduals& sums) const {
        for (std::size_t i = 0; i < panel_width; ++i) {
            sums.latent_squares += violations_.squares[i];
            sums.output_squares += violations_.squares[i];
            sums.violations += violations_.counts[i];
        }
    }

private:
    void keep_observed(EntryTile& tile, Index first_column) {
        EntryTile kept;
        kept.values.fill(0.0);
        observed_->visit(first_column, [&](Index i, Index j, double /*value*/) { kept.at(i, j) = tile.at(i, j); });
        tile = kept;
    }

    TileCursor support_;
    std::optional<TileCursor> observed_;
    ViolationSums violations_{};
};

}  // namespace

ReluResiduals relu_residuals(const ReluSide& side, const WideVectors& left, const WideVectors& right,
                             const RunContext& context) {
    const WidePanels rows(left, context);
    const WidePanels columns(right, context);
    std::vector<ReluResiduals> partial(rows.panels());
    parallel_tasks(context, partial.size(), [&](std::size_t p) {
        throw_if_cancelled_in_task(context);
        RowPanel panel(side, static_cast<Index>(p * panel_width));
        EntryTile tile;
        for (Index q = 0; q < columns.panels(); ++q) {
            multiply_panels(columns.panel(q), rows.panel(static_cast<Index>(p)), rows.depth(), tile.values.data(),
                            panel_width, false);
            panel.add(tile, q * static_cast<Index>(panel_width), partial[p]);
        }
        panel.finish(partial[p]);
    });
    ReluResiduals sums;
    for (const ReluResiduals& part : partial) {
        sums.latent_squares += part.latent_squares;
        sums.output_squares += part.output_squares;
        sums.violations += part.violations;
    }
    return sums;
}

}  // namespace isogon
