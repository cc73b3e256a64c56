#include "decomposition/active_kernel.hpp"

#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "decomposition/active_kernel.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;

HWY_INLINE Vector partial_dot(const double* a, const double* b, std::size_t rank, Vector sum) {
    const Doubles tag;
    for (std::size_t k = 0; k < rank; k += hn::Lanes(tag)) {
        sum = hn::MulAdd(hn::LoadU(tag, a + k), hn::LoadU(tag, b + k), sum);
    }
    return sum;
}

/// out += factor * v
HWY_INLINE void add_scaled(double factor, const double* v, std::size_t rank, double* out) {
    const Doubles tag;
    const Vector factors = hn::Set(tag, factor);
    for (std::size_t k = 0; k < rank; k += hn::Lanes(tag)) {
        hn::StoreU(hn::MulAdd(factors, hn::LoadU(tag, v + k), hn::LoadU(tag, out + k)), tag, out + k);
    }
}

double residual_row(const ActiveRow& row, const SupportRow& support, const double* w, const double* v,
                    double* gradient) {
    const Doubles tag;
    double squares = 0.0;
    std::size_t next = 0;
    for (const Index j : row.columns) {
        const bool on_support = next < support.columns.size() && support.columns[next] == j;
        const double target = on_support ? support.values[next++] : 0.0;
        const double* column = v + j * row.rank;
        const Vector sums = partial_dot(w, column, row.rank, hn::Zero(tag));
        const double residual = target - hn::GetLane(hn::SumOfLanes(tag, sums));
        squares += residual * residual;
        add_scaled(residual, column, row.rank, gradient);
    }
    return squares;
}

void normal_row(const ActiveRow& row, const double* w, const double* v, const double* p, const double* q, double* out) {
    const Doubles tag;
    for (const Index j : row.columns) {
        const double* column = v + j * row.rank;
        const Vector sum = partial_dot(p, column, row.rank, hn::Zero(tag));
        const double change = hn::GetLane(hn::SumOfLanes(tag, partial_dot(w, q + j * row.rank, row.rank, sum)));
        add_scaled(change, column, row.rank, out);
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
                sum = hn::MulAdd(hn::Set(tag, column[k]), hn::LoadU(tag, column + l), sum);
            }
            hn::StoreU(sum, tag, out + l);
        }
    }
}

void gram_row(const ActiveRow& row, const double* v, double* gram) {
    const std::size_t fours = row.columns.size() / 4 * 4;
    for (std::size_t next = 0; next < fours; next += 4) {
        const Index* j = row.columns.data() + next;
        add_outer_products<4>({v + j[0] * row.rank, v + j[1] * row.rank, v + j[2] * row.rank, v + j[3] * row.rank},
                              row.rank, gram);
    }
    for (const Index j : row.columns.subspan(fours)) {
        add_outer_products<1>({v + j * row.rank}, row.rank, gram);
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(residual_row);
HWY_EXPORT(normal_row);
HWY_EXPORT(gram_row);

double residual_row(const ActiveRow& row, const SupportRow& support, const double* w, const double* v,
                    double* gradient) {
    return HWY_DYNAMIC_DISPATCH(residual_row)(row, support, w, v, gradient);
}

void normal_row(const ActiveRow& row, const double* w, const double* v, const double* p, const double* q, double* out) {
    HWY_DYNAMIC_DISPATCH(normal_row)(row, w, v, p, q, out);
}

void gram_row(const ActiveRow& row, const double* v, double* gram) {
    HWY_DYNAMIC_DISPATCH(gram_row)(row, v, gram);
}

}  // namespace isogon
#endif
