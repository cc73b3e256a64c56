#include "methods/layout_outputs.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

namespace isogon {

namespace {

constexpr Index neighbors_of_mixture = 10;
constexpr double ridge_of_mixture = 0.1;

}  // namespace

Points to_coordinates(const WideVectors& y) {
    Points coordinates(y.rows, y.columns);
    std::transform(y.values.begin(), y.values.end(), coordinates.values().begin(),
                   [](double value) { return static_cast<float>(value); });
    return coordinates;
}

BarycentricMap mixture_of_nearest(const Points& coordinates) {
    BarycentricMap map{std::vector<Index>(coordinates.count()), coordinates, 0, ridge_of_mixture, Metric::Euclidean};
    std::iota(map.landmarks.begin(), map.landmarks.end(), Index{0});
    map.neighbors = std::min<Index>(neighbors_of_mixture, coordinates.count() - 1);
    return map;
}

std::string rounded(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

}  // namespace isogon
