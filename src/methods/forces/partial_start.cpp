#include "methods/forces/partial_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "methods/forces/layout_outputs.hpp"

namespace isogon {

namespace {

bool has_place(const double* row) {
    return !std::isnan(*row);
}

/// Rows with a place, and rows without one.
struct Rows {
    std::vector<Index> known{};
    std::vector<Index> open{};
};

Rows rows_of(const MultiVector<double>& y) {
    Rows rows;
    for (Index i = 0; i < y.rows(); ++i) {
        (has_place(y.row(i)) ? rows.known : rows.open).push_back(i);
    }
    return rows;
}

/// The standard deviation of the rows from their mean, or 1 if they lie in one place.
double spread_of(const MultiVector<double>& y, const std::vector<Index>& rows) {
    const auto count = static_cast<double>(rows.size());
    double squares = 0.0;
    for (Index c = 0; c < y.columns(); ++c) {
        double mean = 0.0;
        for (const Index i : rows) {
            mean += y.at(i, c) / count;
        }
        for (const Index i : rows) {
            squares += (y.at(i, c) - mean) * (y.at(i, c) - mean) / count;
        }
    }
    return squares > 0.0 ? std::sqrt(squares) : 1.0;
}

/// All rows get a place, ring by ring around those that have one: each row and edge is looked at once.
template <class Weight>
class RingPlacer {
public:
    RingPlacer(const CsrMatrix<Weight>& graph, MultiVector<double>& y)
        : graph_(graph), y_(y), ring_of_(y.rows(), open) {}

    void place(const Rows& rows, std::uint64_t seed) {
        std::vector<Index> ring = rows.known;
        for (const Index i : ring) {
            ring_of_[i] = 0;
        }
        for (Index number = 1; !ring.empty(); ++number) {
            ring = next_after(ring, number);
            for (const Index i : ring) {
                set_to_mean(i);
            }
        }
        for (const Index i : rows.open) {
            if (ring_of_[i] == open) {
                Random random(seed, RandomStream::LayoutStart, std::uint64_t{y_.rows()} + i);
                const Index other = rows.known[random.below(static_cast<Index>(rows.known.size()))];
                std::copy_n(y_.row(other), y_.columns(), y_.row(i));
            }
        }
    }

private:
    static constexpr Index open = std::numeric_limits<Index>::max();

    /// The open neighbours of a ring, which get this number.
    std::vector<Index> next_after(const std::vector<Index>& ring, Index number) {
        std::vector<Index> next;
        for (const Index i : ring) {
            for (Offset e = graph_.offsets[i]; e < graph_.offsets[i + 1]; ++e) {
                const Index other = graph_.indices[e];
                if (graph_.values[e] > Weight{0} && ring_of_[other] == open) {
                    ring_of_[other] = number;
                    next.push_back(other);
                }
            }
        }
        return next;
    }

    /// The weighted mean of the neighbours in earlier rings.
    void set_to_mean(Index i) {
        double* own = y_.row(i);
        std::fill_n(own, y_.columns(), 0.0);
        double total = 0.0;
        for (Offset e = graph_.offsets[i]; e < graph_.offsets[i + 1]; ++e) {
            if (ring_of_[graph_.indices[e]] < ring_of_[i]) {
                const auto weight = double{graph_.values[e]};
                total += weight;
                std::transform(own, own + y_.columns(), y_.row(graph_.indices[e]), own,
                               [weight](double before, double value) { return before + weight * value; });
            }
        }
        std::transform(own, own + y_.columns(), own, [total](double value) { return value / total; });
    }

    const CsrMatrix<Weight>& graph_;
    MultiVector<double>& y_;
    std::vector<Index> ring_of_;
};

template <class Weight>
MultiVector<double> completed(const PointsView& start, const CsrMatrix<Weight>& graph, std::uint64_t seed,
                              Summary& summary) {
    MultiVector<double> y = given_start(start);
    const Rows rows = rows_of(y);
    if (rows.open.empty()) {
        return y;
    }
    summary.count("started", static_cast<double>(rows.known.size()));
    const double spread = spread_of(y, rows.known);
    RingPlacer<Weight>(graph, y).place(rows, seed);
    const MultiVector<double> noise = random_start(start.count, start.dimension, seed);
    for (const Index i : rows.open) {
        std::transform(noise.row(i), noise.row(i) + y.columns(), y.row(i), y.row(i),
                       [spread](double normal, double place) { return place + spread * normal; });
    }
    return y;
}

}  // namespace

void require_start_to_hold(const PointsView& start, double hold) {
    if (start.empty() && hold > 0.0) {
        throw InvalidArgument("hold", to_text(OptionValue{hold}),
                              "has an effect only with coordinates to start from: give these, or leave it out");
    }
}

MultiVector<double> completed_start(const PointsView& start, const CsrMatrix<float>& graph, std::uint64_t seed,
                                    Summary& summary) {
    return completed(start, graph, seed, summary);
}

MultiVector<double> completed_start(const PointsView& start, const CsrMatrix<double>& graph, std::uint64_t seed,
                                    Summary& summary) {
    return completed(start, graph, seed, summary);
}

}  // namespace isogon
