#include "methods/input_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/distributed_copy.hpp"
#include "support/quick_fits.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::input_points_test {

namespace {

template <class Exception, class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const Exception& error) {
        return error.what();
    }
    return "nothing was thrown";
}

template <class Exception>
std::string message_of(const DistributedPoints& x, int dimension) {
    return message_of<Exception>([&] { require_points(x, dimension); });
}

TEST(RequireStartShape, ARowOfTheDimensionForEachPointOrNothing) {
    EXPECT_NO_THROW(require_start_shape({}, 5, 2));
    Points start(5, 2);
    EXPECT_NO_THROW(require_start_shape(start.view(), 5, 2));
    EXPECT_THROW(require_start_shape(start.view(), 4, 2), InvalidArgument);
    EXPECT_THROW(require_start_shape(start.view(), 5, 3), InvalidArgument);
    start[3][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(require_start_shape(start.view(), 5, 2), InputError);
}

TEST(InputChecks, NamesTheBoundThatADimensionBreaks) {
    const Points wide = support::to_points(support::random_matrix(4, 9, 1));
    EXPECT_NE(message_of<InvalidArgument>(wide.view(), 0).find("dimension = 0"), std::string::npos);
    EXPECT_NE(message_of<InvalidArgument>(wide.view(), 10).find("at most 9"), std::string::npos);
    EXPECT_NE(message_of<InvalidArgument>(wide.view(), 4).find("below 4, the number of points"), std::string::npos);
    EXPECT_NE(message_of<InvalidArgument>(wide.view(), -1).find("dimension = -1"), std::string::npos);
}

TEST(InputChecks, OfGraphsAndKernelsOnlyThePointsBoundADimension) {
    const Points narrow = support::to_points(support::random_matrix(9, 2, 1));
    EXPECT_THROW(require_points(narrow.view(), 3), InvalidArgument);
    EXPECT_NO_THROW(require_points(narrow.view(), 8, MostNumbers::OfPoints));
    EXPECT_THROW(require_points(narrow.view(), 0, MostNumbers::OfPoints), InvalidArgument);
    EXPECT_THROW(require_points(narrow.view(), 9, MostNumbers::OfPoints), InvalidArgument);
}

/// All methods but those that turn and shorten the inputs give more numbers than these have, all of them finite.
TEST(InputChecks, MethodsOnGraphsAndKernelsGiveMoreNumbersThanTheInputsHave) {
    const Points sheet = reference::random_points(60, 2, 3);
    std::set<std::string> narrow;
    for (const Method& method : methods()) {
        OptionValues options{{"dimension", std::int64_t{4}}};
        if (method.name == "kpca") {
            options["kernel"] = std::string("gaussian");
        }
        try {
            const Embedding result = method.embed(sheet.view(), options, {});
            ASSERT_EQ(result.coordinates.dimension(), 4U) << method.name;
            EXPECT_NO_THROW(require_finite(result.coordinates.view(), "coordinates")) << method.name;
        } catch (const InvalidArgument& error) {
            EXPECT_NE(std::string(error.what()).find("at most 2, the dimension"), std::string::npos) << error.what();
            narrow.insert(method.name);
        }
    }
    EXPECT_EQ(narrow, (std::set<std::string>{"faithful", "mds", "pca", "pca-forces", "svd", "tsm", "nmf"}));
}

TEST(InputChecks, RefusesPointsThatSayNothing) {
    const Points one = support::to_points(support::random_matrix(1, 3, 1));
    EXPECT_NE(message_of<InputError>(one.view(), 1).find("1 point of 3 numbers"), std::string::npos);
    const Points equal = support::to_points(support::Matrix::Constant(6, 3, 2.0));
    EXPECT_NE(message_of<InputError>(equal.view(), 2).find("all 6 points are equal"), std::string::npos);
}

Summary warned(const Points& points, Metric metric = Metric::Cosine) {
    Summary summary;
    warn_of_long_coordinate(points.view(), metric, summary);
    return summary;
}

TEST(LongCoordinate, IsNamedWithItsShareAndARemedy) {
    Points points(9000, 3);
    for (Index i = 0; i < points.count(); ++i) {
        points[i][0] = static_cast<float>(i % 7) - 3.0F;
        points[i][1] = 100.0F + static_cast<float>(i % 2);
        points[i][2] = static_cast<float>(i % 5) - 2.0F;
    }
    const Summary by_mean = warned(points);
    ASSERT_EQ(by_mean.warnings.size(), 1U);
    EXPECT_NE(by_mean.warnings[0].find("coordinate 1, of 0 to 2, carries 99%"), std::string::npos)
        << by_mean.warnings[0];
    EXPECT_NE(by_mean.warnings[0].find("pca"), std::string::npos);
    for (Index i = 0; i < points.count(); ++i) {
        points[i][1] = i % 2 == 0 ? 500.0F : -500.0F;
    }
    const Summary by_spread = warned(points);
    ASSERT_EQ(by_spread.warnings.size(), 1U);
    EXPECT_EQ(by_spread.warnings[0].find("pca"), std::string::npos) << "its variance is as large";
}

TEST(LongCoordinate, IsNotSeenWhereOthersCountOrPointsAreNone) {
    Points points(4, 2);
    points[0][0] = points[1][1] = 3.0F;
    points[0][1] = points[1][0] = 4.0F;  // rows 2 and 3 are zero
    EXPECT_TRUE(warned(points).warnings.empty());
    Points line(3, 1);
    line[0][0] = 5.0F;
    EXPECT_TRUE(warned(line).warnings.empty());
}

/// Counts of which a third are zero, in units of which one is a thousand times another.
Points counts(double unit) {
    Points points = support::to_points(support::random_matrix(500, 6, 4));
    for (Index i = 0; i < points.count(); ++i) {
        for (Index k = 0; k < 6; ++k) {
            const float value = std::floor(20.0F * std::abs(points[i][k]));
            points[i][k] = (i + 3 * k) % 10 < 3 ? 0.0F : value * static_cast<float>(k == 2 ? unit : 1.0);
        }
    }
    return points;
}

TEST(LongCoordinate, IsSeenInDistancesAndAnglesThoughAThirdOfItIsZero) {
    for (const Metric metric : {Metric::Euclidean, Metric::Manhattan, Metric::Cosine, Metric::Correlation}) {
        const Summary long_one = warned(counts(1000.0), metric);
        ASSERT_EQ(long_one.warnings.size(), 1U) << name(metric);
        EXPECT_NE(long_one.warnings[0].find("coordinate 2, of 0 to 5, carries 99%"), std::string::npos)
            << long_one.warnings[0];
        EXPECT_TRUE(warned(counts(1.0), metric).warnings.empty()) << name(metric);
        EXPECT_TRUE(warned(counts(2.0), metric).warnings.empty()) << name(metric);
    }
    EXPECT_TRUE(warned(counts(1000.0), Metric::Hamming).warnings.empty());
}

TEST(LongCoordinate, IsNoneInNoiseInOneHotRowsAndBesideASingleFarPoint) {
    for (const Metric metric : {Metric::Euclidean, Metric::Manhattan, Metric::Cosine}) {
        for (const Index dimension : {2, 3, 20}) {
            Points noise = support::to_points(support::random_matrix(400, dimension, dimension));
            EXPECT_TRUE(warned(noise, metric).warnings.empty()) << name(metric) << ' ' << dimension;
            noise[17][1] = 1e6F;
            EXPECT_TRUE(warned(noise, metric).warnings.empty()) << name(metric) << ' ' << dimension;
        }
        Points classes(300, 3);  // one class has two thirds of the rows
        for (Index i = 0; i < classes.count(); ++i) {
            classes[i][i % 6 < 4 ? 1 : i % 3] = 1.0F;
        }
        EXPECT_TRUE(warned(classes, metric).warnings.empty()) << name(metric);
        Points alone(300, 3);  // other coordinates that say nothing are not drowned
        for (Index i = 0; i < alone.count(); ++i) {
            alone[i][1] = static_cast<float>(i);
        }
        EXPECT_TRUE(warned(alone, metric).warnings.empty()) << name(metric);
    }
}

TEST(InputChecks, NamesRowAndColumnOfTheFirstNumberThatIsNone) {
    Points x = support::to_points(support::random_matrix(5, 4, 1));
    x[3][1] = std::numeric_limits<float>::infinity();
    x[2][3] = std::numeric_limits<float>::quiet_NaN();
    const std::string message = message_of<InputError>(x.view(), 2);
    EXPECT_NE(message.find("row 2, column 3"), std::string::npos);
    EXPECT_NE(message.find("NaN"), std::string::npos);
}

TEST(InputChecks, NameTheRankThatHoldsOtherThings) {
    const Points x = support::to_points(support::random_matrix(5, 4, 1));
    const OptionValues options{{"dimension", std::int64_t{2}}};
    EXPECT_NO_THROW(require_same_on_all_ranks(x.view(), options));
    support::ThreadCommunicator::run(4, [&](const Communicator& communicator) {
        EXPECT_NO_THROW(require_same_on_all_ranks({x.view(), communicator}, options));
        Points other = x;
        other[4][3] = communicator.rank() == 2 ? -other[4][3] : other[4][3];
        EXPECT_EQ(message_of<InputError>([&] {
                      require_same_on_all_ranks({other.view(), communicator}, options);
                  }),
                  "rank 2: holds other points than rank 0: give all ranks the same");
        const OptionValues more{{"dimension", std::int64_t{communicator.rank() == 3 ? 3 : 2}}};
        EXPECT_THROW(require_same_on_all_ranks({x.view(), communicator}, more), InputError);
    });
}

TEST(InputChecks, RanksThatDividePointsFindWhatOneProcessFinds) {
    Points x = support::to_points(support::random_matrix(200, 3, 1));
    const OptionValues options{{"dimension", std::int64_t{2}}};
    support::on_ranks(3, x.view(), [&](const RunContext&, const DistributedPoints& points) {
        EXPECT_NO_THROW(require_points(points, 2));
        EXPECT_NO_THROW(require_same_on_all_ranks(points, options));
        EXPECT_THROW(require_points(points, 4), InvalidArgument);
    });
    Points equal = support::to_points(support::Matrix::Constant(200, 3, 2.0));
    const std::string expected = message_of<InputError>(equal.view(), 2);
    support::on_ranks(3, equal.view(), [&](const RunContext&, const DistributedPoints& points) {
        EXPECT_EQ(message_of<InputError>(points, 2), expected);
    });
    equal[199][2] = 3.0F;  // only the last rank owns it
    support::on_ranks(3, equal.view(), [&](const RunContext&, const DistributedPoints& points) {
        EXPECT_NO_THROW(require_points(points, 2));
    });
}

using support::Matrix;
using support::to_matrix;

Points example() {
    Points x = reference::random_points(301, 7, 1);
    std::fill(x[5].begin(), x[5].end(), 0.0F);
    for (float& value : x[9]) {
        value *= 1e-20F;
    }
    for (float& value : x[12]) {
        value *= 1e3F;
    }
    return x;
}

TEST(PointsOfLengthOne, AreDividedByTheirLengths) {
    const Points x = example();
    const PointsOfLengthOne unit = at_length_one(x.view(), {});
    Matrix wanted = to_matrix(x).rowwise().normalized();
    wanted.row(5).setZero();
    EXPECT_LT(support::difference(to_matrix(unit.points), wanted), 1e-7);
    for (Index i = 0; i < x.count(); ++i) {
        EXPECT_EQ(unit.lengths[i], i == 5 ? 0.0F : 1.0F);
    }
}

TEST(PointsOfLengthOne, ReadRowsThatAreNotDense) {
    const Points x = example();
    const PointsView every_other(x.view().data, 150, 5, std::size_t{2} * x.dimension());
    const PointsOfLengthOne unit = at_length_one(every_other, {});
    Points dense(150, 5);
    for (Index i = 0; i < 150; ++i) {
        std::copy_n(x[2 * i].begin(), 5, dense[i].begin());
    }
    EXPECT_EQ(to_matrix(unit.points), to_matrix(at_length_one(dense.view(), {}).points));
}

TEST(PointsOfLengthOne, OfARankAreItsOwnWithTheLengthsOfAll) {
    Points x = reference::random_points(300, 4, 5);
    std::fill(x[120].begin(), x[120].end(), 0.0F);
    const PointsOfLengthOne whole = at_length_one(x.view(), {});
    support::on_ranks(3, x.view(), [&](const RunContext& context, const DistributedPoints& points) {
        const PointsOfLengthOne own = at_length_one(points, context);
        EXPECT_EQ(own.lengths, whole.lengths);
        EXPECT_EQ(own.points.count(), points.local_range().size());
        for (Index i = 0; i < own.points.count(); ++i) {
            const auto row = whole.points[static_cast<Index>(points.local_range().begin + i)];
            EXPECT_TRUE(std::equal(row.begin(), row.end(), std::as_const(own.points)[i].begin()));
        }
    });
}

PointsView rows_without_numbers(Index count) {
    return {nullptr, count, 0};
}

/// Few steps, and a start that needs no points.
OptionValues quick(const Method& method) {
    OptionValues options = support::quick_options(method.name, 90, 2);
    if (method.name == "tsne") {
        options["start"] = std::string("random");
    }
    return options;
}

class GraphAlone : public testing::Test {
protected:
    Points points_ = reference::random_points(90, 4, 1);
    NeighborLists lists_ = reference::euclidean_lists(points_, 7);
    FitExtras extras_{.neighbors = &lists_};
    PointsView rows_ = rows_without_numbers(90);
};

TEST_F(GraphAlone, GivesTheSameBitsAsWithThePoints) {
    Index tried = 0;
    for (const Method& method : methods()) {
        if (!method.accepts_precomputed || method.name == "faithful") {  // faithful begins at the components of points
            continue;
        }
        ++tried;
        const Embedding with = method.embed(points_.view(), quick(method), {}, extras_);
        const Embedding alone = method.embed(rows_, quick(method), {.threads = 3}, extras_);
        ASSERT_EQ(alone.coordinates.count(), 90U) << method.name;
        EXPECT_TRUE(std::ranges::equal(with.coordinates.values(), alone.coordinates.values())) << method.name;
    }
    EXPECT_EQ(tried, 4U);
}

TEST_F(GraphAlone, IsRefusedByAllOtherMethods) {
    for (const Method& method : methods()) {
        if (!method.accepts_precomputed) {
            EXPECT_THROW((void)method.embed(rows_, quick(method), {}, extras_), Error) << method.name;
        }
        EXPECT_TRUE(method.uses_neighbors || !method.accepts_precomputed) << method.name;
    }
}

TEST_F(GraphAlone, OfAnyUnitIsTheSame) {
    for (const float factor : {0x1p-100F, 0x1p60F}) {
        NeighborLists other = lists_;
        std::transform(other.distances.begin(), other.distances.end(), other.distances.begin(),
                       [factor](float distance) { return distance * factor; });
        const Method& isomap = find_method("isomap");
        const Embedding usual = isomap.embed(rows_, quick(isomap), {}, extras_);
        const Embedding scaled = isomap.embed(rows_, quick(isomap), {}, {.neighbors = &other});
        for (std::size_t k = 0; k < usual.coordinates.values().size(); ++k) {
            EXPECT_NEAR(scaled.coordinates.values()[k] / factor, usual.coordinates.values()[k], 1e-4);
        }
    }
}

TEST_F(GraphAlone, LeavesNoModel) {
    const Method& umap = find_method("umap");
    const Embedding fitted = umap.embed(rows_, quick(umap), {}, extras_);
    EXPECT_THROW((void)make_model("umap", rows_, fitted), InvalidArgument);
    const Method& isomap = find_method("isomap");
    const Embedding paths = isomap.embed(rows_, quick(isomap), {}, extras_);
    EXPECT_THROW((void)make_model("isomap", rows_, paths), InvalidArgument);
}

TEST_F(GraphAlone, NamesWhatNeedsThePoints) {
    const auto refused = [&](const char* name, const char* option, const char* value) {
        const Method& method = find_method(name);
        OptionValues options = quick(method);
        options[option] = std::string(value);
        return message_of<InvalidArgument>([&] { (void)method.embed(rows_, options, {}, extras_); });
    };
    for (const auto& [method, option, value] : {std::tuple{"tsne", "start", "pca"}, {"umap", "start", "pca"}}) {
        const std::string message = refused(method, option, value);
        EXPECT_NE(message.find(std::string(option) + " = " + value), std::string::npos) << message;
        EXPECT_NE(message.find("needs the points"), std::string::npos) << message;
    }
    const Method& isomap = find_method("isomap");
    const LandmarkOptions landmarks{.landmarks = 20};
    EXPECT_THROW((void)isomap.embed(rows_, quick(isomap), {}, extras_, &landmarks), InvalidArgument);
}

TEST_F(GraphAlone, NamesWhatIsWrongWithTheGraph) {
    const auto check = [&](const NeighborLists& lists, int dimension) {
        const FitExtras extras{.neighbors = &lists};
        return [=, this] { require_points_or_graph({rows_}, dimension, extras); };
    };
    NeighborLists bare = lists_;
    bare.distances.clear();
    EXPECT_NE(message_of<InputError>(check(bare, 2)).find("no distances"), std::string::npos);
    NeighborLists negative = lists_;
    negative.distances[3 * 7] = -1.0F;
    EXPECT_NE(message_of<InputError>(check(negative, 2)).find("row 3"), std::string::npos);
    NeighborLists equal = lists_;
    std::fill(equal.distances.begin(), equal.distances.end(), 0.0F);
    EXPECT_NE(message_of<InputError>(check(equal, 2)).find("nothing to embed"), std::string::npos);
    EXPECT_NE(message_of<InvalidArgument>(check(lists_, 90)).find("below 90"), std::string::npos);
    EXPECT_NE(message_of<InvalidArgument>(check(lists_, 0)).find("dimension = 0"), std::string::npos);
    const NeighborLists few = reference::euclidean_lists(reference::random_points(80, 4, 2), 7);
    EXPECT_NE(message_of<InvalidArgument>(check(few, 2)).find("80 lists"), std::string::npos);
    EXPECT_NO_THROW(check(lists_, 89)());
}

TEST_F(GraphAlone, InSeveralPartsIsRefusedOrTakenAsItIs) {
    NeighborLists parts{.size = 1};
    for (Index i = 0; i < 90; ++i) {
        parts.indices.push_back(i ^ 1U);
        parts.distances.push_back(1.0F);
    }
    const FitExtras extras{.neighbors = &parts};
    const OptionValues options{{"dimension", std::int64_t{2}}, {"neighbors", std::int64_t{1}}};
    for (const char* method : {"isomap", "laplacian"}) {
        const auto fit = [&](const OptionValues& given) { (void)find_method(method).embed(rows_, given, {}, extras); };
        EXPECT_NE(message_of<InputError>([&] { fit(options); }).find("45 components"), std::string::npos);
        for (const char* policy : {"bridge", "largest"}) {
            OptionValues asked = options;
            asked["components"] = std::string(policy);
            const std::string message = message_of<InvalidArgument>([&] { fit(asked); });
            EXPECT_NE(message.find(std::string("components = ") + policy + ": needs the points"), std::string::npos)
                << message;
        }
    }
    // Where there is one part, nothing needs to be known of others.
    for (const char* policy : {"bridge", "largest"}) {
        const Method& isomap = find_method("isomap");
        OptionValues asked = quick(isomap);
        asked["components"] = std::string(policy);
        EXPECT_NO_THROW((void)isomap.embed(rows_, asked, {}, extras_));
    }
    OptionValues drawn = options;
    drawn["iterations"] = std::int64_t{5};
    const Embedding map = find_method("umap").embed(rows_, drawn, {}, extras);
    EXPECT_TRUE(std::ranges::all_of(map.coordinates.values(), [](float value) { return std::isfinite(value); }));
    EXPECT_FALSE(map.summary.warnings.empty());
}

TEST_F(GraphAlone, IsWhatItIsOnlyWithoutNumbers) {
    EXPECT_TRUE(has_graph_alone(rows_, extras_));
    EXPECT_FALSE(has_graph_alone(points_.view(), extras_));
    EXPECT_FALSE(has_graph_alone(rows_, {}));
    EXPECT_EQ(unit_of(points_.view(), extras_, {}).points().data, points_.view().data);
    EXPECT_NO_THROW(require_graph_serves(points_.view(), extras_, true));
    EXPECT_NO_THROW(require_points_to_start(points_.view(), extras_, true));
    EXPECT_THROW(require_points_or_graph({rows_}, 2, {}), InputError);
}

}  // namespace

}  // namespace isogon::input_points_test
