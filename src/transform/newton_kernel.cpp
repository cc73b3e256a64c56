#include "transform/newton_kernel.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "transform/newton_kernel.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "isogon/core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Sums = LaneSums<double, newton_lanes, 8>;
using Doubles = Sums::Tag;
using Vector = Sums::Vector;

HWY_INLINE Vector promoted(const float* numbers) {
    return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), numbers));
}

HWY_INLINE Vector residuals_of(Vector products, const double* bounds, const double* floors) {
    const Doubles tag;
    return hn::Max(hn::Load(tag, floors), hn::Sub(products, hn::Load(tag, bounds)));
}

double write_residuals(const double* products, const double* bounds, const double* floors, std::size_t size,
                       double* residuals) {
    const Doubles tag;
    Sums squares;
    for (std::size_t k = 0; k < size; k += newton_lanes) {
        squares.add([&](std::size_t lane, Vector sum) {
            const std::size_t at = k + lane;
            const Vector residual = residuals_of(hn::Load(tag, products + at), bounds + at, floors + at);
            hn::Store(residual, tag, residuals + at);
            return hn::Add(sum, hn::Mul(residual, residual));
        });
    }
    return squares.total();
}

HWY_INLINE Vector moved(Vector products, Vector changes, const ArcPoint& at) {
    const Doubles tag;
    return hn::Add(hn::Mul(hn::Set(tag, at.cosine), products), hn::Mul(hn::Set(tag, at.sine), changes));
}

ArcSums sums_along_arc(const double* products, const float* changes, const double* bounds, const double* floors,
                       std::size_t size, const ArcPoint& at) {
    const Doubles tag;
    const Vector sine = hn::Set(tag, at.sine);
    const Vector cosine = hn::Set(tag, at.cosine);
    const Vector shrinkage = hn::Set(tag, at.shrinkage);
    Sums rises;
    Sums slopes;
    for (std::size_t k = 0; k < size; k += newton_lanes) {
        rises.add([&](std::size_t lane, Vector sum) {
            const std::size_t i = k + lane;
            const Vector product = hn::Load(tag, products + i);
            const Vector change = promoted(changes + i);
            const Vector before = residuals_of(product, bounds + i, floors + i);
            // p + (shrinkage p + sine c), not cosine p + sine c: small differences keep their digits.
            const Vector way = hn::Add(hn::Mul(shrinkage, product), hn::Mul(sine, change));
            const Vector after = residuals_of(hn::Add(product, way), bounds + i, floors + i);
            const Vector turn = hn::Sub(hn::Mul(cosine, change), hn::Mul(sine, product));
            Vector& slope = slopes.part(lane);
            slope = hn::Add(slope, hn::Mul(after, turn));
            return hn::Add(sum, hn::Mul(hn::Sub(after, before), hn::Add(after, before)));
        });
    }
    return {rises.total(), slopes.total()};
}

void move_along_arc(double* products, const float* changes, std::size_t size, const ArcPoint& at) {
    const Doubles tag;
    for (std::size_t k = 0; k < size; k += hn::Lanes(tag)) {
        hn::Store(moved(hn::Load(tag, products + k), promoted(changes + k), at), tag, products + k);
    }
}

/// to += factor from, from place `first` on, which is rounded down to a whole vector.
HWY_INLINE void add_vector(double factor, const double* from, double* to, std::size_t first, std::size_t size) {
    const Doubles tag;
    const Vector f = hn::Set(tag, factor);
    for (std::size_t k = first / hn::Lanes(tag) * hn::Lanes(tag); k < size; k += hn::Lanes(tag)) {
        hn::Store(hn::Add(hn::Load(tag, to + k), hn::Mul(f, hn::Load(tag, from + k))), tag, to + k);
    }
}

void add_row(double factor, const float* row, double* sum, std::size_t stride) {
    const Doubles tag;
    const Vector f = hn::Set(tag, factor);
    for (std::size_t k = 0; k < stride; k += hn::Lanes(tag)) {
        hn::Store(hn::Add(hn::Load(tag, sum + k), hn::Mul(f, promoted(row + k))), tag, sum + k);
    }
}

constexpr std::size_t rows_at_once = 4;  // of the matrix; a stride has a multiple of them

void add_products_of_columns(const float* rows, std::size_t count, std::size_t dimension, std::size_t stride,
                             double* matrix) {
    const hn::CappedTag<float, newton_lanes> tag;
    using Floats = hn::Vec<decltype(tag)>;
    constexpr std::size_t lanes = hn::MaxLanes(tag);
    alignas(64) float sums[newton_lanes];
    for (std::size_t i = 0; i < dimension; i += rows_at_once) {
        for (std::size_t j = 0; j < i + rows_at_once; j += lanes) {
            Floats products[rows_at_once];
#pragma GCC unroll 4
            for (Floats& product : products) {
                product = hn::Zero(tag);
            }
            for (const float* row = rows; row != rows + count * stride; row += stride) {
                const Floats right = hn::Load(tag, row + j);
#pragma GCC unroll 4
                for (std::size_t r = 0; r < rows_at_once; ++r) {
                    products[r] = multiply_add(hn::Set(tag, row[i + r]), right, products[r]);
                }
            }
            for (std::size_t r = 0; r < rows_at_once; ++r) {
                hn::Store(products[r], tag, sums);
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    matrix[(i + r) * stride + j + lane] += static_cast<double>(sums[lane]);
                }
            }
        }
    }
}

HWY_INLINE double dot_from(const double* a, const double* b, std::size_t first, std::size_t stride) {
    const Doubles tag;
    Sums sums;
    for (std::size_t k = first / newton_lanes * newton_lanes; k < stride; k += newton_lanes) {
        sums.add([&](std::size_t lane, Vector sum) {
            return hn::Add(sum, hn::Mul(hn::Load(tag, a + k + lane), hn::Load(tag, b + k + lane)));
        });
    }
    return sums.total();
}

HWY_INLINE double root_of(double number) {
    return hn::GetLane(hn::Sqrt(hn::Set(hn::CappedTag<double, 1>(), number)));
}

/// The rows of U with U^T U = N + shift I - r u^T - u r^T, from the diagonal on, one after the other: a part of a row
/// stays in registers while those before it are taken away.
HWY_INLINE bool factor_rows(const TangentSystem& system, const double* removed, double* factor) {
    const Doubles tag;
    const std::size_t stride = system.stride;
    for (std::size_t k = 0; k < system.dimension; ++k) {
        double* row = factor + k * stride;
        const std::size_t first = k / newton_lanes * newton_lanes;
        const Vector of_u = hn::Set(tag, system.u[k]);
        const Vector of_removed = hn::Set(tag, removed[k]);
        for (std::size_t j = first; j < stride; j += newton_lanes) {
            Sums parts;
            parts.add([&](std::size_t lane, Vector /*zero*/) {
                const std::size_t at = j + lane;
                const Vector less = hn::Add(hn::Mul(of_removed, hn::Load(tag, system.u + at)),
                                            hn::Mul(of_u, hn::Load(tag, removed + at)));
                return hn::Sub(hn::Load(tag, system.n + k * stride + at), less);
            });
            for (const double* before = factor; before != row; before += stride) {
                const Vector share = hn::Set(tag, before[k]);
                parts.add([&](std::size_t lane, Vector part) {
                    return hn::Sub(part, hn::Mul(share, hn::Load(tag, before + j + lane)));
                });
            }
            parts.add([&](std::size_t lane, Vector part) {
                hn::Store(part, tag, row + j + lane);
                return part;
            });
        }
        const double pivot = row[k] + system.shift;
        if (!(pivot > 0.0)) {
            return false;
        }
        row[k] = pivot;
        const Vector inverse = hn::Set(tag, 1.0 / root_of(pivot));
        for (std::size_t j = first; j < stride; j += hn::Lanes(tag)) {
            hn::Store(hn::Mul(inverse, hn::Load(tag, row + j)), tag, row + j);
        }
    }
    return true;
}

/// `scratch`: two vectors. r = N u - (u.N u + along - shift) u / 2.
bool solve_tangent_system(const TangentSystem& system, double* scratch, double* factor, double* x) {
    const auto [n, u, b, along, shift, dimension, stride] = system;
    double* removed = scratch;
    double* rest = scratch + stride;
    std::fill_n(removed, stride, 0.0);
    for (std::size_t i = 0; i < dimension; ++i) {
        add_vector(u[i], n + i * stride, removed, 0, stride);
    }
    add_vector(-0.5 * (dot_from(u, removed, 0, stride) + along - shift), u, removed, 0, stride);
    if (!factor_rows(system, removed, factor)) {
        return false;
    }
    double* half_solved = removed;  // U^-T b
    std::copy_n(b, stride, rest);
    std::fill_n(x, stride, 0.0);
    for (std::size_t k = 0; k < dimension; ++k) {
        half_solved[k] = rest[k] / factor[k * stride + k];
        add_vector(-half_solved[k], factor + k * stride, rest, k, stride);
    }
    for (std::size_t k = dimension; k-- > 0;) {
        x[k] = (half_solved[k] - dot_from(factor + k * stride, x, k, stride)) / factor[k * stride + k];
    }
    return true;
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(write_residuals);
HWY_EXPORT(sums_along_arc);
HWY_EXPORT(move_along_arc);
HWY_EXPORT(add_row);
HWY_EXPORT(add_products_of_columns);
HWY_EXPORT(solve_tangent_system);

double write_residuals(const double* products, const ResidualBounds& of, std::size_t size, double* residuals) {
    return HWY_DYNAMIC_DISPATCH(write_residuals)(products, of.bounds.data(), of.floors.data(), size, residuals);
}

ArcSums sums_along_arc(const double* products, const float* changes, const ResidualBounds& of, std::size_t size,
                       const ArcPoint& at) {
    return HWY_DYNAMIC_DISPATCH(sums_along_arc)(products, changes, of.bounds.data(), of.floors.data(), size, at);
}

void move_along_arc(double* products, const float* changes, std::size_t size, const ArcPoint& at) {
    HWY_DYNAMIC_DISPATCH(move_along_arc)(products, changes, size, at);
}

void add_row(double factor, const float* row, double* sum, std::size_t stride) {
    HWY_DYNAMIC_DISPATCH(add_row)(factor, row, sum, stride);
}

void add_products_of_columns(const float* rows, std::size_t count, std::size_t dimension, std::size_t stride,
                             double* matrix) {
    HWY_DYNAMIC_DISPATCH(add_products_of_columns)(rows, count, dimension, stride, matrix);
}

bool solve_tangent_system(const TangentSystem& system, double* scratch, double* factor, double* x) {
    return HWY_DYNAMIC_DISPATCH(solve_tangent_system)(system, scratch, factor, x);
}

}  // namespace isogon
#endif
