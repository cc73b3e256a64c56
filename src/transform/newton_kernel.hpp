#pragma once
#include <cstddef>

#include "linalg/multi_vector.hpp"

// The loops of SphereNewton and DistanceNewton, by vector instructions. Arrays of members have a multiple of 16
// numbers, rows of matrices and vectors of coordinates too, with zeros from d on; all lie at addresses that are
// multiples of 64 bytes.
namespace isogon {

inline constexpr std::size_t newton_lanes = 16;

/// Residuals max(floor_k, p_k - bound_k) of members with products p_k: with a floor of -infinity those of a target,
/// with 0 those beyond a bound. Padding has a bound of infinity and a floor of 0.
struct ResidualBounds {
    AlignedArray<double> bounds{};
    AlignedArray<double> floors{};
};

/// Writes the residuals, and returns the sum of their squares.
double write_residuals(const double* products, const ResidualBounds& of, std::size_t size, double* residuals);

/// A point of a great circle on which products are cosine p_k + sine c_k; `shrinkage` is cosine - 1 to all its digits.
struct ArcPoint {
    double sine;
    double cosine;
    double shrinkage;
};
/// The change of the sum of squared residuals from the start of an arc to a point of it.
struct ArcSums {
    double rise = 0.0;   ///< of the sum of squares
    double slope = 0.0;  ///< half its derivative
};
[[nodiscard]] ArcSums sums_along_arc(const double* products, const float* changes, const ResidualBounds& of,
                                     std::size_t size, const ArcPoint& at);

/// p_k := cosine p_k + sine c_k.
void move_along_arc(double* products, const float* changes, std::size_t size, const ArcPoint& at);

/// sum := sum + factor row.
void add_row(double factor, const float* row, double* sum, std::size_t stride);

/// difference := vector - row. Returns the square of its length.
double subtract_row(const double* vector, const float* row, double* difference, std::size_t stride);

[[nodiscard]] double dot_product(const double* a, const double* b, std::size_t stride);

/// Adds A^T A of `count` rows, on and above the diagonal and in some places below it. Sums over the rows are of the
/// rows' numbers, float32 or float64.
void add_products_of_columns(const float* rows, std::size_t count, std::size_t dimension, std::size_t stride,
                             double* matrix);
void add_products_of_columns(const double* rows, std::size_t count, std::size_t dimension, std::size_t stride,
                             double* matrix);

/// The system (N + shift I - v u^T - u v^T) x = b, N after a symmetric rank-two update. Of N what is on and above the
/// diagonal is read. False where the matrix is not positive definite. `factor` is room for two matrices, those of U^T D
/// U (Golub and Van Loan, 4.1.2), `scratch` for two vectors. O(d^3).
struct UpdatedSystem {
    const double* n;
    const double* u;
    const double* v;
    const double* b;
    double shift;
    std::size_t dimension;
    std::size_t stride;
};
[[nodiscard]] bool solve_updated_system(const UpdatedSystem& system, double* scratch, double* factor, double* x);

}  // namespace isogon
