#include "core/power_of_two_scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

// Rounding, 2^-24 of a product, must not vanish when squared twice.
constexpr double shortest = 0x1p-6;

double unit_for(double length) {
    const bool fits = length == 0.0 || (shortest <= length && length <= PowerOfTwoScaling::longest);
    const int odd = std::abs(std::ilogb(length)) % 2;
    return fits ? 1.0 : std::ldexp(1.0, std::ilogb(length) - odd);
}

void require_in_float(const std::vector<double>& lengths) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] > double{std::numeric_limits<float>::max()}) {
            throw InputError("input", "row " + std::to_string(i),
                             "its length is beyond the largest number of float32: divide the data by 1000, say");
        }
    }
}

}  // namespace

std::vector<double> lengths_in_float(const PointsView& points) {
    std::vector<double> lengths = norms(points);
    require_in_float(lengths);
    return lengths;
}

PowerOfTwoScaling::PowerOfTwoScaling(const PointsView& points, const RunContext& context)
    : PowerOfTwoScaling(points, norms(points, context), context) {}

PowerOfTwoScaling::PowerOfTwoScaling(const PointsView& some, const std::vector<double>& lengths,
                                     const RunContext& context)
    : given_(some) {
    require_in_float(lengths);
    const double length = lengths.empty() ? 0.0 : *std::max_element(lengths.begin(), lengths.end());
    unit_ = unit_for(length);
    if (unit_ == 1.0) {
        return;
    }
    require_memory(
        context,
        {{"the points in another unit of length", std::uint64_t{given_.count} * given_.dimension * sizeof(float)}},
        "raise the limit, or scale the points to lengths of about 1");
    copy_ = Points(given_.count, given_.dimension);
    for (Index i = 0; i < given_.count; ++i) {
        std::transform(given_[i].begin(), given_[i].end(), copy_[i].begin(),
                       [&](float value) { return static_cast<float>(double{value} / unit_); });
    }
}

PowerOfTwoScaling::PowerOfTwoScaling(Index count, double longest_distance)
    : given_(nullptr, count, 0), unit_(unit_for(longest_distance)) {}

void PowerOfTwoScaling::restore(Points& coordinates) const {
    if (unit_ == 1.0) {
        return;
    }
    for (float& value : coordinates.values()) {
        value = static_cast<float>(double{value} * unit_);
        if (std::isinf(value)) {
            throw InputError("input", "",
                             "coordinates in its unit are beyond the largest number of float32: divide the data, or "
                             "distances that were given, by 1000, say");
        }
    }
}

}  // namespace isogon
