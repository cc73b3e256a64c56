#include "decomposition/active_kernel.hpp"

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

void gram_row(const ActiveRow& row, const double* v, double* gram) {
    for (const Index j : row.columns) {
        const double* column = v + j * row.rank;
        for (std::size_t k = 0; k < row.rank; ++k) {
            const std::size_t to_diagonal = (k / 8 + 1) * 8;
            add_scaled(column[k], column, to_diagonal, gram + k * row.rank);
        }
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
