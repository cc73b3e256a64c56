#include "report/spectrum.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "isogon/linalg/truncated_svd.hpp"

namespace isogon {

namespace {

constexpr Index most_values = 256;

std::vector<double> squares(const PointsView& points, bool centered, const RunContext& context) {
    const Index rank = std::min(points.dimension, most_values);
    std::vector<double> values = truncated_svd(points, rank, centered, context).singular_values;
    for (double& value : values) {
        value *= value;
    }
    return values;
}

}  // namespace

std::optional<Spectrum> measured_spectrum(const Summary& summary) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> names{
        {{"eigenvalue_", "eigenvalues that the method solved for"},
         {"spectrum_", "eigenvalues of the method's Gram matrix, as shares of their sum"}}};
    for (const auto& [prefix, name] : names) {
        Spectrum spectrum{std::string(name), {}};
        for (const auto& [measure, value] : summary.measures) {
            if (measure.starts_with(prefix)) {
                spectrum.values.push_back(value);
            }
        }
        if (!spectrum.values.empty()) {
            // Of a method that takes the smallest ones, a small eigenvalue is a good one: no measure of strength.
            const bool descends = std::is_sorted(spectrum.values.rbegin(), spectrum.values.rend());
            return descends ? std::optional(std::move(spectrum)) : std::nullopt;
        }
    }
    return std::nullopt;
}

Spectrum product_spectrum(const PointsView& coordinates, const RunContext& context) {
    return {"eigenvalues of G, the products of all pairs of coordinates", squares(coordinates, false, context)};
}

std::vector<double> axis_variances(const PointsView& coordinates, const RunContext& context) {
    std::vector<double> variances = squares(coordinates, true, context);
    for (double& variance : variances) {
        variance /= static_cast<double>(std::max<Index>(coordinates.count, 2) - 1);
    }
    return variances;
}

}  // namespace isogon
