#include "decomposition/spherical_start.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/wide_panels.hpp"

namespace isogon {

namespace {

/// The rows without their first column, of length one; zero where there is nothing.
WideVectors directions_of(const WideVectors& block) {
    WideVectors result(block.rows, block.columns - 1);
    for (Index i = 0; i < block.rows; ++i) {
        double squares = 0.0;
        for (Index k = 1; k < block.columns; ++k) {
            squares += block.at(i, k) * block.at(i, k);
        }
        for (Index k = 1; k < block.columns && squares > 0.0; ++k) {
            result.at(i, k - 1) = block.at(i, k) / std::sqrt(squares);
        }
    }
    return result;
}

/// A row of L: c (cos - tau).
struct Cap {
    double length = 0.0;  ///< c
    double edge = 0.0;    ///< tau
};

/// The cosines of 48 rows with all columns: row i and column j at j * 48 + i.
class Cosines {
public:
    Cosines(const WidePanels& rows, const WidePanels& columns, Index panel)
        : values_(std::size_t{columns.panels()} * panel_width * panel_width) {
        for (Index q = 0; q < columns.panels(); ++q) {
            multiply_panels(columns.panel(q), rows.panel(panel), rows.depth(),
                            values_.data() + std::size_t{q} * panel_width * panel_width, panel_width, false);
        }
    }

    [[nodiscard]] double at(std::size_t i, std::size_t j) const { return values_.data()[j * panel_width + i]; }

private:
    AlignedDoubles values_;
};

class SphericalStart {
public:
    SphericalStart(const ReluProblem& problem, const ReluFactors& factors, const RunContext& context)
        : problem_(problem),
          context_(context),
          rows_(directions_of(factors.left)),
          columns_(directions_of(factors.right)) {}

    ReluFactors operator()() {
        const WidePanels rows(rows_, context_);
        const WidePanels columns(columns_, context_);
        ReluFactors result{WideVectors(rows_.rows, rows_.columns + 1), WideVectors(columns_.rows, rows_.columns + 1)};
        parallel_tasks(context_, rows.panels(), [&](std::size_t panel) {
            throw_if_cancelled_in_task(context_);
            const Cosines cosines(rows, columns, static_cast<Index>(panel));
            const Range range = block_range(panel, rows_.rows, panel_width);
            for (std::size_t i = range.begin; i < range.end; ++i) {
                const Cap cap = cap_of(static_cast<Index>(i), cosines, i - range.begin);
                set_row(rows_.row(i), cap.length, -cap.length * cap.edge, result.left.row(i));
            }
        });
        for (Index j = 0; j < columns_.rows; ++j) {
            if (has_entries(j)) {
                set_row(columns_.row(j), 1.0, 1.0, result.right.row(j));
            }
        }
        return result;
    }

private:
    void set_row(const double* direction, double length, double first, double* out) const {
        out[0] = first;
        for (Index k = 0; k < rows_.columns; ++k) {
            out[k + 1] = length * direction[k];
        }
    }

    [[nodiscard]] bool has_entries(Index column) const { return !problem_.backward.s.row_indices(column).empty(); }

    /// The cosines of row i with all columns whose entries are known and that are not empty.
    [[nodiscard]] std::vector<double> known_cosines(Index i, const Cosines& cosines, std::size_t place) const {
        std::vector<double> known;
        const auto add = [&](Index j) {
            if (has_entries(j)) {
                known.push_back(cosines.at(place, j));
            }
        };
        if (problem_.forward.observed) {
            std::ranges::for_each(problem_.forward.observed->row_indices(i), add);
        } else {
            known.reserve(columns_.rows);
            for (Index j = 0; j < columns_.rows; ++j) {
                add(j);
            }
        }
        return known;
    }

    [[nodiscard]] Cap cap_of(Index i, const Cosines& cosines, std::size_t place) const {
        const auto support = problem_.forward.s.row_indices(i);
        const auto values = problem_.forward.s.row_values(i);
        std::vector<double> known = known_cosines(i, cosines, place);
        Cap cap{.edge = -1.0};
        if (support.size() < known.size()) {
            const auto next = known.begin() + static_cast<std::ptrdiff_t>(support.size());
            std::ranges::nth_element(known, next, std::greater<>());
            cap.edge = *next;
        }
        double products = 0.0;
        double squares = 0.0;
        double highest = 0.0;
        for (std::size_t k = 0; k < support.size(); ++k) {
            products += values[k] * std::max(0.0, cosines.at(place, support[k]) - cap.edge);
        }
        for (const double cosine : known) {
            const double above = std::max(0.0, cosine - cap.edge);
            squares += above * above;
            highest = std::max(highest, above);
        }
        constexpr double told_apart = 1e-13;  // nearer directions differ by rounding
        cap.length = highest > told_apart ? products / squares : 0.0;
        return cap;
    }

    const ReluProblem& problem_;
    const RunContext& context_;
    WideVectors rows_;
    WideVectors columns_;
};

}  // namespace

std::uint64_t spherical_start_bytes(Index columns, const RunContext& context) {
    const std::uint64_t padded = block_count(columns, panel_width) * panel_width;
    return static_cast<std::uint64_t>(context.thread_count()) * padded * (panel_width + 1) * sizeof(double);
}

ReluFactors spherical_start(const ReluProblem& problem, const ReluFactors& factors, const RunContext& context) {
    return SphericalStart(problem, factors, context)();
}

}  // namespace isogon
