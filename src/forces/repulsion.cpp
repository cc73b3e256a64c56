#include "forces/repulsion.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

constexpr std::size_t points_at_once = 8;  // points in one inner loop, so that the compiler can vectorise it
constexpr std::size_t repelled_rows_of_task = 64;
constexpr double pairs_between_checks = 0x1p26;  // a fraction of a second

/// The sums of eight points over all others, in `Dimension` columns (0: as many as y has), with k^Power.
template <Index Dimension, int Power>
class PushedLanes {
public:
    explicit PushedLanes(const MultiVector<double>& y)
        : y_(y), own_(d() * points_at_once), apart_(d() * points_at_once), sums_(d() * points_at_once) {}

    /// Pushes of points [first, last), at most eight; returns their sum of k^Power.
    double push(std::size_t first, std::size_t last, MultiVector<double>& pushes) {
        begin(first, last);
        for (std::size_t j = 0; j < y_.rows(); ++j) {
            add(y_.row(j));
        }
        double total = 0.0;
        for (std::size_t lane = 0; first + lane < last; ++lane) {
            total += closeness_[lane] - 1.0;  // without the point itself
            for (std::size_t c = 0; c < d(); ++c) {
                pushes.at(first + lane, c) = sums_[c * points_at_once + lane];
            }
        }
        return total;
    }

private:
    [[nodiscard]] std::size_t d() const { return Dimension == 0 ? y_.columns() : Dimension; }

    void begin(std::size_t first, std::size_t last) {
        for (std::size_t lane = 0; lane < points_at_once; ++lane) {
            for (std::size_t c = 0; c < d(); ++c) {
                own_[c * points_at_once + lane] = y_.at(std::min(first + lane, last - 1), c);
            }
        }
        std::fill(sums_.begin(), sums_.end(), 0.0);
        closeness_.fill(0.0);
    }

    void add(const double* other) {
        std::array<double, points_at_once> k{};
        k.fill(1.0);
        for (std::size_t c = 0; c < d(); ++c) {
            for (std::size_t lane = 0; lane < points_at_once; ++lane) {
                const double difference = own_[c * points_at_once + lane] - other[c];
                apart_[c * points_at_once + lane] = difference;
                k[lane] += difference * difference;
            }
        }
        for (std::size_t lane = 0; lane < points_at_once; ++lane) {
            k[lane] = 1.0 / k[lane];
            const double counted = Power == 2 ? k[lane] * k[lane] : k[lane];
            closeness_[lane] += counted;
            k[lane] *= counted;
        }
        for (std::size_t c = 0; c < d(); ++c) {
            for (std::size_t lane = 0; lane < points_at_once; ++lane) {
                sums_[c * points_at_once + lane] += k[lane] * apart_[c * points_at_once + lane];
            }
        }
    }

    const MultiVector<double>& y_;
    std::vector<double> own_;
    std::vector<double> apart_;
    std::vector<double> sums_;
    std::array<double, points_at_once> closeness_{};
};

template <Index Dimension, int Power>
double push_rows(const MultiVector<double>& y, Range rows, MultiVector<double>& pushes) {
    PushedLanes<Dimension, Power> points(y);
    double total = 0.0;
    for (std::size_t first = rows.begin; first < rows.end; first += points_at_once) {
        total += points.push(first, std::min(first + points_at_once, rows.end), pushes);
    }
    return total;
}

template <int Power>
double push_rows_of(const MultiVector<double>& y, Range rows, MultiVector<double>& pushes) {
    switch (y.columns()) {
        case 1: return push_rows<1, Power>(y, rows, pushes);
        case 2: return push_rows<2, Power>(y, rows, pushes);
        case 3: return push_rows<3, Power>(y, rows, pushes);
        default: return push_rows<0, Power>(y, rows, pushes);
    }
}

/// The sum over all rows of push(rows), parallel by blocks of 64 rows. Checks the context after every `rows_between`
/// rows, rounded up to whole blocks.
template <class Push>
double sum_over_rows(std::size_t count, double rows_between, const RunContext& context, const Push& push) {
    const std::size_t part_rows =
        (static_cast<std::size_t>(rows_between) / repelled_rows_of_task + 1) * repelled_rows_of_task;
    double total = 0.0;
    for (std::size_t begin = 0; begin < count; begin += part_rows) {
        throw_if_cancelled(context);
        total += parallel_sum(context, std::min<std::size_t>(part_rows, count - begin), repelled_rows_of_task,
                              [&](Range rows) {
                                  return push(Range{begin + rows.begin, begin + rows.end});
                              });
    }
    return total;
}

}  // namespace

double sum_over_pairs(const MultiVector<double>& y, int power, MultiVector<double>& pushes, const RunContext& context) {
    return sum_over_rows(y.rows(), pairs_between_checks / static_cast<double>(y.rows()), context, [&](Range rows) {
        return power == 2 ? push_rows_of<2>(y, rows, pushes) : push_rows_of<1>(y, rows, pushes);
    });
}

double ExactRepulsion::repel(const MultiVector<double>& y, MultiVector<double>& pushes, const RunContext& context) {
    return sum_over_pairs(y, 1, pushes, context);
}

namespace {

constexpr double samples_between_checks = 0x1p24;  // a fraction of a second

/// Adds the force of the output at `other` on the one at `own`, weighted by `times`; returns their weighted kernel.
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

double SampledRepulsion::push_row(const MultiVector<double>& y, std::size_t i, double* push) const {
    const std::span<const Index> near =
        near_ == nullptr ? std::span<const Index>() : near_->row_indices(static_cast<Index>(i));
    std::fill_n(push, y.columns(), 0.0);
    double total = 0.0;
    for (const Index j : near) {
        total += add_push(y.row(i), y.row(j), y.columns(), 1.0, push);
    }
    const double each = static_cast<double>(y.rows() - 1) / samples_;
    Random random(seed_, RandomStream::RepulsionSamples, iteration_ * y.rows() + i);
    for (std::uint32_t draw = 0; draw < samples_; ++draw) {
        const std::size_t drawn = random.below(static_cast<std::uint32_t>(y.rows() - 1));
        const std::size_t j = drawn < i ? drawn : drawn + 1;  // any point but i itself
        if (!std::binary_search(near.begin(), near.end(), j)) {
            total += add_push(y.row(i), y.row(j), y.columns(), each, push);
        }
    }
    return total;
}

double SampledRepulsion::repel(const MultiVector<double>& y, MultiVector<double>& pushes, const RunContext& context) {
    if (y.rows() - 1 <= samples_) {
        return sum_over_pairs(y, 1, pushes, context);
    }
    return sum_over_rows(y.rows(), samples_between_checks / samples_, context, [&](Range rows) {
        double sum = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            sum += push_row(y, i, pushes.row(i));
        }
        return sum;
    });
}

}  // namespace isogon
