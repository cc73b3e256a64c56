#include "transform/distance_placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/placements.hpp"

namespace isogon::distance_placement_test {
namespace {

using reference::on_threads;
using support::placements::row_of;
using support::placements::slice;
using Example = support::placements::Example<LocalPlacement>;
using Vector = Eigen::VectorXd;

Example example(Index fitted, Index rows, Metric metric = Metric::Euclidean, Index dimension = 5) {
    Example e = support::placements::example(fitted, rows, dimension, LocalPlacement());
    constexpr Index neighbors = 6;
    e.form = local_placement_of(exact_neighbors(e.inputs.view(), neighbors, metric), metric, 10.0);
    return e;
}

/// Points whose outputs are nearly where they belong: themselves, or their directions.
Example flat_example(Index fitted, Index rows, Metric metric) {
    Example e{reference::random_points(fitted, 5, 1), Points(fitted, 5), reference::random_points(rows, 5, 2), {}};
    const Points noise = reference::random_points(fitted, 5, 3);
    const std::vector<double> lengths = norms(e.inputs.view());
    for (Index i = 0; i < fitted; ++i) {
        const double divisor = metric == Metric::Cosine ? lengths[i] : 1.0;
        for (Index k = 0; k < 5; ++k) {
            e.outputs[i][k] = static_cast<float>(e.inputs[i][k] / divisor) + 0.01F * noise[i][k];
        }
    }
    e.form = local_placement_of(exact_neighbors(e.inputs.view(), 6, metric), metric, 10.0);
    return e;
}

DistancePlacement placement_of(const Example& e, const RunContext& context = on_threads(2)) {
    return {e.inputs.view(), e.outputs.view(), e.form, nullptr, context};
}

DistancePlacement indexed(const Example& e) {
    const auto indexes =
        std::make_shared<const OutOfSampleIndexes>(e.inputs.view(), e.outputs.view(), e.form, on_threads(2));
    return {e.inputs.view(), e.outputs.view(), e.form, indexes, on_threads(2)};
}

PlacedByDistance place(const Example& e, const Points& rows, int threads = 2) {
    return placement_of(e).place(rows.view(), on_threads(threads));
}

bool same_bits(const Points& a, const Points& b) {
    return std::equal(a.values().begin(), a.values().end(), b.values().begin(), b.values().end());
}

/// The objective as it is defined, over all fitted points.
class Objective {
public:
    Objective(const Example& e, const Vector& x) : e_(e) {
        const bool by_angle = e.form.metric == Metric::Cosine;
        const auto direction = [&](const Vector& v) -> Vector { return by_angle ? v.normalized() : v; };
        const Index n = e.inputs.count();
        std::vector<double> radii(n);
        for (Index j = 0; j < n; ++j) {
            squares_.push_back((direction(x) - direction(row_of(e.inputs, j))).squaredNorm());
            std::vector<double> own;
            for (Index i = 0; i < n; ++i) {
                own.push_back((direction(row_of(e.inputs, i)) - direction(row_of(e.inputs, j))).squaredNorm());
            }
            std::nth_element(own.begin(), own.begin() + e.form.neighbors, own.end());  // the point itself is first
            radii_.push_back(own[e.form.neighbors]);
        }
        std::vector<double> sorted = squares_;
        std::sort(sorted.begin(), sorted.end());
        own_ = sorted[e.form.neighbors - 1];
        sorted = radii_;
        std::sort(sorted.begin(), sorted.end());
        floor_ = 0.05 * sorted[n / 2];
    }

    [[nodiscard]] double value(const Vector& y) const {
        double sum = 0.0;
        for (Index j = 0; j < e_.inputs.count(); ++j) {
            const double e = (y - row_of(e_.outputs, j)).squaredNorm();
            const double d = squares_[j];
            const double bound = std::min(d, std::max(own_, radii_[j]));
            sum += d <= own_ ? std::pow((e - d) / std::max(d, floor_), 2)
                             : e_.form.repulsion * std::pow(std::max(0.0, bound - e) / bound, 2);
        }
        return sum;
    }
    [[nodiscard]] Vector gradient(const Vector& y) const {
        Vector slopes = Vector::Zero(y.size());
        for (Index j = 0; j < e_.inputs.count(); ++j) {
            const Vector z = y - row_of(e_.outputs, j);
            const double d = squares_[j];
            const double bound = std::min(d, std::max(own_, radii_[j]));
            const double residual = d <= own_
                                        ? (z.squaredNorm() - d) / std::pow(std::max(d, floor_), 2)
                                        : e_.form.repulsion * std::min(0.0, z.squaredNorm() - bound) / (bound * bound);
            slopes += 4.0 * residual * z;
        }
        return slopes;
    }
    [[nodiscard]] Vector start() const {
        Vector sum = Vector::Zero(e_.outputs.dimension());
        double weights = 0.0;
        for (Index j = 0; j < e_.inputs.count(); ++j) {
            if (squares_[j] <= own_) {
                sum += row_of(e_.outputs, j) / std::max(squares_[j], floor_);
                weights += 1.0 / std::max(squares_[j], floor_);
            }
        }
        return sum / weights;
    }
    /// By steps that are halved until they go down.
    [[nodiscard]] Vector descended(Vector y) const {
        double step = 1.0;
        for (int iteration = 0; iteration < 300; ++iteration) {
            const Vector slopes = gradient(y);
            for (step *= 4.0; step > 1e-12 && !(value(y - step * slopes) < value(y)); step *= 0.5) {
            }
            y -= step * slopes;
        }
        return y;
    }

private:
    const Example& e_;
    std::vector<double> squares_{};
    std::vector<double> radii_{};
    double own_ = 0.0;
    double floor_ = 0.0;
};

class PlacesBy : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metrics, PlacesBy, testing::Values(Metric::Euclidean, Metric::Cosine),
                         [](const auto& metric) { return std::string(name(metric.param)); });

TEST_P(PlacesBy, EndsNoHigherThanGradientDescentDoes) {
    const Example e = example(150, 25, GetParam());
    const PlacedByDistance placed = place(e, e.rows);
    double found = 0.0;
    double reference = 0.0;
    for (Index i = 0; i < e.rows.count(); ++i) {
        const Objective f(e, row_of(e.rows, i));
        const Vector y = row_of(placed.outputs, i);
        EXPECT_LE(f.value(y), f.value(f.start()) * (1.0 + 1e-6));
        EXPECT_LT(f.gradient(y).norm(), 1e-2 * (1e-2 + f.gradient(f.start()).norm()));
        found += f.value(y);
        reference += f.value(f.descended(f.start()));
    }
    EXPECT_LE(found, reference * 1.001);
    EXPECT_EQ(placed.unsettled, 0U);
}

TEST_P(PlacesBy, EachRowHasTheSameBitsInAnyBatchAndOnAnyThreads) {
    const Example e = example(400, 120, GetParam());
    const PlacedByDistance together = place(e, e.rows, 3);
    for (Index i = 0; i < e.rows.count(); i += 11) {
        const PlacedByDistance alone = place(e, slice(e.rows, i, 1), 1);
        EXPECT_TRUE(std::equal(alone.outputs[0].begin(), alone.outputs[0].end(), together.outputs[i].begin()));
        EXPECT_EQ(alone.nearest[0], together.nearest[i]);
    }
}

TEST_P(PlacesBy, IndexesThatFindTheNearGiveTheSameBits) {
    const Example e = flat_example(2000, 100, GetParam());
    const DistancePlacement by_index = indexed(e);
    EXPECT_TRUE(by_index.is_approximate());
    const PlacedByDistance all = place(e, e.rows);
    const PlacedByDistance some = by_index.place(e.rows.view(), on_threads(2));
    Index same = 0;
    for (Index i = 0; i < e.rows.count(); ++i) {
        same += std::equal(all.outputs[i].begin(), all.outputs[i].end(), some.outputs[i].begin()) ? 1U : 0U;
    }
    EXPECT_GT(same, 60U);  // the others lack one that is near
    const PlacementAgreement agreement = by_index.compare(e.rows.view(), on_threads(1));
    EXPECT_EQ(agreement.rows, 100U);
    EXPECT_GT(agreement.near_found, 0.9);
    EXPECT_NEAR(agreement.recall, agreement.exact_recall, 0.1);
    EXPECT_EQ(agreement.median_distance, 0.0);
    EXPECT_EQ(by_index.compare(e.inputs.view(), on_threads(1)).rows, 0U);  // all of them fitted
}

TEST(DistancePlacement, PutsPointsWhereTheyAreIfDistancesCanBeKept) {
    Example e = flat_example(600, 50, Metric::Euclidean);
    e.outputs = e.inputs;
    const PlacedByDistance placed = place(e, e.rows);
    Index found = 0;
    for (Index i = 0; i < 50; ++i) {
        found += (row_of(placed.outputs, i) - row_of(e.rows, i)).norm() < 1e-3 ? 1U : 0U;
    }
    EXPECT_GE(found, 45U);  // six near points on one side may also be met on the other
}

TEST(DistancePlacement, GivesFittedRowsTheirStoredOutputsBitForBit) {
    const Example e = example(200, 0);
    const PlacedByDistance placed = place(e, e.inputs);
    EXPECT_TRUE(same_bits(placed.outputs, e.outputs));
    EXPECT_EQ(placed.fitted, 200U);
    EXPECT_EQ(std::count(placed.nearest.begin(), placed.nearest.end(), 0.0F), 200);
}

TEST(DistancePlacement, ScalesWithTheData) {
    const Example e = example(200, 20);
    const PlacedByDistance once = place(e, e.rows);
    for (const int exponent : {-60, 7, 40}) {
        const auto scaled = [&](Points points) {
            for (float& value : points.values()) {
                value = std::ldexp(value, exponent);
            }
            return points;
        };
        Example large{scaled(e.inputs), scaled(e.outputs), scaled(e.rows), {}};
        large.form =
            local_placement_of(exact_neighbors(large.inputs.view(), 6, Metric::Euclidean), Metric::Euclidean, 10.0);
        EXPECT_TRUE(same_bits(place(large, large.rows).outputs, scaled(once.outputs))) << exponent;
    }
}

TEST(DistancePlacement, PlacesByEveryMetricOfAFit) {
    for (const Metric metric :
         {Metric::Cosine, Metric::Manhattan, Metric::Correlation, Metric::Hamming, Metric::Jaccard}) {
        Example e = example(200, 30, Metric::Euclidean);
        for (Points* points : {&e.inputs, &e.rows}) {
            for (float& value : points->values()) {
                value = metric >= Metric::Hamming ? (value > 0.3F ? 1.0F : 0.0F) : value;
            }
        }
        e.form = local_placement_of(exact_neighbors(e.inputs.view(), 6, metric), metric, 10.0);
        const PlacedByDistance placed = place(e, e.rows);
        const NeighborLists truth = exact_neighbors(e.rows.view(), e.inputs.view(), 1, metric);
        for (Index i = 0; i < 30; ++i) {
            EXPECT_NEAR(placed.nearest[i], truth.distances_of(i)[0], 1e-5) << name(metric);
            EXPECT_TRUE(row_of(placed.outputs, i).allFinite());
        }
    }
}

TEST(DistancePlacement, PutsRowsWithoutADirectionInTheMiddle) {
    const Example e = example(100, 1, Metric::Cosine);
    const PlacedByDistance placed = place(e, Points(1, e.inputs.dimension()));
    Vector mean = Vector::Zero(5);
    for (Index j = 0; j < 100; ++j) {
        mean += row_of(e.outputs, j) / 100.0;
    }
    EXPECT_LT((row_of(placed.outputs, 0) - mean).norm(), 1e-5);
    EXPECT_EQ(placed.zero_vectors, 1U);
    EXPECT_EQ(placed.nearest[0], 1.0F);
}

TEST(DistancePlacement, CountsRowsBeyondTheFitAndWarnsOfMany) {
    const Example e = example(300, 30);
    const NeighborLists lists = exact_neighbors(e.inputs.view(), 6, Metric::Euclidean);
    double farthest = 0.0;
    for (Index i = 0; i < 300; ++i) {
        farthest = std::max(farthest, double{lists.distances_of(i)[0]});
    }
    EXPECT_EQ(e.form.farthest, farthest);  // of fewer than a thousand points
    const Transformed known = placement_of(e).transform(e.rows.view(), on_threads(1));
    EXPECT_EQ(known.nearest.size(), 30U);
    EXPECT_EQ(known.summary.value(beyond_fit),
              std::count_if(known.nearest.begin(), known.nearest.end(), [&](float d) { return d > farthest; }));
    Points strange = slice(e.rows, 0, 30);
    for (float& value : strange.values()) {
        value += 100.0F;
    }
    const Transformed unknown = placement_of(e).transform(strange.view(), on_threads(1));
    EXPECT_EQ(unknown.summary.value(beyond_fit), 30.0);
    ASSERT_EQ(unknown.summary.warnings.size(), 1U);
    EXPECT_NE(unknown.summary.warnings[0].find("30 of 30 rows lie farther"), std::string::npos);
}

TEST(LocalPlacementOf, LeavesOneInAThousandBeyondItsLimit) {
    NeighborLists lists{.size = 2, .indices = std::vector<Index>(6000), .distances = std::vector<float>(6000)};
    for (Index i = 0; i < 3000; ++i) {
        lists.distances[2 * i] = static_cast<float>((i * 7) % 3000);
        lists.distances[2 * i + 1] = 5000.0F + static_cast<float>(i);
    }
    const LocalPlacement local = local_placement_of(lists, Metric::Manhattan, 3.0);
    EXPECT_EQ(local.farthest, 2997.0);
    EXPECT_EQ(local.radii[17], 5017.0F);
    EXPECT_EQ(local.repulsion, 3.0);
}

TEST(DistancePlacement, TakesAwkwardPoints) {
    Example e = example(60, 20);
    for (Index i = 1; i < 30; ++i) {  // half of them are copies
        std::copy(e.inputs[0].begin(), e.inputs[0].end(), e.inputs[i].begin());
        std::copy(e.outputs[0].begin(), e.outputs[0].end(), e.outputs[i].begin());
    }
    e.form = local_placement_of(exact_neighbors(e.inputs.view(), 6, Metric::Euclidean), Metric::Euclidean, 10.0);
    Points rows = e.rows;
    std::copy(e.inputs[0].begin(), e.inputs[0].end(), rows[0].begin());
    rows[0][0] = std::nextafter(rows[0][0], 100.0F);
    std::fill(rows[1].begin(), rows[1].end(), 1e30F);
    const Points placed = place(e, rows).outputs;
    for (Index i = 0; i < 20; ++i) {
        EXPECT_TRUE(row_of(placed, i).allFinite()) << i;
    }
    EXPECT_LT((row_of(placed, 0) - row_of(e.outputs, 0)).norm(), 0.1);
}

TEST(DistancePlacement, PlacesRowsAmongCopiesAlone) {
    for (const Index places : {1U, 2U}) {
        for (const Metric metric : {Metric::Euclidean, Metric::Cosine}) {
            Example e = example(60, 20, metric);
            for (Index i = places; i < 60; ++i) {  // more copies of each place than there are near ones
                std::copy(e.inputs[i % places].begin(), e.inputs[i % places].end(), e.inputs[i].begin());
                std::copy(e.outputs[i % places].begin(), e.outputs[i % places].end(), e.outputs[i].begin());
            }
            std::fill(e.form.radii.begin(), e.form.radii.end(), 0.0F);
            e.form.farthest = 0.0;
            std::copy(e.inputs[0].begin(), e.inputs[0].end(), e.rows[0].begin());  // by cosine in the same place
            for (float& value : e.rows[0]) {
                value *= 2.0F;
            }
            const PlacedByDistance placed = place(e, e.rows);
            for (Index i = 0; i < 20; ++i) {
                EXPECT_TRUE(row_of(placed.outputs, i).allFinite()) << places << " " << name(metric) << " " << i;
            }
            if (metric == Metric::Cosine) {
                EXPECT_LT((row_of(placed.outputs, 0) - row_of(e.outputs, 0)).norm(), 1e-3);
            }
            EXPECT_TRUE(same_bits(place(e, e.inputs).outputs, e.outputs));
        }
    }
}

TEST(DistancePlacement, RefusesWhatItCannotTake) {
    const Example e = example(100, 2);
    const auto refused = [&](const auto& change) {
        Example changed = e;
        change(changed.form);
        EXPECT_THROW(placement_of(changed), InvalidArgument);
    };
    refused([](LocalPlacement& local) { local.neighbors = 0; });
    refused([](LocalPlacement& local) { local.neighbors = 100; });
    refused([](LocalPlacement& local) { local.repulsion = 0.0; });
    refused([](LocalPlacement& local) { local.repulsion = std::numeric_limits<double>::quiet_NaN(); });
    refused([](LocalPlacement& local) { local.radii.pop_back(); });
    Points bad = e.rows;
    bad[1][0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(place(e, bad)), InputError);
    EXPECT_THROW(static_cast<void>(place(e, Points(1, 3))), InvalidArgument);
    RunContext small = on_threads(1);
    small.memory_limit = 1000;
    EXPECT_THROW(placement_of(e, small), LimitExceeded);
    EXPECT_THROW(static_cast<void>(placement_of(e).place(e.rows.view(), small)), LimitExceeded);
}

TEST(DistancePlacement, EndsWhenTheContextSaysSo) {
    const Example e = example(300, 20);
    EXPECT_THROW(static_cast<void>(placement_of(e).place(e.rows.view(), reference::cancelled())), Interruption);
    EXPECT_THROW(static_cast<void>(indexed(e).compare(e.rows.view(), reference::cancelled())), Interruption);
}

}  // namespace
}  // namespace isogon::distance_placement_test
