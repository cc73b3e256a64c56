#pragma once
#include <Eigen/Dense>
#include <cmath>

#include "core/random.hpp"
#include "isogon/core/points.hpp"
#include "support/dense_matrices.hpp"

/// Data and slow references for spectral methods.
namespace isogon::support {

/// A sheet of points in the unit square, optionally rolled up in space.
struct Sheet {
    Matrix truth;
    Points points;
};

Sheet sheet(Index count, bool rolled, std::uint64_t seed = 1);

Matrix centred(const Matrix& x);

/// |s X R - T| / |T| after the best shift, rotation or reflection, and scale.
double procrustes_error(const Matrix& coordinates, const Matrix& truth);

/// |X W - T| / |T| after the best linear map: 0 where the spans of the centred columns agree.
double span_error(const Matrix& coordinates, const Matrix& truth);

/// The smallest or largest eigenvectors of a generalised problem, by Eigen, from the wanted end inwards.
Matrix eigenvectors(const Matrix& a, const Matrix& b, Index skipped, Index count, bool largest);

}  // namespace isogon::support
