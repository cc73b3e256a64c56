#include "isogon/pairs/near_panels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr std::size_t panels_at_once = 16;

MultiVector<float> centres_of_panels(const MultiVector<float>& y, const RunContext& context) {
    MultiVector<float> centres(static_cast<Index>(block_count(y.rows(), panel_width)), y.columns());
    parallel_blocks(context, centres.rows(), panels_at_once, [&](Range panels) {
        std::vector<double> sums(y.columns());
        for (std::size_t p = panels.begin; p < panels.end; ++p) {
            std::ranges::fill(sums, 0.0);
            const std::size_t begin = p * panel_width;
            const std::size_t end = std::min<std::size_t>(begin + panel_width, y.rows());
            for (std::size_t i = begin; i < end; ++i) {
                for (Index k = 0; k < y.columns(); ++k) {
                    sums[k] += double{y.row(i)[k]};
                }
            }
            for (Index k = 0; k < y.columns(); ++k) {
                centres.row(p)[k] = static_cast<float>(sums[k] / static_cast<double>(end - begin));
            }
        }
    });
    return centres;
}

}  // namespace

NearPanels::NearPanels(const MultiVector<float>& y, double share, const RunContext& context)
    : share_(share), centres_(centres_of_panels(y, context)), numbers_(centres_.rows()), reaches_(centres_.rows()) {
    std::iota(numbers_.begin(), numbers_.end(), Index{0});
    constexpr std::size_t most_of_sample = 512;
    std::vector<Index> sample;
    const std::size_t every = block_count(centres_.rows(), most_of_sample);
    for (std::size_t p = 0; p < centres_.rows(); p += every) {
        sample.push_back(static_cast<Index>(p));
    }
    const auto nearest =
        std::min(sample.size() - 1, static_cast<std::size_t>(std::lround(share * static_cast<double>(sample.size()))));
    parallel_blocks(context, centres_.rows(), panels_at_once, [&](Range panels) {
        std::vector<float> squares(sample.size());
        for (std::size_t p = panels.begin; p < panels.end; ++p) {
            square_listed_differences(centres_.row(p), centres_, sample, squares.data());
            std::nth_element(squares.begin(), squares.begin() + static_cast<std::ptrdiff_t>(nearest), squares.end());
            reaches_[p] = squares[nearest];
        }
    });
}

std::uint64_t NearPanels::near_of(Index panel, Index first, Index count) const {
    constexpr std::size_t most = 64;
    std::array<float, most> squares;  // NOLINT(*-member-init): filled below
    square_listed_differences(centres_.row(panel), centres_, std::span(numbers_).subspan(first, count), squares.data());
    std::uint64_t near = 0;
    for (Index b = 0; b < count; ++b) {
        const bool is_near = squares[b] <= std::max(reaches_[panel], reaches_[first + b]) || first + b == panel;
        near |= std::uint64_t{is_near} << b;
    }
    return near;
}

}  // namespace isogon
