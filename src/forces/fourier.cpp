#include "forces/grid_repulsion.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include "core/parallel.hpp"
#include "core/trigonometry.hpp"

namespace isogon {

namespace {

struct Complex {
    double real = 0.0;
    double imaginary = 0.0;
};

Complex operator+(Complex a, Complex b) {
    return {a.real + b.real, a.imaginary + b.imaginary};
}

Complex operator-(Complex a, Complex b) {
    return {a.real - b.real, a.imaginary - b.imaginary};
}

Complex operator*(Complex a, Complex b) {
    return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

/// -i z
Complex turned(Complex z) {
    return {z.imaginary, -z.real};
}

constexpr std::size_t lanes = FourierLines::lanes;
constexpr std::size_t number = 2 * lanes;  // real parts, then imaginary ones

/// Input and output of one butterfly: numbers `apart` and `apart_to` doubles from each other. `from` and `to` are
/// different arrays; without __restrict the compiler does not vectorise.
struct Butterfly {
    const double* __restrict from;
    double* __restrict to;
    std::size_t apart;
    std::size_t apart_to;

    [[nodiscard]] Complex get(std::size_t k, std::size_t lane) const {
        return {from[k * apart + lane], from[k * apart + lanes + lane]};
    }
    void put(std::size_t k, std::size_t lane, Complex z) const {
        to[k * apart_to + lane] = z.real;
        to[k * apart_to + lanes + lane] = z.imaginary;
    }
};

void radix2(const Butterfly& butterfly, Complex w) {
#pragma GCC ivdep
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Complex a = butterfly.get(0, lane);
        const Complex b = butterfly.get(1, lane);
        butterfly.put(0, lane, a + b);
        butterfly.put(1, lane, (a - b) * w);
    }
}

void radix3(const Butterfly& butterfly, Complex w) {
    const Complex w2 = w * w;
    constexpr double sine = 0.5 * std::numbers::sqrt3;
#pragma GCC ivdep
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Complex a = butterfly.get(0, lane);
        const Complex b = butterfly.get(1, lane);
        const Complex c = butterfly.get(2, lane);
        const Complex sum = b + c;
        const Complex middle{a.real - 0.5 * sum.real, a.imaginary - 0.5 * sum.imaginary};
        const Complex side = turned({sine * (b.real - c.real), sine * (b.imaginary - c.imaginary)});
        butterfly.put(0, lane, a + sum);
        butterfly.put(1, lane, (middle + side) * w);
        butterfly.put(2, lane, (middle - side) * w2);
    }
}

void radix4(const Butterfly& butterfly, Complex w) {
    const Complex w2 = w * w;
    const Complex w3 = w2 * w;
#pragma GCC ivdep
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Complex a = butterfly.get(0, lane);
        const Complex b = butterfly.get(1, lane);
        const Complex c = butterfly.get(2, lane);
        const Complex d = butterfly.get(3, lane);
        const Complex even = a + c;
        const Complex odd = b + d;
        const Complex difference = a - c;
        const Complex side = turned(b - d);
        butterfly.put(0, lane, even + odd);
        butterfly.put(1, lane, (difference + side) * w);
        butterfly.put(2, lane, (even - odd) * w2);
        butterfly.put(3, lane, (difference - side) * w3);
    }
}

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
        const std::size_t parts = rest / radix;
        const auto butterfly = radix == 4 ? radix4 : radix == 2 ? radix2 : radix3;
        for (std::size_t p = 0; p < parts; ++p) {
            const Complex w{cosines_[p * stride], sines_[p * stride]};
            for (std::size_t q = 0; q < stride; ++q) {
                butterfly(
                    {work.values.data() + (p * stride + q) * number,
                     work.others.data() + (radix * p * stride + q) * number, parts * stride * number, stride * number},
                    w);
            }
        }
        std::swap(work.values, work.others);
        rest = parts;
        stride *= radix;
    }
}

namespace {

constexpr std::size_t lines_of_task = 4 * lanes;

/// Transforms columns [first, first + count) of the plane in the workspace.
void transform_columns(const FourierLines& lines, FourierPlane& plane, std::size_t first, std::size_t count,
                       FourierLines::Workspace& work) {
    for (std::size_t t = 0; t < plane.rows; ++t) {
        std::copy_n(plane.real.data() + plane.place(t, first), count, work.real(t));
        std::copy_n(plane.imaginary.data() + plane.place(t, first), count, work.imaginary(t));
    }
    lines.transform(work);
    for (std::size_t t = 0; t < plane.rows; ++t) {
        std::copy_n(work.real(t), count, plane.real.data() + plane.place(t, first));
        std::copy_n(work.imaginary(t), count, plane.imaginary.data() + plane.place(t, first));
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
