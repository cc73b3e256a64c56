#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/methods/registry.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::awkward_inputs_test {
namespace {

using reference::on_threads;

std::vector<std::string> method_names() {
    std::vector<std::string> names;
    for (const Method& method : methods()) {
        names.push_back(method.name);
    }
    return names;
}

bool is_finite(const Points& points) {
    return std::all_of(points.values().begin(), points.values().end(),
                       [](float value) { return std::isfinite(value); });
}

class EveryMethod : public testing::TestWithParam<std::string> {
protected:
    /// Runs the method in a way that takes little time; false if it refused the points with an error of its own.
    [[nodiscard]] static bool embed(const Points& x, Index dimension, Embedding& result) {
        OptionValues options{{"dimension", std::int64_t{dimension}}};
        if (GetParam() == "tsm") {
            options["iterations"] = std::int64_t{25};
            options["threshold"] = 0.6;
        }
        if (GetParam() == "tsne") {
            options["iterations"] = std::int64_t{60};
        }
        if (GetParam() == "pca-forces") {
            options["iterations"] = std::int64_t{100};
        }
        if (GetParam() == "pca2" || GetParam() == "lle2") {
            options["iterations"] = std::int64_t{30};
            options["neighbors"] = std::int64_t{std::min<Index>(x.count() - 1, 8)};
        }
        if (GetParam() == "umap") {
            options["epochs"] = std::int64_t{20};
        }
        if (GetParam() == "sde") {
            options["components"] = std::string("bridge");
        }
        if (GetParam() == "lsde") {
            options["components"] = std::string("bridge");
            options["rounds"] = std::int64_t{3};
        }
        const Points points = GetParam() == "nmf" ? reference::magnitudes(x) : x;
        try {
            result = find_method(GetParam()).embed(points.view(), options, on_threads(1));
            return true;
        } catch (const Error& error) {
            EXPECT_STRNE(error.what(), "");
            return false;
        }
    }

    static void expect_usable_or_refused(const Points& x, Index dimension) {
        Embedding result;
        if (embed(x, dimension, result)) {
            EXPECT_EQ(result.coordinates.count(), x.count());
            EXPECT_EQ(result.coordinates.dimension(), dimension);
            EXPECT_TRUE(is_finite(result.coordinates));
            EXPECT_TRUE(result.summary.usable());
            for (const auto& [what, value] : result.summary.measures) {
                EXPECT_TRUE(std::isfinite(value)) << what;
            }
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Registry, EveryMethod, testing::ValuesIn(method_names()), [](const auto& test) {
    std::string name = test.param;  // of letters, digits and underscores
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST_P(EveryMethod, GivesFiniteCoordinatesOrAnErrorForAwkwardPoints) {
    // A semidefinite program takes as long as ten of other methods' maps.
    const Index step = GetParam() == "sde" || GetParam() == "lsde" ? 4 : 1;
    for (Index count = 2; count <= 40; count += step) {
        for (const Index dimension : {Index{1}, Index{2}, std::min<Index>(count - 1, 7)}) {
            SCOPED_TRACE(std::to_string(count) + " points to " + std::to_string(dimension));
            expect_usable_or_refused(reference::awkward_points(count, 7, count), dimension);
            expect_usable_or_refused(reference::whole_points(count, 7, 1, count), dimension);
        }
    }
}

TEST_P(EveryMethod, RefusesPointsThatAreAllEqual) {
    Embedding result;
    EXPECT_FALSE(embed(reference::equal_points(9, 4), 2, result));
    EXPECT_FALSE(embed(Points(9, 4), 2, result));
}

TEST_P(EveryMethod, TakesMoreDimensionsThanThePointsHave) {
    const support::Matrix flat =
        support::to_matrix(support::clustered_points(60, 2, 5, 0.4, 1)) * support::random_matrix(2, 12, 2);
    for (const Index dimension : {1, 2, 3, 5, 12}) {
        SCOPED_TRACE(dimension);
        expect_usable_or_refused(support::to_points(flat), dimension);
    }
}

/// Eigenvectors of length 1 have no unit, and what a Gaussian kernel makes of points, or a perplexity, has none.
bool has_a_unit(const std::string& method) {
    return method != "lle" && method != "laplacian" && method != "kpca" && method != "tsne" && method != "umap" &&
           method != "pca2" && method != "lle2";
}

/// Lengths that float32 holds but whose products it does not.
TEST_P(EveryMethod, DoesNotCareForTheUnitOfLength) {
    const Points x = support::clustered_points(60, 8, 5, 0.4, 3);
    Embedding expected;
    ASSERT_TRUE(embed(x, 3, expected));
    const double largest = support::to_matrix(expected.coordinates).cwiseAbs().maxCoeff();
    for (const double power : {-110.0, -70.0, -40.0, -10.0, 10.0, 40.0, 63.0, 64.0, 70.0, 120.0}) {
        SCOPED_TRACE("times 2^" + std::to_string(power));
        const double factor = std::exp2(power);
        Embedding result;
        ASSERT_TRUE(embed(reference::scaled(x, static_cast<float>(factor)), 3, result));
        ASSERT_TRUE(is_finite(result.coordinates));
        const support::Matrix back = support::to_matrix(result.coordinates) / (has_a_unit(GetParam()) ? factor : 1.0);
        EXPECT_LT(support::difference(back, support::to_matrix(expected.coordinates)), 1e-4 * largest);
    }
}

}  // namespace
}  // namespace isogon::awkward_inputs_test
