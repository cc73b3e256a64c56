#include "methods/input_points.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/distributed_copy.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::input_points_test {

namespace {

template <class Exception>
std::string message_of(const PointsView& x, int dimension) {
    try {
        require_points(x, dimension);
    } catch (const Exception& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(InputChecks, AcceptsWhatCanBeEmbedded) {
    const Points x = support::to_points(support::random_matrix(5, 4, 1));
    EXPECT_NO_THROW(require_points(x.view(), 1));
    EXPECT_NO_THROW(require_points(x.view(), 4));
}

TEST(InputChecks, NamesTheBoundThatADimensionBreaks) {
    const Points wide = support::to_points(support::random_matrix(4, 9, 1));
    EXPECT_NE(message_of<InvalidArgument>(wide.view(), 0).find("dimension = 0"), std::string::npos);
    EXPECT_NE(message_of<InvalidArgument>(wide.view(), 10).find("at most 9"), std::string::npos);
    EXPECT_NE(message_of<InvalidArgument>(wide.view(), 4).find("below 4, the number of points"), std::string::npos);
    EXPECT_NE(message_of<InvalidArgument>(wide.view(), -1).find("dimension = -1"), std::string::npos);
}

TEST(InputChecks, RefusesPointsThatSayNothing) {
    const Points one = support::to_points(support::random_matrix(1, 3, 1));
    EXPECT_NE(message_of<InputError>(one.view(), 1).find("1 point of 3 numbers"), std::string::npos);
    const Points equal = support::to_points(support::Matrix::Constant(6, 3, 2.0));
    EXPECT_NE(message_of<InputError>(equal.view(), 2).find("all 6 points are equal"), std::string::npos);
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
    EXPECT_NO_THROW(require_same_on_all_ranks(x.view(), options, {}));
    support::ThreadCommunicator::run(4, [&](const Communicator& communicator) {
        RunContext context;
        context.communicator = &communicator;
        EXPECT_NO_THROW(require_same_on_all_ranks(x.view(), options, context));
        Points other = x;
        other[4][3] = communicator.rank() == 2 ? -other[4][3] : other[4][3];
        try {
            require_same_on_all_ranks(other.view(), options, context);
            ADD_FAILURE() << "other points were taken";
        } catch (const InputError& error) {
            EXPECT_STREQ(error.what(), "rank 2: holds other points than rank 0: give all ranks the same");
        }
        const OptionValues more{{"dimension", std::int64_t{communicator.rank() == 3 ? 3 : 2}}};
        EXPECT_THROW(require_same_on_all_ranks(x.view(), more, context), InputError);
    });
}

TEST(InputChecks, RanksThatDividePointsFindWhatOneProcessFinds) {
    Points x = support::to_points(support::random_matrix(200, 3, 1));
    const OptionValues options{{"dimension", std::int64_t{2}}};
    support::on_ranks(3, x.view(), [&](const RunContext& context, const DistributedPoints& points) {
        EXPECT_NO_THROW(require_points(points, 2));
        EXPECT_NO_THROW(require_same_on_all_ranks(points, options, context));
        EXPECT_THROW(require_points(points, 4), InvalidArgument);
    });
    Points equal = support::to_points(support::Matrix::Constant(200, 3, 2.0));
    const std::string expected = message_of<InputError>(equal.view(), 2);
    const auto finds = [&](const DistributedPoints& points) {
        try {
            require_points(points, 2);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("nothing was thrown");
    };
    support::on_ranks(3, equal.view(),
                      [&](const RunContext&, const DistributedPoints& points) { EXPECT_EQ(finds(points), expected); });
    equal[199][2] = 3.0F;  // of the last rank alone
    support::on_ranks(3, equal.view(), [&](const RunContext&, const DistributedPoints& points) {
        EXPECT_EQ(finds(points), "nothing was thrown");
    });
}

using reference::on_threads;
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

TEST(WeightedPoints, AreOfLengthOneWhenEveryPairCountsAlike) {
    const Points x = example();
    const WeightedPoints weighted = weighted_points(x.view(), true, {});
    Matrix wanted = to_matrix(x).rowwise().normalized();
    wanted.row(5).setZero();
    EXPECT_LT(support::difference(to_matrix(weighted.points), wanted), 1e-7);
    for (Index i = 0; i < x.count(); ++i) {
        EXPECT_EQ(weighted.lengths[i], i == 5 ? 0.0F : 1.0F);
    }
}

TEST(WeightedPoints, KeepTheirProportionsWithAMeanSquareOfOneElse) {
    const Points x = example();
    const WeightedPoints weighted = weighted_points(x.view(), false, {});
    const Matrix points = to_matrix(x);
    const double unit = points.norm() / std::sqrt(x.count());
    EXPECT_LT(support::difference(to_matrix(weighted.points), points / unit),
              1e-6 * points.cwiseAbs().maxCoeff() / unit);
    double squares = 0.0;
    for (Index i = 0; i < x.count(); ++i) {
        const double length = double{weighted.lengths[i]};
        EXPECT_NEAR(length, points.row(i).norm() / unit, 1e-6 * length);
        squares += length * length;
    }
    EXPECT_NEAR(squares / x.count(), 1.0, 1e-5);
}

TEST(WeightedPoints, OfZeroVectorsAloneAreZero) {
    for (const bool unit : {true, false}) {
        const WeightedPoints weighted = weighted_points(Points(3, 2).view(), unit, {});
        EXPECT_EQ(to_matrix(weighted.points), Matrix::Zero(3, 2));
        EXPECT_EQ(weighted.lengths, (std::vector<float>{0.0F, 0.0F, 0.0F}));
    }
}

TEST(WeightedPoints, ReadRowsThatAreNotDense) {
    const Points x = example();
    const PointsView every_other(x.view().data, 150, 5, std::size_t{2} * x.dimension());
    const WeightedPoints weighted = weighted_points(every_other, true, {});
    Points dense(150, 5);
    for (Index i = 0; i < 150; ++i) {
        std::copy_n(x[2 * i].begin(), 5, dense[i].begin());
    }
    EXPECT_EQ(to_matrix(weighted.points), to_matrix(weighted_points(dense.view(), true, {}).points));
}

TEST(WeightedPoints, AreTheSameBitsForAnyNumberOfThreads) {
    const Points x = example();
    for (const bool unit : {true, false}) {
        const WeightedPoints one = weighted_points(x.view(), unit, on_threads(1));
        for (const int threads : {2, 3}) {
            const WeightedPoints more = weighted_points(x.view(), unit, on_threads(threads));
            EXPECT_EQ(to_matrix(one.points), to_matrix(more.points));
            EXPECT_EQ(one.lengths, more.lengths);
        }
    }
}

TEST(WeightedPoints, OfARankAreItsOwnWithTheLengthsOfAll) {
    Points x = reference::random_points(300, 4, 5);
    std::fill(x[120].begin(), x[120].end(), 0.0F);
    for (const bool unit : {true, false}) {
        const WeightedPoints whole = weighted_points(x.view(), unit, {});
        support::on_ranks(3, x.view(), [&](const RunContext& context, const DistributedPoints& points) {
            const WeightedPoints own = weighted_points(points, unit, context);
            EXPECT_EQ(own.lengths, whole.lengths);
            EXPECT_EQ(own.points.count(), points.local_range().size());
            for (Index i = 0; i < own.points.count(); ++i) {
                const auto row = whole.points[static_cast<Index>(points.local_range().begin + i)];
                EXPECT_TRUE(std::equal(row.begin(), row.end(), std::as_const(own.points)[i].begin()));
            }
        });
    }
}

}  // namespace

}  // namespace isogon::input_points_test
