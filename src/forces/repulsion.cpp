#include "isogon/forces/repulsion.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "forces/pair_sums.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/random.hpp"

namespace isogon {

double ExactRepulsion::repel(const WideVectors& y, WideVectors& pushes, const RunContext& context) {
    return sum_over_pairs(y, 1, pushes, context);
}

namespace {

constexpr std::size_t rows_of_task = 64;
constexpr double samples_between_checks = 0x1p24;  // a fraction of a second

/// Adds what the output at `other` does to the one at `own`, so many times; returns their closeness as often.
double add_push(const double* own, const double* other, Index dimension, double times, double* push) {
    double squared = 0.0;
    for (Index c = 0; c < dimension; ++c) {
        squared += (own[c] - other[c]) * (own[c] - other[c]);
    }
    const double k = 1.0 / (1.0 + squared);
    for (Index c = 0; c < dimension; ++c) {
        push[c] += times * k * k * (own[c] - other[c]);
    }
    return times * k;
}

}  // namespace

SampledRepulsion::SampledRepulsion(int samples, std::uint64_t seed, const CsrMatrix<float>* near)
    : samples_(static_cast<std::uint32_t>(samples)), seed_(seed), near_(near) {
    if (samples < 1 || samples > most_samples) {
        throw InvalidArgument("samples", std::to_string(samples),
                              "must be at least 1 and at most " + std::to_string(most_samples));
    }
}

double SampledRepulsion::push_row(const WideVectors& y, std::size_t i, double* push) const {
    const std::span<const Index> near =
        near_ == nullptr ? std::span<const Index>() : near_->row_indices(static_cast<Index>(i));
    std::fill_n(push, y.columns, 0.0);
    double total = 0.0;
    for (const Index j : near) {
        total += add_push(y.row(i), y.row(j), y.columns, 1.0, push);
    }
    const double each = static_cast<double>(y.rows - 1) / samples_;
    Random random(seed_, RandomStream::RepulsionSamples, iteration_ * y.rows + i);
    for (std::uint32_t draw = 0; draw < samples_; ++draw) {
        const std::size_t drawn = random.below(static_cast<std::uint32_t>(y.rows - 1));
        const std::size_t j = drawn < i ? drawn : drawn + 1;  // anyone but itself
        if (!std::binary_search(near.begin(), near.end(), j)) {
            total += add_push(y.row(i), y.row(j), y.columns, each, push);
        }
    }
    return total;
}

double SampledRepulsion::repel(const WideVectors& y, WideVectors& pushes, const RunContext& context) {
    if (y.rows - 1 <= samples_) {
        return sum_over_pairs(y, 1, pushes, context);
    }
    const auto part = static_cast<std::size_t>(samples_between_checks / samples_);
    const std::size_t part_rows = (part / rows_of_task + 1) * rows_of_task;
    double total = 0.0;
    for (std::size_t begin = 0; begin < y.rows; begin += part_rows) {
        throw_if_cancelled(context);
        const std::size_t count = std::min<std::size_t>(part_rows, y.rows - begin);
        total += parallel_sum(context, count, rows_of_task, [&](Range rows) {
            double sum = 0.0;
            for (std::size_t i = begin + rows.begin; i < begin + rows.end; ++i) {
                sum += push_row(y, i, pushes.row(i));
            }
            return sum;
        });
    }
    return total;
}

}  // namespace isogon
