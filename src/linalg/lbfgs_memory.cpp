#include "linalg/lbfgs_memory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

void LbfgsMemory::push(Pair pair, const RunContext& context) {
    constexpr double smallest_cosine = 1e-8;  // between s and z; below it lies float32 rounding
    const double curvature = rows_.dot(pair.step, pair.change, context);
    const double lengths =
        std::sqrt(rows_.dot(pair.step, pair.step, context) * rows_.dot(pair.change, pair.change, context));
    if (!(curvature > smallest_cosine * lengths)) {
        drop(std::move(pair));
        return;
    }
    pairs_.push_back(std::move(pair));
    curvatures_.push_back(curvature);
    if (pairs_.size() > capacity_) {
        drop(std::move(pairs_.front()));
        pairs_.pop_front();
        curvatures_.pop_front();
    }
}

void LbfgsMemory::drop(Pair pair) {
    spares_.clear();
    spares_.push_back(std::move(pair.step));
    spares_.push_back(std::move(pair.change));
}

MultiVector<float> LbfgsMemory::spare() {
    MultiVector<float> block;
    if (!spares_.empty()) {
        block = std::move(spares_.back());
        spares_.pop_back();
    }
    return block;
}

/// s.z / z.P z of the last pair.
double LbfgsMemory::fit(const Precondition& precondition, const RunContext& context) const {
    const MultiVector<float>& change = pairs_.back().change;
    const auto of_rows = [&](Range rows) {
        AlignedArray<float> copy(rows.size() * change.stride());
        std::copy_n(change.row(rows.begin), copy.size(), copy.data());
        precondition({rows.begin, rows.size(), change.columns(), change.stride(), copy.data()});
        return dot_of_rows(numbers_of(change, rows), copy.data());
    };
    const double guessed = rows_.sum(change.rows(), of_rows, context);
    return guessed > 0.0 ? curvatures_.back() / guessed : 1.0;
}

void LbfgsMemory::apply(MultiVector<float>& v, const Precondition& precondition, const RunContext& context) const {
    if (pairs_.empty()) {
        for_each_row_block(v, 0, context, precondition);
        return;
    }
    // Each product with v is taken while v gets the term before it: v is half of what has to be read.
    std::vector<double> shares(pairs_.size());
    double product = rows_.dot(pairs_.back().step, v, context);
    for (std::size_t k = pairs_.size(); k-- > 0;) {
        shares[k] = product / curvatures_[k];
        if (k > 0) {
            product = rows_.axpy_dot(-shares[k], pairs_[k].change, v, pairs_[k - 1].step, context);
        } else {
            axpy(-shares[k], pairs_[k].change, v, context);
        }
    }
    const auto factor = static_cast<float>(fit(precondition, context));
    const auto first_guess = [&](Range rows) {
        const RowBlock block = rows_of(v, rows);
        precondition(block);
        std::ranges::transform(block.numbers(), block.values, [factor](float number) { return factor * number; });
        return dot_of_rows(block.numbers(), pairs_.front().change.row(rows.begin));
    };
    product = rows_.sum(v.rows(), first_guess, context);
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const double share = shares[k] - product / curvatures_[k];
        if (k + 1 < pairs_.size()) {
            product = rows_.axpy_dot(share, pairs_[k].step, v, pairs_[k + 1].change, context);
        } else {
            axpy(share, pairs_[k].step, v, context);
        }
    }
}

}  // namespace isogon
