#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "isogon/synthetic/generator.hpp"

namespace isogon::checks {

inline double length(std::span<const float> a) {
    return std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0));
}

inline double distance(std::span<const float> a, std::span<const float> b) {
    return std::sqrt(std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                                        [](double x, double y) { return (x - y) * (x - y); }));
}

inline double cosine(std::span<const float> a, std::span<const float> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / (length(a) * length(b));
}

inline bool same_rows(const Points& a, const Points& b, Index rows) {
    return a.dimension() == b.dimension() &&
           std::equal(a.values().begin(), a.values().begin() + std::ptrdiff_t{rows} * a.dimension(),
                      b.values().begin());
}

inline RunContext threads(int count) {
    RunContext context;
    context.threads = count;
    return context;
}

/// The images for a generator that makes its points of images; nothing for the others.
inline SourceImages images_for(const Generator& generator) {
    static const Generated digits = drawn_digits(20, 3);
    return generator.from_images
               ? SourceImages{digits.points.view(), digits.image_height, digits.image_width, digits.labels}
               : SourceImages{};
}

/// Expects that the value of an option is refused by name.
inline void expect_refused(const Generator& generator, const std::string& option, const OptionValue& value) {
    try {
        (void)generator.generate(3, 0, {{option, value}}, {}, images_for(generator));
        FAIL() << generator.name << " took " << option << " = " << to_text(value);
    } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.field(), option);
    }
}

}  // namespace isogon::checks
