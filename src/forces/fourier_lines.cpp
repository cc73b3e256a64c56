#include "forces/fourier_lines.hpp"

#include <cmath>
#include <numbers>
#include <utility>

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

/// One stage: `count` numbers apart lie what is transformed together, and `run` numbers are treated alike.
struct Stage {
    const double* real;
    const double* imaginary;
    double* to_real;
    double* to_imaginary;
    std::size_t run;

    [[nodiscard]] Complex get(std::size_t place) const { return {real[place], imaginary[place]}; }
    void put(std::size_t place, Complex z) const {
        to_real[place] = z.real;
        to_imaginary[place] = z.imaginary;
    }
};

void halves(const Stage& stage, std::size_t from, std::size_t apart, std::size_t to, Complex w) {
    for (std::size_t q = 0; q < stage.run; ++q) {
        const Complex a = stage.get(from + q);
        const Complex b = stage.get(from + apart + q);
        stage.put(to + q, a + b);
        stage.put(to + stage.run + q, (a - b) * w);
    }
}

void thirds(const Stage& stage, std::size_t from, std::size_t apart, std::size_t to, Complex w) {
    const Complex w2 = w * w;
    const double sine = 0.5 * std::numbers::sqrt3;
    for (std::size_t q = 0; q < stage.run; ++q) {
        const Complex a = stage.get(from + q);
        const Complex b = stage.get(from + apart + q);
        const Complex c = stage.get(from + 2 * apart + q);
        const Complex sum = b + c;
        const Complex middle{a.real - 0.5 * sum.real, a.imaginary - 0.5 * sum.imaginary};
        const Complex side = turned({sine * (b.real - c.real), sine * (b.imaginary - c.imaginary)});
        stage.put(to + q, a + sum);
        stage.put(to + stage.run + q, (middle + side) * w);
        stage.put(to + 2 * stage.run + q, (middle - side) * w2);
    }
}

void quarters(const Stage& stage, std::size_t from, std::size_t apart, std::size_t to, Complex w) {
    const Complex w2 = w * w;
    const Complex w3 = w2 * w;
    for (std::size_t q = 0; q < stage.run; ++q) {
        const Complex a = stage.get(from + q);
        const Complex b = stage.get(from + apart + q);
        const Complex c = stage.get(from + 2 * apart + q);
        const Complex d = stage.get(from + 3 * apart + q);
        const Complex even = a + c;
        const Complex odd = b + d;
        const Complex difference = a - c;
        const Complex side = turned(b - d);
        stage.put(to + q, even + odd);
        stage.put(to + stage.run + q, (difference + side) * w);
        stage.put(to + 2 * stage.run + q, (even - odd) * w2);
        stage.put(to + 3 * stage.run + q, (difference - side) * w3);
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
        cosines_[t] = std::cos(angle);
        sines_[t] = std::sin(angle);
    }
}

void FourierLines::transform(Workspace& work) const {
    std::size_t rest = length_;
    std::size_t stride = 1;
    for (const std::size_t radix : radices_) {
        const std::size_t parts = rest / radix;
        const std::size_t apart = parts * stride * lanes;
        const Stage stage{work.real.data(), work.imaginary.data(), work.other_real.data(), work.other_imaginary.data(),
                          stride * lanes};
        const auto butterfly = radix == 4 ? quarters : radix == 2 ? halves : thirds;
        for (std::size_t p = 0; p < parts; ++p) {
            butterfly(stage, p * stage.run, apart, radix * p * stage.run, {cosines_[p * stride], sines_[p * stride]});
        }
        std::swap(work.real, work.other_real);
        std::swap(work.imaginary, work.other_imaginary);
        rest = parts;
        stride *= radix;
    }
}

}  // namespace isogon
