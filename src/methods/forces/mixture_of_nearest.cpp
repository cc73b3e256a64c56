#include "methods/forces/mixture_of_nearest.hpp"

#include <algorithm>
#include <numeric>

namespace isogon {

namespace {

constexpr Index neighbors_of_mixture = 10;
constexpr double ridge_of_mixture = 0.1;

}  // namespace

BarycentricMap mixture_of_nearest(const Points& coordinates) {
    BarycentricMap map{std::vector<Index>(coordinates.count()), coordinates, 0, ridge_of_mixture, Metric::Euclidean};
    std::iota(map.landmarks.begin(), map.landmarks.end(), Index{0});
    map.neighbors = std::min<Index>(neighbors_of_mixture, coordinates.count() - 1);
    return map;
}

}  // namespace isogon
