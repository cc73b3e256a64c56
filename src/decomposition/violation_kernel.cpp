#include "decomposition/violation_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "decomposition/violation_kernel.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Doubles>;

void add_violations(const double* latent, ViolationSums& sums) {
    const Doubles tag;
    for (std::size_t i = 0; i < panel_width; i += hn::Lanes(tag)) {
        Vector squares = hn::Load(tag, sums.squares.data() + i);
        Vector count = hn::Load(tag, sums.counts.data() + i);
        for (std::size_t j = 0; j < panel_width; ++j) {
            const Vector above = hn::Max(hn::Zero(tag), hn::Load(tag, latent + j * panel_width + i));
            squares = hn::MulAdd(above, above, squares);
            count = hn::Add(count, hn::IfThenElseZero(hn::Gt(above, hn::Zero(tag)), hn::Set(tag, 1.0)));
        }
        hn::Store(squares, tag, sums.squares.data() + i);
        hn::Store(count, tag, sums.counts.data() + i);
    }
}

HWY_INLINE Vector plus_square_above(Vector sum, Vector latent, Vector change, double step) {
    const Doubles tag;
    const Vector above = hn::Max(hn::Zero(tag), hn::MulAdd(hn::Set(tag, step), change, latent));
    return hn::MulAdd(above, above, sum);
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

HWY_EXPORT(add_violations);
HWY_EXPORT(add_violations_along);

void add_violations(const double* latent, ViolationSums& sums) {
    HWY_DYNAMIC_DISPATCH(add_violations)(latent, sums);
}

void add_violations_along(const double* latent, const double* change, LineSums& sums) {
    HWY_DYNAMIC_DISPATCH(add_violations_along)(latent, change, sums);
}

}  // namespace isogon
#endif
