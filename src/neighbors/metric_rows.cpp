#include "neighbors/metric_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

constexpr std::size_t centred_rows_of_task = 256;

void centre(std::span<const float> row, std::span<float> into) {
    const auto [least, most] = std::minmax_element(row.begin(), row.end());
    if (*least == *most) {  // their mean may be rounded
        std::fill(into.begin(), into.end(), 0.0F);
        return;
    }
    const double mean = std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
    const double largest = std::max(std::abs(double{*least} - mean), std::abs(double{*most} - mean));
    const int exponent = -std::ilogb(largest) - 1;
    std::transform(row.begin(), row.end(), into.begin(), [mean, exponent](float value) {
        return static_cast<float>(std::ldexp(double{value} - mean, exponent));
    });
}

double one_minus_cosine(std::span<const float> x, std::span<const float> y) {
    double xy = 0.0;
    double xx = 0.0;
    double yy = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        xy += double{x[k]} * double{y[k]};
        xx += double{x[k]} * double{x[k]};
        yy += double{y[k]} * double{y[k]};
    }
    const double lengths = std::sqrt(xx) * std::sqrt(yy);
    return lengths > 0.0 ? std::max(0.0, 1.0 - xy / lengths) : 1.0;
}

double one_minus_correlation(std::span<const float> x, std::span<const float> y) {
    std::vector<float> rows(2 * x.size());
    const std::span<float> both(rows);
    centre(x, both.first(x.size()));
    centre(y, both.last(y.size()));
    return one_minus_cosine(both.first(x.size()), both.last(y.size()));
}

}  // namespace

Points centred_rows(const PointsView& points, const RunContext& context) {
    require_memory(context, {{"rows less their means", std::uint64_t{points.count} * points.dimension * sizeof(float)}},
                   "raise the limit, or take metric cosine on rows from which their means are subtracted already");
    Points rows(points.count, points.dimension);
    parallel_blocks(context, points.count, centred_rows_of_task, [&](Range range) {
        for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
            centre(points[i], rows[i]);
        }
    });
    return rows;
}

std::vector<float> median_of_rows(const PointsView& points, Index most) {
    const Index rows = std::min(points.count, most);
    std::vector<float> medians(points.dimension);
    std::vector<float> column(rows);
    for (Index k = 0; rows > 0 && k < points.dimension; ++k) {
        for (Index r = 0; r < rows; ++r) {
            column[r] = points[static_cast<Index>(std::uint64_t{r} * points.count / rows)][k];
        }
        std::nth_element(column.begin(), column.begin() + rows / 2, column.end());
        medians[k] = column[rows / 2];
    }
    return medians;
}

void require_rows_for(Metric metric, const PointsView& points, const char* source) {
    if (metric != Metric::Hamming && metric != Metric::Jaccard) {
        return;
    }
    for (Index i = 0; i < points.count; ++i) {
        const auto row = points[i];
        const auto other =
            std::find_if(row.begin(), row.end(), [](float value) { return value != 0.0F && value != 1.0F; });
        if (other != row.end()) {
            throw InputError(source, "row " + std::to_string(i) + ", column " + std::to_string(other - row.begin()),
                             to_text(OptionValue{double{*other}}) + ": metric " + std::string(name(metric)) +
                                 " is of rows of zeros and ones; make them such, or take manhattan or cosine");
        }
    }
}

bool has_direction(std::span<const float> row, Metric metric) {
    switch (metric) {
        case Metric::Cosine:
        case Metric::Jaccard: return std::any_of(row.begin(), row.end(), [](float value) { return value != 0.0F; });
        case Metric::Correlation:
            return std::any_of(row.begin(), row.end(), [&](float value) { return value != row.front(); });
        default: return true;
    }
}

double distance_between(std::span<const float> x, std::span<const float> y, Metric metric) {
    double product = 0.0;
    double apart = 0.0;
    double sum = 0.0;  // over both rows; for zeros and ones the number of ones
    for (std::size_t k = 0; k < x.size(); ++k) {
        product += double{x[k]} * double{y[k]};
        apart += std::abs(double{x[k]} - double{y[k]});
        sum += double{x[k]} + double{y[k]};
    }
    switch (metric) {
        case Metric::Cosine: return one_minus_cosine(x, y);
        case Metric::InnerProduct: return -product;
        case Metric::Euclidean: return std::sqrt(squared_distance(x.data(), y.data(), x.size()));
        case Metric::Manhattan: return apart;
        case Metric::Correlation: return one_minus_correlation(x, y);
        case Metric::Hamming: return apart / static_cast<double>(x.size());
        case Metric::Jaccard: return sum > 0.0 ? 2.0 * apart / (sum + apart) : 0.0;  // |either| = (sum + apart) / 2
        case Metric::Precomputed: break;
    }
    throw InvalidArgument("metric", std::string(name(metric)), "is none between points; give the distances themselves");
}

}  // namespace isogon
