#include "isogon/pairs/near_panels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr std::size_t panels_at_once = 16;
constexpr std::size_t word = 64;  // bits of one

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

/// The squared distance of each panel's centre within which the share of all panels lies, by a sample of them.
std::vector<float> squared_reaches(const MultiVector<float>& centres, double share, const RunContext& context) {
    constexpr std::size_t most_of_sample = 512;
    std::vector<Index> sample;
    const std::size_t every = block_count(centres.rows(), most_of_sample);
    for (std::size_t p = 0; p < centres.rows(); p += every) {
        sample.push_back(static_cast<Index>(p));
    }
    const auto nearest =
        std::min(sample.size() - 1, static_cast<std::size_t>(std::lround(share * static_cast<double>(sample.size()))));
    std::vector<float> reaches(centres.rows());
    parallel_blocks(context, centres.rows(), panels_at_once, [&](Range panels) {
        std::vector<float> squares(sample.size());
        for (std::size_t p = panels.begin; p < panels.end; ++p) {
            square_listed_differences(centres.row(p), centres, sample, squares.data());
            std::nth_element(squares.begin(), squares.begin() + static_cast<std::ptrdiff_t>(nearest), squares.end());
            reaches[p] = squares[nearest];
        }
    });
    return reaches;
}

std::size_t words_of(std::size_t panel, std::size_t panels) {
    return block_count(panels, word) - panel / word;
}

}  // namespace

NearPanels::NearPanels(const MultiVector<float>& y, double share, const RunContext& context)
    : share_(share), begins_{0} {
    const MultiVector<float> centres = centres_of_panels(y, context);
    const std::vector<float> reaches = squared_reaches(centres, share, context);
    std::vector<Index> numbers(centres.rows());
    std::iota(numbers.begin(), numbers.end(), Index{0});
    for (std::size_t p = 0; p < centres.rows(); ++p) {
        begins_.push_back(begins_.back() + words_of(p, centres.rows()));
    }
    words_.resize(begins_.back());
    const auto write_words = [&](std::size_t p, std::vector<float>& squares) {
        square_listed_differences(centres.row(p), centres, std::span(numbers).subspan(p), squares.data());
        for (std::size_t q = p; q < centres.rows(); ++q) {
            const bool is_near = squares[q - p] <= std::max(reaches[p], reaches[q]) || p == q;
            words_[begins_[p] + q / word - p / word] |= std::uint64_t{is_near} << q % word;
        }
    };
    // In groups, so that the calling thread can end the run between them.
    constexpr std::size_t in_group = 64 * panels_at_once;
    for (std::size_t start = 0; start < centres.rows(); start += in_group) {
        throw_if_cancelled(context);
        const std::size_t count = std::min(in_group, centres.rows() - start);
        parallel_blocks(context, count, panels_at_once, [&](Range panels) {
            std::vector<float> squares(centres.rows());
            for (std::size_t p = start + panels.begin; p < start + panels.end; ++p) {
                write_words(p, squares);
            }
        });
    }
}

std::uint64_t NearPanels::near_of(Index panel, Index first, Index count) const {
    const std::size_t at = begins_[panel] + first / word - panel / word;
    const std::size_t shift = first % word;
    std::uint64_t near = words_[at] >> shift;
    if (shift + count > word) {
        near |= words_[at + 1] << (word - shift);
    }
    return count < word ? near & ((std::uint64_t{1} << count) - 1) : near;
}

std::uint64_t NearPanels::bytes(Index n) {
    const std::size_t panels = block_count(n, panel_width);
    return sizeof(std::size_t) * panels + sizeof(std::uint64_t) * (panels / 2 + word) * block_count(panels, word);
}

}  // namespace isogon
