#include "isogon/transform/new_point_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::new_point_map_test {

namespace {

/// The first number of a row, divided by the second.
class Quotient final : public NewPointMap {
public:
    [[nodiscard]] Index input_dimension() const override { return 2; }
    [[nodiscard]] Index output_dimension() const override { return 1; }
    [[nodiscard]] Index fitted_count() const override { return 0; }

private:
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Summary& summary,
                                        const RunContext& context) const override {
        throw_if_cancelled(context);
        summary.count("divided", rows.count);
        Points result(rows.count, 1);
        for (Index i = 0; i < rows.count; ++i) {
            result[i][0] = rows[i][0] / rows[i][1];
        }
        return result;
    }
};

TEST(NewPointMap, TellsHowItWent) {
    const Points rows = reference::random_points(20, 2, 1);
    const Transformed result = Quotient().transform(rows.view(), reference::on_threads(3));
    ASSERT_EQ(result.coordinates.count(), 20U);
    EXPECT_EQ(result.coordinates[7][0], rows[7][0] / rows[7][1]);
    EXPECT_EQ(result.summary.value("divided"), 20.0);
    EXPECT_EQ(result.summary.threads, 3);
    EXPECT_EQ(result.summary.message, "20 points, each on its own");
    ASSERT_EQ(result.summary.seconds.size(), 1U);
    EXPECT_EQ(result.summary.seconds.front().first, "transform");
    EXPECT_TRUE(Quotient().only_way().empty());
}

TEST(NewPointMap, RefusesPointsOfAnotherDimension) {
    const Points rows = reference::random_points(5, 3, 1);
    EXPECT_THROW((void)Quotient().transform(rows.view(), {}), InvalidArgument);
    EXPECT_THROW(Quotient().require_dimension(rows.view()), InvalidArgument);
}

TEST(NewPointMap, NamesTheFirstRowBeyondFloat) {
    Points rows = reference::random_points(5, 2, 1);
    rows[3][1] = rows[4][1] = 0.0F;
    try {
        (void)Quotient().transform(rows.view(), {});
        FAIL() << "infinite coordinates were given";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("row 3"), std::string::npos) << error.what();
    }
}

TEST(NewPointMap, HasNoCoordinatesOfARunThatWasEnded) {
    RunContext context;
    context.limit_seconds(0.0);
    const Transformed result = Quotient().transform(reference::random_points(5, 2, 1).view(), context);
    EXPECT_TRUE(result.coordinates.empty());
    EXPECT_EQ(result.summary.termination, Termination::TimeLimit);
    EXPECT_EQ(result.summary.message, "ended before all points had coordinates");
}

}  // namespace

}  // namespace isogon::new_point_map_test
