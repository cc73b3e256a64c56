#include "forces/grid_repulsion.hpp"

#include <algorithm>
#include <numbers>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "core/trigonometry.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/fourier.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, FourierLines::lanes>;
using Vector = hn::Vec<Doubles>;

// Products and sums are rounded each by itself: the same bits with and without a fused multiply-add.
struct Complex {
    Vector real;
    Vector imaginary;
};

HWY_INLINE Complex add(Complex a, Complex b) {
    return {hn::Add(a.real, b.real), hn::Add(a.imaginary, b.imaginary)};
}

HWY_INLINE Complex subtract(Complex a, Complex b) {
    return {hn::Sub(a.real, b.real), hn::Sub(a.imaginary, b.imaginary)};
}

HWY_INLINE Complex multiply(Complex a, Complex b) {
    return {hn::Sub(hn::Mul(a.real, b.real), hn::Mul(a.imaginary, b.imaginary)),
            hn::Add(hn::Mul(a.real, b.imaginary), hn::Mul(a.imaginary, b.real))};
}

/// -i z
HWY_INLINE Complex turned(Complex z) {
    return {z.imaginary, hn::Neg(z.real)};
}

/// Input and output of one butterfly, of a vector of lines: numbers `apart` and `apart_to` doubles from each other.
struct Butterfly {
    const double* from;
    double* to;
    std::size_t apart;
    std::size_t apart_to;

    [[nodiscard]] HWY_INLINE Complex get(std::size_t k) const {
        return {hn::LoadU(Doubles(), from + k * apart), hn::LoadU(Doubles(), from + k * apart + FourierLines::lanes)};
    }
    HWY_INLINE void put(std::size_t k, Complex z) const {
        hn::StoreU(z.real, Doubles(), to + k * apart_to);
        hn::StoreU(z.imaginary, Doubles(), to + k * apart_to + FourierLines::lanes);
    }
};

HWY_INLINE void radix2(const Butterfly& butterfly, Complex w) {
    const Complex a = butterfly.get(0);
    const Complex b = butterfly.get(1);
    butterfly.put(0, add(a, b));
    butterfly.put(1, multiply(subtract(a, b), w));
}

HWY_INLINE void radix3(const Butterfly& butterfly, Complex w) {
    const Vector sine = hn::Set(Doubles(), 0.5 * std::numbers::sqrt3);
    const Vector half = hn::Set(Doubles(), 0.5);
    const Complex a = butterfly.get(0);
    const Complex b = butterfly.get(1);
    const Complex c = butterfly.get(2);
    const Complex sum = add(b, c);
    const Complex middle{hn::Sub(a.real, hn::Mul(half, sum.real)), hn::Sub(a.imaginary, hn::Mul(half, sum.imaginary))};
    const Complex apart = subtract(b, c);
    const Complex side = turned({hn::Mul(sine, apart.real), hn::Mul(sine, apart.imaginary)});
    butterfly.put(0, add(a, sum));
    butterfly.put(1, multiply(add(middle, side), w));
    butterfly.put(2, multiply(subtract(middle, side), multiply(w, w)));
}

HWY_INLINE void radix4(const Butterfly& butterfly, Complex w) {
    const Complex w2 = multiply(w, w);
    const Complex a = butterfly.get(0);
    const Complex b = butterfly.get(1);
    const Complex c = butterfly.get(2);
    const Complex d = butterfly.get(3);
    const Complex even = add(a, c);
    const Complex odd = add(b, d);
    const Complex difference = subtract(a, c);
    const Complex side = turned(subtract(b, d));
    butterfly.put(0, add(even, odd));
    butterfly.put(1, multiply(add(difference, side), w));
    butterfly.put(2, multiply(subtract(even, odd), w2));
    butterfly.put(3, multiply(subtract(difference, side), multiply(w2, w)));
}

/// One pass over all numbers, `stride` of which share a factor.
void make_pass(const FourierPass& pass, const double* from, double* to) {
    constexpr std::size_t number = 2 * FourierLines::lanes;  // real parts, then imaginary ones
    for (std::size_t p = 0; p < pass.parts; ++p) {
        const Complex w{hn::Set(Doubles(), pass.cosines[p * pass.stride]),
                        hn::Set(Doubles(), pass.sines[p * pass.stride])};
        for (std::size_t q = 0; q < pass.stride; ++q) {
            for (std::size_t lane = 0; lane < FourierLines::lanes; lane += hn::MaxLanes(Doubles())) {
                const Butterfly butterfly{from + (p * pass.stride + q) * number + lane,
                                          to + (pass.radix * p * pass.stride + q) * number + lane,
                                          pass.parts * pass.stride * number, pass.stride * number};
                pass.radix == 4 ? radix4(butterfly, w) : pass.radix == 2 ? radix2(butterfly, w) : radix3(butterfly, w);
            }
        }
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(make_pass);

namespace {

constexpr std::size_t lanes = FourierLines::lanes;

}  // namespace

std::size_t FourierLines::length_for(std::size_t wanted) {
    std::size_t power = 1;
    while (power < wanted) {
        power *= 2;
    }
    const std::size_t between = power / 4 * 3;
    return power >= 4 && between >= wanted ? between : power;
}

FourierLines::FourierLines(std::size_t length) : length_(length), cosines_(length), sines_(length) {
    for (std::size_t rest = length; rest > 1; rest /= radices_.back()) {
        radices_.push_back(rest % 4 == 0 ? 4 : rest % 2 == 0 ? 2 : 3);
    }
    for (std::size_t t = 0; t < length; ++t) {
        const double angle = -2.0 * std::numbers::pi * static_cast<double>(t) / static_cast<double>(length);
        cosines_[t] = elementary::cos(angle);
        sines_[t] = elementary::sin(angle);
    }
}

void FourierLines::transform(Workspace& work) const {
    std::size_t rest = length_;
    std::size_t stride = 1;
    for (const std::size_t radix : radices_) {
        rest /= radix;
        HWY_DYNAMIC_DISPATCH(make_pass)
        ({radix, rest, stride, cosines_.data(), sines_.data()}, work.values.data(), work.others.data());
        std::swap(work.values, work.others);
        stride *= radix;
    }
}

namespace {

constexpr std::size_t lines_of_task = 4 * lanes;

/// Transforms columns [first, first + count) of the plane in the workspace.
void transform_columns(const FourierLines& lines, FourierPlane& plane, std::size_t first, std::size_t count,
                       FourierLines::Workspace& work) {
    // A constant number is copied without a call.
    const auto copy = [count](const double* from, double* to) {
        count == lanes ? std::copy_n(from, lanes, to) : std::copy_n(from, count, to);
    };
    for (std::size_t t = 0; t < plane.rows; ++t) {
        copy(plane.real.data() + plane.place(t, first), work.real(t));
        copy(plane.imaginary.data() + plane.place(t, first), work.imaginary(t));
    }
    lines.transform(work);
    for (std::size_t t = 0; t < plane.rows; ++t) {
        copy(work.real(t), plane.real.data() + plane.place(t, first));
        copy(work.imaginary(t), plane.imaginary.data() + plane.place(t, first));
    }
}

/// Rows [first, first + count), likewise.
void transform_rows(const FourierLines& lines, FourierPlane& plane, std::size_t first, std::size_t count,
                    FourierLines::Workspace& work) {
    for (std::size_t lane = 0; lane < count; ++lane) {
        const double* real = plane.real.data() + plane.place(first + lane, 0);
        const double* imaginary = plane.imaginary.data() + plane.place(first + lane, 0);
        for (std::size_t t = 0; t < plane.columns; ++t) {
            work.real(t)[lane] = real[t];
            work.imaginary(t)[lane] = imaginary[t];
        }
    }
    lines.transform(work);
    for (std::size_t lane = 0; lane < count; ++lane) {
        double* real = plane.real.data() + plane.place(first + lane, 0);
        double* imaginary = plane.imaginary.data() + plane.place(first + lane, 0);
        for (std::size_t t = 0; t < plane.columns; ++t) {
            real[t] = work.real(t)[lane];
            imaginary[t] = work.imaginary(t)[lane];
        }
    }
}

template <class Transform>
void transform_lines(const FourierLines& lines, FourierPlane& plane, std::size_t count, const RunContext& context,
                     const Transform& transform) {
    parallel_blocks(context, count, lines_of_task, [&](Range range) {
        FourierLines::Workspace work(lines.length());
        for (std::size_t first = range.begin; first < range.end; first += lanes) {
            transform(lines, plane, first, std::min(lanes, range.end - first), work);
        }
    });
}

}  // namespace

void PlaneTransform::forward(FourierPlane& plane, std::size_t used_rows, const RunContext& context) const {
    transform_lines(along_rows_, plane, used_rows, context, transform_rows);
    transform_lines(along_columns_, plane, plane.columns, context, transform_columns);
}

void PlaneTransform::inverse(FourierPlane& plane, std::size_t used_rows, const RunContext& context) const {
    std::swap(plane.real, plane.imaginary);
    transform_lines(along_columns_, plane, plane.columns, context, transform_columns);
    transform_lines(along_rows_, plane, used_rows, context, transform_rows);
    std::swap(plane.real, plane.imaginary);
}

}  // namespace isogon
#endif
