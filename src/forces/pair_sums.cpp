#include "forces/pair_sums.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

constexpr std::size_t lanes = 8;  // points side by side, so that the compiler's vectors have something to do
constexpr std::size_t rows_of_task = 64;
constexpr double pairs_between_checks = 0x1p26;  // a fraction of a second

/// Eight points against all, in `Dimension` numbers, or as many as there are if that is 0, by that power of k.
template <Index Dimension, int Power>
class PushedLanes {
public:
    explicit PushedLanes(const WideVectors& y) : y_(y), own_(d() * lanes), apart_(d() * lanes), sums_(d() * lanes) {}

    /// Pushes of points [first, last), at most eight; returns their sum of k^Power.
    double push(std::size_t first, std::size_t last, WideVectors& pushes) {
        begin(first, last);
        for (std::size_t j = 0; j < y_.rows; ++j) {
            add(y_.row(j));
        }
        double total = 0.0;
        for (std::size_t lane = 0; first + lane < last; ++lane) {
            total += closeness_[lane] - 1.0;  // without the point itself
            for (std::size_t c = 0; c < d(); ++c) {
                pushes.at(first + lane, c) = sums_[c * lanes + lane];
            }
        }
        return total;
    }

private:
    [[nodiscard]] std::size_t d() const { return Dimension == 0 ? y_.columns : Dimension; }

    void begin(std::size_t first, std::size_t last) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            for (std::size_t c = 0; c < d(); ++c) {
                own_[c * lanes + lane] = y_.at(std::min(first + lane, last - 1), c);
            }
        }
        std::fill(sums_.begin(), sums_.end(), 0.0);
        closeness_.fill(0.0);
    }

    void add(const double* other) {
        std::array<double, lanes> k{};
        k.fill(1.0);
        for (std::size_t c = 0; c < d(); ++c) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const double difference = own_[c * lanes + lane] - other[c];
                apart_[c * lanes + lane] = difference;
                k[lane] += difference * difference;
            }
        }
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            k[lane] = 1.0 / k[lane];
            const double counted = Power == 2 ? k[lane] * k[lane] : k[lane];
            closeness_[lane] += counted;
            k[lane] *= counted;
        }
        for (std::size_t c = 0; c < d(); ++c) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                sums_[c * lanes + lane] += k[lane] * apart_[c * lanes + lane];
            }
        }
    }

    const WideVectors& y_;
    std::vector<double> own_;
    std::vector<double> apart_;
    std::vector<double> sums_;
    std::array<double, lanes> closeness_{};
};

template <Index Dimension, int Power>
double push_rows(const WideVectors& y, Range rows, WideVectors& pushes) {
    PushedLanes<Dimension, Power> points(y);
    double total = 0.0;
    for (std::size_t first = rows.begin; first < rows.end; first += lanes) {
        total += points.push(first, std::min(first + lanes, rows.end), pushes);
    }
    return total;
}

template <int Power>
double push_rows_of(const WideVectors& y, Range rows, WideVectors& pushes) {
    switch (y.columns) {
        case 1: return push_rows<1, Power>(y, rows, pushes);
        case 2: return push_rows<2, Power>(y, rows, pushes);
        case 3: return push_rows<3, Power>(y, rows, pushes);
        default: return push_rows<0, Power>(y, rows, pushes);
    }
}

}  // namespace

double sum_over_pairs(const WideVectors& y, int power, WideVectors& pushes, const RunContext& context) {
    const auto part = static_cast<std::size_t>(pairs_between_checks / static_cast<double>(y.rows));
    const std::size_t part_rows = (part / rows_of_task + 1) * rows_of_task;
    double total = 0.0;
    for (std::size_t begin = 0; begin < y.rows; begin += part_rows) {
        throw_if_cancelled(context);
        const std::size_t count = std::min(part_rows, y.rows - begin);
        total += parallel_sum(context, count, rows_of_task, [&](Range rows) {
            const Range here{begin + rows.begin, begin + rows.end};
            return power == 2 ? push_rows_of<2>(y, here, pushes) : push_rows_of<1>(y, here, pushes);
        });
    }
    return total;
}

}  // namespace isogon
