#include "codes/product_quantizer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/clustered_data.hpp"
#include "reference/point_sets.hpp"

namespace isogon::product_quantizer_test {

namespace {

using reference::on_threads;
using reference::random_points;

TEST(ProductQuantizer, PartsAreAlmostEqualAndCoverAllColumns) {
    for (const Index d : {1U, 5U, 16U, 33U}) {
        for (Index parts = 1; parts <= d; ++parts) {
            std::size_t end = 0;
            for (Index m = 0; m < parts; ++m) {
                const Range part = columns_of_part(m, parts, d);
                EXPECT_EQ(part.begin, end);
                EXPECT_GE(part.size(), d / parts);
                EXPECT_LE(part.size(), d / parts + 1);
                end = part.end;
            }
            EXPECT_EQ(end, d);
        }
    }
}

double error(const Points& a, const Points& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.values().size(); ++i) {
        const double difference = double{a.values()[i]} - b.values()[i];
        sum += difference * difference;
    }
    return sum;
}

TEST(ProductQuantizer, CodesAreThoseOfTheNearestCodewords) {
    constexpr Index parts = 3;
    const Points z = random_points(200, 8, 1);
    const Points words = random_points(90, 8, 2);
    const auto codes = nearest_codewords(z.view(), words, parts, on_threads(2));
    for (Index i = 0; i < z.count(); ++i) {
        for (Index m = 0; m < parts; ++m) {
            const Range part = columns_of_part(m, parts, 8);
            const auto squared = [&](Index c) {
                double sum = 0.0;
                for (std::size_t k = part.begin; k < part.end; ++k) {
                    sum += std::pow(double{z[i][k]} - words[c][k], 2);
                }
                return sum;
            };
            for (Index c = 0; c < words.count(); ++c) {
                ASSERT_LE(squared(codes[i * parts + m]), squared(c) + 1e-5);
            }
        }
    }
}

TEST(ProductQuantizer, TheRotationIsOrthogonalAndKeepsLengths) {
    const Points x = reference::sheet_points(600, 12, 4, 3);
    const auto found = learn_product_quantizer(x.view(), 5, 3, 0, on_threads(2));
    for (Index i = 0; i < 12; ++i) {
        for (Index j = 0; j < 12; ++j) {
            double product = 0.0;
            for (Index k = 0; k < 12; ++k) {
                product += double{found.rotation[i][k]} * found.rotation[j][k];
            }
            EXPECT_NEAR(product, i == j ? 1.0 : 0.0, 1e-5);
        }
    }
}

TEST(ProductQuantizer, NoRoundRaisesTheError) {
    const Points x = reference::sheet_points(2000, 16, 5, 4);
    double before = 0.0;
    for (int rounds = 0; rounds < 8; ++rounds) {
        const auto found = learn_product_quantizer(x.view(), 4, rounds, 0, on_threads(2));
        const Points z = rotated(x.view(), found.rotation, on_threads(2));
        const auto codes = nearest_codewords(z.view(), found.centroids, 4, on_threads(2));
        const double now = error(z, codewords_of(codes, found.centroids, 4));
        if (rounds > 0) {
            EXPECT_LE(now, before * (1.0 + 1e-5)) << rounds;
        }
        before = now;
    }
}

// Two strong columns beside weak ones: in one part they would share 256 codewords.
TEST(ProductQuantizer, TheFirstRotationDealsStrongDirectionsToDifferentParts) {
    for (const float unit : {1.0F, 1e-4F}) {
        Points x = random_points(3000, 4, 5);
        for (Index i = 0; i < x.count(); ++i) {
            x[i][0] *= 30.0F;
            x[i][1] *= 20.0F;
            for (float& value : x[i]) {
                value *= unit;
            }
        }
        const auto found = learn_product_quantizer(x.view(), 2, 0, 0, on_threads(1));
        const auto part_of = [&](Index row) {
            Index best = 0;
            for (Index k = 1; k < 4; ++k) {
                best = std::abs(found.rotation[row][k]) > std::abs(found.rotation[row][best]) ? k : best;
            }
            return best / 2;
        };
        EXPECT_NE(part_of(0), part_of(1)) << unit;
    }
}

}  // namespace

}  // namespace isogon::product_quantizer_test
