#include "transform/newton_kernel.hpp"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "transform/newton_kernel.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

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

double write_residuals(const double* products, const ResidualBounds& of, std::size_t size, double* residuals) {
    const Doubles tag;
    const double* bounds = of.bounds.data();
    const double* floors = of.floors.data();
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

ArcSums sums_along_arc(const double* products, const float* changes, const ResidualBounds& of, std::size_t size,
                       const ArcPoint& at) {
    const Doubles tag;
    const double* bounds = of.bounds.data();
    const double* floors = of.floors.data();
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

double subtract_row(const double* vector, const float* row, double* difference, std::size_t stride) {
    const Doubles tag;
    Sums sums;
    for (std::size_t k = 0; k < stride; k += newton_lanes) {
        sums.add([&](std::size_t lane, Vector sum) {
            const Vector apart = hn::Sub(hn::Load(tag, vector + k + lane), promoted(row + k + lane));
            hn::Store(apart, tag, difference + k + lane);
            return hn::Add(sum, hn::Mul(apart, apart));
        });
    }
    return sums.total();
}

HWY_INLINE void add_to(const double* numbers, double* sums) {
    const Doubles tag;
    hn::Store(hn::Add(hn::Load(tag, sums), hn::Load(tag, numbers)), tag, sums);
}

HWY_INLINE void add_to(const float* numbers, double* sums) {
    const Doubles tag;
    hn::Store(hn::Add(hn::Load(tag, sums), promoted(numbers)), tag, sums);
}

constexpr std::size_t columns_at_once = 8;  // of A; a stride has a multiple of them

template <class Number>
HWY_INLINE void add_products(const Number* rows, std::size_t count, std::size_t dimension, std::size_t stride,
                             double* matrix) {
    const hn::CappedTag<Number, columns_at_once> tag;
    using Numbers = hn::Vec<decltype(tag)>;
    constexpr std::size_t lanes = hn::MaxLanes(tag);
    alignas(64) Number sums[columns_at_once];
    for (std::size_t i = 0; i < dimension; i += columns_at_once) {
        for (std::size_t j = i; j < stride; j += lanes) {
            Numbers products[columns_at_once];
#pragma GCC unroll 8
            for (Numbers& product : products) {
                product = hn::Zero(tag);
            }
            for (const Number* row = rows; row != rows + count * stride; row += stride) {
                const Numbers right = hn::Load(tag, row + j);
#pragma GCC unroll 8
                for (std::size_t r = 0; r < columns_at_once; ++r) {
                    products[r] = multiply_add(hn::Set(tag, row[i + r]), right, products[r]);
                }
            }
#pragma GCC unroll 8
            for (std::size_t r = 0; r < columns_at_once; ++r) {
                hn::Store(products[r], tag, sums);
                for (std::size_t lane = 0; lane < lanes; lane += hn::Lanes(Doubles())) {
                    add_to(sums + lane, matrix + (i + r) * stride + j + lane);
                }
            }
        }
    }
}

void add_products_of_columns(const float* rows, std::size_t count, std::size_t dimension, std::size_t stride,
                             double* matrix) {
    add_products(rows, count, dimension, stride, matrix);
}

void add_accurate_products(const double* rows, std::size_t count, std::size_t dimension, std::size_t stride,
                           double* matrix) {
    add_products(rows, count, dimension, stride, matrix);
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

constexpr std::size_t pivots_at_once = 4;  // a stride has a multiple of them

/// The rows k to k + 3 of N - v u^T - u v^T, from the block of the diagonal on, less what the rows above them take
/// away: a part of each stays in registers meanwhile.
HWY_INLINE void reduce_rows(const UpdatedSystem& system, std::size_t k, double* reduced, const double* scaled) {
    const Doubles tag;
    const std::size_t stride = system.stride;
    for (std::size_t j = k / newton_lanes * newton_lanes; j < stride; j += hn::Lanes(tag)) {
        const Vector u = hn::Load(tag, system.u + j);
        const Vector v = hn::Load(tag, system.v + j);
        Vector rows[pivots_at_once];
#pragma GCC unroll 4
        for (std::size_t i = 0; i < pivots_at_once; ++i) {
            const Vector less =
                hn::Add(hn::Mul(hn::Set(tag, system.v[k + i]), u), hn::Mul(hn::Set(tag, system.u[k + i]), v));
            rows[i] = hn::Sub(hn::Load(tag, system.n + (k + i) * stride + j), less);
        }
        for (std::size_t above = 0; above < k * stride; above += stride) {
            const Vector row = hn::Load(tag, reduced + above + j);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < pivots_at_once; ++i) {
                rows[i] = hn::Sub(rows[i], hn::Mul(hn::Set(tag, scaled[above + k + i]), row));
            }
        }
#pragma GCC unroll 4
        for (std::size_t i = 0; i < pivots_at_once; ++i) {
            hn::Store(rows[i], tag, reduced + (k + i) * stride + j);
        }
    }
}

/// The same among these rows, first in their own columns by single numbers, so that no vector waits for a pivot. Row i
/// of `scaled` is that of U, row i of `reduced` its multiple by the pivot, both with anything between the block's start
/// and the diagonal: all that dot_from() and add_vector() read is written anew.
HWY_INLINE bool eliminate(const UpdatedSystem& system, std::size_t k, double* reduced, double* scaled,
                          double* inverses) {
    const Doubles tag;
    const std::size_t stride = system.stride;
    const std::size_t pivots = std::min(pivots_at_once, system.dimension - k);
    double own[pivots_at_once][pivots_at_once];
    double shares[pivots_at_once][pivots_at_once] = {};  // of row h, taken away from row i
#pragma GCC unroll 4
    for (std::size_t i = 0; i < pivots_at_once; ++i) {
#pragma GCC unroll 4
        for (std::size_t j = i; j < pivots_at_once; ++j) {
            own[i][j] = reduced[(k + i) * stride + k + j];
        }
    }
#pragma GCC unroll 4
    for (std::size_t h = 0; h < pivots_at_once; ++h) {
        const double pivot = own[h][h] + system.shift;
        if (h < pivots && !(pivot >= std::numeric_limits<double>::min())) {  // or its inverse is infinite
            return false;
        }
        inverses[h] = h < pivots ? 1.0 / pivot : 0.0;
#pragma GCC unroll 4
        for (std::size_t i = h + 1; i < pivots_at_once; ++i) {
            shares[h][i] = inverses[h] * own[h][i];
#pragma GCC unroll 4
            for (std::size_t j = i; j < pivots_at_once; ++j) {
                own[i][j] = own[i][j] - shares[h][i] * own[h][j];
            }
        }
    }
    for (std::size_t j = k / newton_lanes * newton_lanes; j < stride; j += hn::Lanes(tag)) {
        Vector rows[pivots_at_once];
#pragma GCC unroll 4
        for (std::size_t i = 0; i < pivots_at_once; ++i) {
            rows[i] = hn::Load(tag, reduced + (k + i) * stride + j);
#pragma GCC unroll 4
            for (std::size_t h = 0; h < i; ++h) {
                rows[i] = hn::Sub(rows[i], hn::Mul(hn::Set(tag, shares[h][i]), rows[h]));
            }
            hn::Store(rows[i], tag, reduced + (k + i) * stride + j);
            hn::Store(hn::Mul(hn::Set(tag, inverses[i]), rows[i]), tag, scaled + (k + i) * stride + j);
        }
    }
    return true;
}

/// The matrix is U^T D U.
bool solve_updated_system(const UpdatedSystem& system, double* scratch, double* factor, double* x) {
    const std::size_t dimension = system.dimension;
    const std::size_t stride = system.stride;
    double* rest = scratch;
    double* half_solved = scratch + stride;  // D^-1 U^-T b
    double* reduced = factor;
    double* scaled = factor + stride * stride;
    std::copy_n(system.b, stride, rest);
    std::fill_n(half_solved, stride, 0.0);
    for (std::size_t k = 0; k < dimension; k += pivots_at_once) {
        const std::size_t pivots = std::min(pivots_at_once, dimension - k);
        double inverses[pivots_at_once];
        reduce_rows(system, k, reduced, scaled);
        if (!eliminate(system, k, reduced, scaled, inverses)) {
            return false;
        }
        for (std::size_t i = 0; i < pivots; ++i) {
            const double own = rest[k + i];
            half_solved[k + i] = inverses[i] * own;
            add_vector(-own, scaled + (k + i) * stride, rest, k + i, stride);
        }
    }
    std::fill_n(x, stride, 0.0);
    // Four rows at once: numbers that are stored one by one and read as a vector are waited for.
    for (std::size_t k = (dimension - 1) / pivots_at_once * pivots_at_once + pivots_at_once; k > 0;) {
        k -= pivots_at_once;
        double own[pivots_at_once];
#pragma GCC unroll 4
        for (std::size_t i = 0; i < pivots_at_once; ++i) {
            own[i] = half_solved[k + i] - dot_from(scaled + (k + i) * stride, x, k, stride);
        }
#pragma GCC unroll 4
        for (std::size_t i = pivots_at_once; i-- > 0;) {
#pragma GCC unroll 4
            for (std::size_t j = i + 1; j < pivots_at_once; ++j) {
                own[i] = own[i] - scaled[(k + i) * stride + k + j] * own[j];
            }
        }
        std::copy_n(own, pivots_at_once, x + k);
    }
    return true;
}

double dot_product(const double* a, const double* b, std::size_t stride) {
    return dot_from(a, b, 0, stride);
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(write_residuals);
HWY_EXPORT(sums_along_arc);
HWY_EXPORT(move_along_arc);
HWY_EXPORT(add_row);
HWY_EXPORT(subtract_row);
HWY_EXPORT(add_products_of_columns);
HWY_EXPORT(add_accurate_products);
HWY_EXPORT(solve_updated_system);
HWY_EXPORT(dot_product);

double write_residuals(const double* products, const ResidualBounds& of, std::size_t size, double* residuals) {
    return HWY_DYNAMIC_DISPATCH(write_residuals)(products, of, size, residuals);
}

ArcSums sums_along_arc(const double* products, const float* changes, const ResidualBounds& of, std::size_t size,
                       const ArcPoint& at) {
    return HWY_DYNAMIC_DISPATCH(sums_along_arc)(products, changes, of, size, at);
}

void move_along_arc(double* products, const float* changes, std::size_t size, const ArcPoint& at) {
    HWY_DYNAMIC_DISPATCH(move_along_arc)(products, changes, size, at);
}

void add_row(double factor, const float* row, double* sum, std::size_t stride) {
    HWY_DYNAMIC_DISPATCH(add_row)(factor, row, sum, stride);
}

double subtract_row(const double* vector, const float* row, double* difference, std::size_t stride) {
    return HWY_DYNAMIC_DISPATCH(subtract_row)(vector, row, difference, stride);
}

void add_products_of_columns(const float* rows, std::size_t count, std::size_t dimension, std::size_t stride,
                             double* matrix) {
    HWY_DYNAMIC_DISPATCH(add_products_of_columns)(rows, count, dimension, stride, matrix);
}

void add_products_of_columns(const double* rows, std::size_t count, std::size_t dimension, std::size_t stride,
                             double* matrix) {
    HWY_DYNAMIC_DISPATCH(add_accurate_products)(rows, count, dimension, stride, matrix);
}

double dot_product(const double* a, const double* b, std::size_t stride) {
    return HWY_DYNAMIC_DISPATCH(dot_product)(a, b, stride);
}

bool solve_updated_system(const UpdatedSystem& system, double* scratch, double* factor, double* x) {
    return HWY_DYNAMIC_DISPATCH(solve_updated_system)(system, scratch, factor, x);
}

}  // namespace isogon
#endif
