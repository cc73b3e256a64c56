#include "verlet/near_panels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/parallel.hpp"
#include "linalg/packed_points.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr std::size_t panels_at_once = 16;
constexpr std::size_t word = NearPanels::word;

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

/// Bit j of word i becomes bit i of word j: halves of halves change places (Warren, Hacker's Delight, 7-3).
void transpose_bits(std::array<std::uint64_t, word>& rows) {
    std::uint64_t low = 0xFFFFFFFFU;
    for (std::size_t half = word / 2; half != 0; half /= 2, low ^= low << half) {
        for (std::size_t i = 0; i < word; i = (i + half + 1) & ~half) {
            const std::uint64_t change = (rows[i] >> half ^ rows[i + half]) & low;
            rows[i] ^= change << half;
            rows[i + half] ^= change;
        }
    }
}

}  // namespace

NearPanels::NearPanels(const MultiVector<float>& y, double share, const RunContext& context)
    : share_(share),
      count_(static_cast<Index>(block_count(y.rows(), panel_width))),
      words_of_panel_(block_count(count_, word)),
      words_(count_ * words_of_panel_) {
    const MultiVector<float> centres = centres_of_panels(y, context);
    const std::vector<float> reaches = squared_reaches(centres, share, context);
    const std::vector<Index> numbers = numbers_below(centres.rows());
    parallel_groups(context, centres.rows(), {.block = panels_at_once, .tasks = 64}, [&](Range panels) {
        std::vector<float> squares(centres.rows());
        for (std::size_t p = panels.begin; p < panels.end; ++p) {
            square_listed_differences(centres.row(p), centres, std::span(numbers).subspan(p), squares.data());
            for (std::size_t q = p; q < centres.rows(); ++q) {
                const bool is_near = squares[q - p] <= std::max(reaches[p], reaches[q]) || p == q;
                words_[p * words_of_panel_ + q / word] |= std::uint64_t{is_near} << q % word;
            }
        }
    });
    mirror(context);
}

/// Writes what is near panels of smaller numbers, by blocks of 64 x 64 bits.
void NearPanels::mirror(const RunContext& context) {
    parallel_tasks(context, words_of_panel_, [&](std::size_t to) {
        for (std::size_t from = 0; from <= to; ++from) {
            std::array<std::uint64_t, word> block{};
            for (std::size_t i = 0; i < std::min(word, count_ - from * word); ++i) {
                block[i] = words_[(from * word + i) * words_of_panel_ + to];
            }
            transpose_bits(block);
            for (std::size_t j = 0; j < std::min(word, count_ - to * word); ++j) {
                words_[(to * word + j) * words_of_panel_ + from] |= block[j];
            }
        }
    });
}

std::uint64_t NearPanels::near_of(Index panel, Index first, Index count) const {
    const std::uint64_t* const of_panel = words_.data() + panel * words_of_panel_;
    const std::size_t shift = first % word;
    std::uint64_t near = of_panel[first / word] >> shift;
    if (shift + count > word) {
        near |= of_panel[first / word + 1] << (word - shift);
    }
    return count < word ? near & ((std::uint64_t{1} << count) - 1) : near;
}

std::uint64_t NearPanels::bytes(Index n) {
    const std::uint64_t panels = block_count(n, panel_width);
    return sizeof(std::uint64_t) * panels * block_count(panels, word);
}

}  // namespace isogon
