#include "neighbors/sparse_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

double sum_of(const SparseRow& row) {
    double sum = 0.0;
    for (const double value : row.values) {
        sum += value;
    }
    return sum;
}

double length_about(double mean, const SparseRow& row, Index columns) {
    double squares = mean * mean * static_cast<double>(columns - row.columns.size());
    for (const double value : row.values) {
        squares += (value - mean) * (value - mean);
    }
    return std::sqrt(squares);
}

namespace {

/// Calls visit(x_c, y_c) for the columns c that either row has an entry in, ascending.
template <class Visit>
void for_each_column(const SparseRow& x, const SparseRow& y, Visit visit) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < x.columns.size() || j < y.columns.size()) {
        const bool has_x = i < x.columns.size() && (j == y.columns.size() || x.columns[i] <= y.columns[j]);
        const bool has_y = j < y.columns.size() && (i == x.columns.size() || y.columns[j] <= x.columns[i]);
        visit(has_x ? x.values[i] : 0.0, has_y ? y.values[j] : 0.0);
        i += has_x ? 1 : 0;
        j += has_y ? 1 : 0;
    }
}

double one_minus_correlation(const SparseRow& x, const SparseRow& y, Index columns) {
    if (!has_direction(x, columns, Metric::Correlation) || !has_direction(y, columns, Metric::Correlation)) {
        return 1.0;
    }
    const double x_mean = sum_of(x) / columns;
    const double y_mean = sum_of(y) / columns;
    double product = 0.0;
    double visited = 0.0;
    for_each_column(x, y, [&](double a, double b) {
        product += (a - x_mean) * (b - y_mean);
        visited += 1.0;
    });
    product += x_mean * y_mean * (columns - visited);
    return std::max(0.0, 1.0 - product / (length_about(x_mean, x, columns) * length_about(y_mean, y, columns)));
}

}  // namespace

bool has_direction(const SparseRow& row, Index columns, Metric metric) {
    const double first = row.columns.size() < columns || columns == 0 ? 0.0 : row.values.front();
    const auto any_other_than = [&](double number) {
        return std::ranges::any_of(row.values, [number](double value) { return value != number; });
    };
    switch (metric) {
        case Metric::Cosine:
        case Metric::Jaccard: return any_other_than(0.0);
        case Metric::Correlation: return any_other_than(first);
        default: return true;
    }
}

double distance_between(const SparseRow& x, const SparseRow& y, Index columns, Metric metric) {
    if (metric == Metric::Correlation) {
        return one_minus_correlation(x, y, columns);
    }
    double product = 0.0;
    double apart = 0.0;
    double squares = 0.0;
    double x_squares = 0.0;
    double y_squares = 0.0;
    for_each_column(x, y, [&](double a, double b) {
        product += a * b;
        apart += std::abs(a - b);
        squares += (a - b) * (a - b);
        x_squares += a * a;
        y_squares += b * b;
    });
    switch (metric) {
        case Metric::Cosine: {
            const double lengths = std::sqrt(x_squares) * std::sqrt(y_squares);
            return lengths > 0.0 ? std::max(0.0, 1.0 - product / lengths) : 1.0;
        }
        case Metric::InnerProduct: return -product;
        case Metric::Euclidean: return std::sqrt(squares);
        case Metric::Manhattan: return apart;
        case Metric::Hamming: return apart / columns;
        case Metric::Jaccard: {
            const double either = apart + product;
            return either > 0.0 ? apart / either : 0.0;
        }
        default: break;
    }
    throw InvalidArgument("metric", std::string(name(metric)), "is none between points; give the distances themselves");
}

void require_float32(const CsrMatrix<double>& points, const char* source) {
    for (Index i = 0; i < points.rows; ++i) {
        const SparseRow row = sparse_row(points, i);
        const auto other = std::ranges::find_if(
            row.values, [](double value) { return !(std::abs(value) <= double{std::numeric_limits<float>::max()}); });
        if (other != row.values.end()) {
            const Index column = row.columns[static_cast<std::size_t>(other - row.values.begin())];
            throw InputError(source, "row " + std::to_string(i) + ", column " + std::to_string(column),
                             to_text(OptionValue{*other}) + " is no number that float32 holds");
        }
    }
}

void require_rows_for(Metric metric, const CsrMatrix<double>& points, const char* source) {
    if (metric != Metric::Hamming && metric != Metric::Jaccard) {
        return;
    }
    for (Index i = 0; i < points.rows; ++i) {
        const SparseRow row = sparse_row(points, i);
        const auto other = std::ranges::find_if(row.values, [](double value) { return value != 0.0 && value != 1.0; });
        if (other != row.values.end()) {
            const Index column = row.columns[static_cast<std::size_t>(other - row.values.begin())];
            throw InputError(source, "row " + std::to_string(i) + ", column " + std::to_string(column),
                             to_text(OptionValue{*other}) + ": metric " + std::string(name(metric)) +
                                 " is of rows of zeros and ones; make them such, or take manhattan or cosine");
        }
    }
}

}  // namespace isogon
