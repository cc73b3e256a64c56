#include "decomposition/residual_kernel.hpp"

#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "decomposition/residual_kernel.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;

/// sums += products of the numbers of a and b, of which there are a multiple of 8.
HWY_INLINE void add_products(const double* a, const double* b, std::size_t rank, LaneSums<double, 8>& sums) {
    const Doubles tag;
    for (std::size_t k = 0; k < rank; k += 8) {
        sums.add([&](std::size_t lane, Vector sum) {
            return multiply_add(hn::LoadU(tag, a + k + lane), hn::LoadU(tag, b + k + lane), sum);
        });
    }
}

/// out += factor * v
HWY_INLINE void axpy(double factor, const double* v, std::size_t rank, double* out) {
    const Doubles tag;
    const Vector factors = hn::Set(tag, factor);
    for (std::size_t k = 0; k < rank; k += hn::Lanes(tag)) {
        hn::StoreU(multiply_add(factors, hn::LoadU(tag, v + k), hn::LoadU(tag, out + k)), tag, out + k);
    }
}

double residual_row(const ActiveRow& row, const SupportRow& support, const double* w, double* gradient) {
    double squares = 0.0;
    std::size_t next = 0;
    for (const Index j : row.columns) {
        const bool on_support = next < support.columns.size() && support.columns[next] == j;
        const double target = on_support ? support.values[next++] : 0.0;
        const double* column = row.vector(j);
        LaneSums<double, 8> sums;
        add_products(w, column, row.rank, sums);
        const double residual = target - sums.total();
        squares += residual * residual;
        axpy(residual, column, row.rank, gradient);
    }
    return squares;
}

void normal_row(const ActiveRow& row, const double* w, const double* p, const double* q, double* out) {
    for (const Index j : row.columns) {
        const double* column = row.vector(j);
        LaneSums<double, 8> sums;
        add_products(p, column, row.rank, sums);
        add_products(w, q + j * row.rank, row.rank, sums);
        axpy(sums.total(), column, row.rank, out);
    }
}

/// gram += sum over `Count` columns of v_j v_j^T, for v_j at `columns`: four at once, as each sum is then read and
/// written once for four products.
template <std::size_t Count>
HWY_INLINE void add_outer_products(const std::array<const double*, Count>& columns, std::size_t rank, double* gram) {
    const Doubles tag;
    for (std::size_t k = 0; k < rank; ++k) {
        const std::size_t to_diagonal = (k / 8 + 1) * 8;
        double* out = gram + k * rank;
        for (std::size_t l = 0; l < to_diagonal; l += hn::Lanes(tag)) {
            Vector sum = hn::LoadU(tag, out + l);
            for (const double* column : columns) {
                sum = multiply_add(hn::Set(tag, column[k]), hn::LoadU(tag, column + l), sum);
            }
            hn::StoreU(sum, tag, out + l);
        }
    }
}

void gram_row(const ActiveRow& row, double* gram) {
    const std::size_t fours = row.columns.size() / 4 * 4;
    for (std::size_t next = 0; next < fours; next += 4) {
        const Index* j = row.columns.data() + next;
        add_outer_products<4>({row.vector(j[0]), row.vector(j[1]), row.vector(j[2]), row.vector(j[3])}, row.rank, gram);
    }
    for (const Index j : row.columns.subspan(fours)) {
        add_outer_products<1>({row.vector(j)}, row.rank, gram);
    }
}

void add_violations(const double* latent, ViolationSums& sums) {
    const Doubles tag;
    for (std::size_t i = 0; i < panel_width; i += hn::Lanes(tag)) {
        Vector squares = hn::Load(tag, sums.squares.data() + i);
        Vector count = hn::Load(tag, sums.counts.data() + i);
        for (std::size_t j = 0; j < panel_width; ++j) {
            const Vector above = hn::Max(hn::Zero(tag), hn::Load(tag, latent + j * panel_width + i));
            squares = multiply_add(above, above, squares);
            count = hn::Add(count, hn::IfThenElseZero(hn::Gt(above, hn::Zero(tag)), hn::Set(tag, 1.0)));
        }
        hn::Store(squares, tag, sums.squares.data() + i);
        hn::Store(count, tag, sums.counts.data() + i);
    }
}

HWY_INLINE Vector plus_square_above(Vector sum, Vector latent, Vector change, double step) {
    const Doubles tag;
    const Vector above = hn::Max(hn::Zero(tag), multiply_add(hn::Set(tag, step), change, latent));
    return multiply_add(above, above, sum);
}

void add_violations_along(const double* latent, const double* change, LineSums& sums) {
    const Doubles tag;
    for (std::size_t i = 0; i < panel_width; i += hn::Lanes(tag)) {
        Vector at_rest = hn::Load(tag, &sums.at(0, i));
        Vector whole = hn::Load(tag, &sums.at(1, i));
        Vector half = hn::Load(tag, &sums.at(2, i));
        Vector quarter = hn::Load(tag, &sums.at(3, i));
        Vector eighth = hn::Load(tag, &sums.at(4, i));
        for (std::size_t j = 0; j < panel_width; ++j) {
            const Vector from = hn::Load(tag, latent + j * panel_width + i);
            const Vector by = hn::Load(tag, change + j * panel_width + i);
            at_rest = plus_square_above(at_rest, from, by, step_lengths[0]);
            whole = plus_square_above(whole, from, by, step_lengths[1]);
            half = plus_square_above(half, from, by, step_lengths[2]);
            quarter = plus_square_above(quarter, from, by, step_lengths[3]);
            eighth = plus_square_above(eighth, from, by, step_lengths[4]);
        }
        hn::Store(at_rest, tag, &sums.at(0, i));
        hn::Store(whole, tag, &sums.at(1, i));
        hn::Store(half, tag, &sums.at(2, i));
        hn::Store(quarter, tag, &sums.at(3, i));
        hn::Store(eighth, tag, &sums.at(4, i));
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(residual_row);
HWY_EXPORT(normal_row);
HWY_EXPORT(gram_row);
HWY_EXPORT(add_violations);
HWY_EXPORT(add_violations_along);

double residual_row(const ActiveRow& row, const SupportRow& support, const double* w, double* gradient) {
    return HWY_DYNAMIC_DISPATCH(residual_row)(row, support, w, gradient);
}

void normal_row(const ActiveRow& row, const double* w, const double* p, const double* q, double* out) {
    HWY_DYNAMIC_DISPATCH(normal_row)(row, w, p, q, out);
}

void gram_row(const ActiveRow& row, double* gram) {
    HWY_DYNAMIC_DISPATCH(gram_row)(row, gram);
}

void add_violations(const double* latent, ViolationSums& sums) {
    HWY_DYNAMIC_DISPATCH(add_violations)(latent, sums);
}

void add_violations_along(const double* latent, const double* change, LineSums& sums) {
    HWY_DYNAMIC_DISPATCH(add_violations_along)(latent, change, sums);
}

}  // namespace isogon
#endif
