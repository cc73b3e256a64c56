#include "methods/forces/partial_start.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
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

/// Replaces row i by the mean of its neighbours in `placed`, and tells whether one has a place there.
template <class Weight>
bool set_to_mean(const CsrMatrix<Weight>& graph, const MultiVector<double>& placed, Index i, MultiVector<double>& y) {
    std::vector<double> sum(y.columns());
    double total = 0.0;
    for (Offset e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
        const double* other = placed.row(graph.indices[e]);
        const auto weight = double{graph.values[e]};
        if (weight > 0.0 && has_place(other)) {
            total += weight;
            std::transform(sum.begin(), sum.end(), other, sum.begin(),
                           [weight](double before, double value) { return before + weight * value; });
        }
    }
    if (total > 0.0) {
        std::transform(sum.begin(), sum.end(), y.row(i), [total](double value) { return value / total; });
    }
    return total > 0.0;
}

/// All rows get a place.
template <class Weight>
void place_open(const CsrMatrix<Weight>& graph, const Rows& rows, std::uint64_t seed, MultiVector<double>& y) {
    std::vector<Index> open = rows.open;
    for (std::size_t before = open.size() + 1; open.size() < before;) {
        before = open.size();
        const MultiVector<double> placed = y;
        std::erase_if(open, [&](Index i) { return set_to_mean(graph, placed, i, y); });
    }
    for (const Index i : open) {
        Random random(seed, RandomStream::LayoutStart, std::uint64_t{y.rows()} + i);
        std::copy_n(y.row(rows.known[random.below(static_cast<Index>(rows.known.size()))]), y.columns(), y.row(i));
    }
}

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
    place_open(graph, rows, seed, y);
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
