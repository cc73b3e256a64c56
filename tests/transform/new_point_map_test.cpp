#include "isogon/transform/new_point_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::new_point_map_test {

namespace {

using reference::on_threads;

/// The first number of a row, divided by the second.
class Quotient final : public NewPointMap {
public:
    [[nodiscard]] Index input_dimension() const override { return 2; }
    [[nodiscard]] Index output_dimension() const override { return 1; }
    [[nodiscard]] Index fitted_count() const override { return 0; }

private:
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override {
        Summary& summary = transformed.summary;
        throw_if_cancelled(context);
        summary.count("divided", rows.count);
        Points result(rows.count, 1);
        for (Index i = 0; i < rows.count; ++i) {
            result[i][0] = rows[i][0] / rows[i][1];
        }
        return result;
    }
};

TEST(NewPointMap, ReportsItsRun) {
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

TEST(NewPointMap, FailsAtTheFirstRowBeyondFloat) {
    Points rows = reference::random_points(5, 2, 1);
    rows[3][1] = rows[4][1] = 0.0F;
    const Transformed result = Quotient().transform(rows.view(), {});
    EXPECT_TRUE(result.coordinates.empty());
    EXPECT_EQ(result.summary.termination, Termination::NumericalFailure);
    EXPECT_NE(result.summary.message.find("row 3"), std::string::npos) << result.summary.message;
    Points made(5, 1);
    PointsSink sink(made);
    const Summary of_all = transform_rows(Quotient(), ViewRows(rows.view()), sink, {}).summary;
    EXPECT_EQ(of_all.termination, Termination::NumericalFailure);
    EXPECT_NE(of_all.message.find("row 3"), std::string::npos) << of_all.message;
}

TEST(NewPointMap, HasNoCoordinatesOfARunThatWasEnded) {
    RunContext context;
    context.limit_seconds(0.0);
    const Transformed result = Quotient().transform(reference::random_points(5, 2, 1).view(), context);
    EXPECT_TRUE(result.coordinates.empty());
    EXPECT_EQ(result.summary.termination, Termination::TimeLimit);
    EXPECT_EQ(result.summary.message, "ended before all points had coordinates");
}

/// The same rows over and over: more than a block of them without the memory.
class Repeated final : public RowSource {
public:
    Repeated(const Points& points, Index count) : points_(points), count_(count) {}
    [[nodiscard]] Index count() const override { return count_; }
    [[nodiscard]] Index dimension() const override { return points_.dimension(); }
    void read(Index first, std::span<float> values) const override {
        largest_read = std::max(largest_read, values.size());
        for (auto to = values.begin(); to != values.end(); ++first) {
            to = std::copy_n(points_[first % points_.count()].begin(), points_.dimension(), to);
        }
    }
    mutable std::size_t largest_read = 0;

private:
    const Points& points_;
    Index count_;
};

constexpr Index kWide = 700;

/// Every row goes to the origin, and is as far from the fit as its first number says.
class Remote final : public NewPointMap {
public:
    [[nodiscard]] Index input_dimension() const override { return kWide; }
    [[nodiscard]] Index output_dimension() const override { return 1; }
    [[nodiscard]] Index fitted_count() const override { return 0; }

private:
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& /*context*/) const override {
        for (Index i = 0; i < rows.count; ++i) {
            transformed.nearest.push_back(rows[i][0]);
        }
        return {rows.count, 1};
    }
};

TEST(TransformRows, NameTheFarthest) {
    constexpr Index count = 13000;  // in two blocks
    Points rows(5000, kWide);
    for (Index i = 0; i < rows.count(); ++i) {
        rows[i][0] = static_cast<float>(i * 7919U % rows.count());  // each distance two or three times
    }
    Points made(count, 1);
    PointsSink sink(made);
    const std::vector<FarRow> farthest = transform_rows(Remote(), Repeated(rows, count), sink, on_threads(1)).farthest;
    std::vector<FarRow> wanted;
    for (Index i = 0; i < count; ++i) {
        wanted.push_back({i, rows[i % rows.count()][0]});
    }
    std::ranges::stable_sort(wanted, std::greater(), &FarRow::distance);
    wanted.resize(10);
    EXPECT_EQ(farthest, wanted);
    EXPECT_GT(farthest[2].row, 10752U);  // of the second block
}

TEST(TransformRows, NameNoneThatAreFittedOrOfAMapThatKnowsNoDistances) {
    Points rows(20, kWide);
    rows[4][0] = 2.0F;
    Points made(20, 1);
    PointsSink sink(made);
    EXPECT_EQ(transform_rows(Remote(), ViewRows(rows.view()), sink, on_threads(1)).farthest,
              (std::vector<FarRow>{{4, 2.0F}}));
    const Points pairs = reference::random_points(20, 2, 1);
    PointsSink another(made);
    EXPECT_TRUE(transform_rows(Quotient(), ViewRows(pairs.view()), another, on_threads(1)).farthest.empty());
}

Points example() {
    return support::clustered_points(60, kWide, 8, 0.6, 5);
}

Points others() {
    return support::clustered_points(50, kWide, 8, 0.8, 6);
}

Transformer fitted(const std::string& method) {
    const Points x = example();
    OptionValues options{{"dimension", std::int64_t{4}}};
    if (method == "faithful") {
        options["iterations"] = std::int64_t{10};
    }
    const Embedding fit = find_method(method).embed(x.view(), options, on_threads(1));
    return {make_model(method, x.view(), fit), on_threads(1)};
}

class EveryMap : public testing::TestWithParam<std::string> {};

TEST_P(EveryMap, BlocksGiveTheBitsOfOneCall) {
    const Transformer transformer = fitted(GetParam());
    const Points rows = others();
    const Points whole = transformer.transform(rows.view(), on_threads(1)).coordinates;
    constexpr Index count = 13000;  // of 704 floats each: a block has 10,752 of them
    const Repeated source(rows, count);
    for (const int threads : {1, 2, 3}) {
        Points made(count, 4);
        PointsSink sink(made);
        const Summary summary = transform_rows(transformer.map(), source, sink, on_threads(threads)).summary;
        EXPECT_EQ(summary.termination, Termination::Converged);
        for (Index i = 0; i < count; ++i) {
            ASSERT_TRUE(std::ranges::equal(made[i], whole[i % rows.count()])) << i;
        }
    }
    EXPECT_LE(source.largest_read * sizeof(float), 32'000'000U);
    EXPECT_LT(source.largest_read, std::size_t{count} * kWide);
}

INSTANTIATE_TEST_SUITE_P(Names, EveryMap, testing::Values("svd", "faithful"));

TEST(TransformRows, CountsAreThoseOfAllBlocks) {
    const Transformer transformer = fitted("faithful");
    const Points x = example();
    const Repeated source(x, 13000);
    Points made(13000, 4);
    PointsSink sink(made);
    const Summary summary = transform_rows(transformer.map(), source, sink, on_threads(2)).summary;
    EXPECT_EQ(summary.value("fitted_rows"), 13000.0);
    EXPECT_EQ(std::ranges::count_if(summary.counts, [](const auto& item) { return item.first == "fitted_rows"; }), 1);
}

TEST(TransformRows, GivenRowsGetWhatTheyAreGiven) {
    const Transformer transformer = fitted("svd");
    const Points rows = others();
    const Repeated source(rows, 13000);
    const std::array<Index, 4> given{0, 10751, 10752, 12999};  // ends and begins of blocks
    Points coordinates(4, 4);
    std::ranges::fill(coordinates.values(), 7.5F);
    Points plain(13000, 4);
    Points made(13000, 4);
    PointsSink plain_sink(plain);
    PointsSink sink(made);
    (void)transform_rows(transformer.map(), source, plain_sink, on_threads(1));
    (void)transform_rows(transformer.map(), source, sink, on_threads(1), {given, coordinates.view()});
    for (Index i = 0; i < 13000; ++i) {
        const bool is_given = std::ranges::find(given, i) != given.end();
        ASSERT_TRUE(std::ranges::equal(made[i], is_given ? coordinates[0] : plain[i])) << i;
    }
}

TEST(TransformRows, WhatDoesNotFitIsRefused) {
    const Transformer transformer = fitted("svd");
    const Points narrow(3, 5);
    const Points rows = others();
    Points made(50, 4);
    PointsSink sink(made);
    EXPECT_THROW((void)transform_rows(transformer.map(), ViewRows(narrow.view()), sink, {}), InvalidArgument);
    const std::array<Index, 2> backwards{4, 3};
    const std::array<Index, 1> beyond{50};
    const Points two(2, 4);
    const Points one(1, 4);
    const Points wide(1, 5);
    const auto refuses = [&](const GivenRows& given) {
        EXPECT_THROW((void)transform_rows(transformer.map(), ViewRows(rows.view()), sink, {}, given), InvalidArgument);
    };
    refuses({backwards, two.view()});
    refuses({beyond, one.view()});
    refuses({backwards, one.view()});
    const std::array<Index, 1> good{3};
    refuses({good, wide.view()});
}

TEST(TransformRows, ARowOfALaterBlockIsNamedFromWhereItsBlockBegins) {
    class OneTooLong final : public RowSource {
    public:
        [[nodiscard]] Index count() const override { return 13000; }
        [[nodiscard]] Index dimension() const override { return kWide; }
        void read(Index first, std::span<float> values) const override {
            for (std::size_t k = 0; k < values.size(); ++k) {
                values[k] = first + k / kWide == 10760 ? 3e38F : 1.0F;  // finite, but its length is not
            }
        }
    };
    const Transformer transformer = fitted("svd");
    Points made(13000, 4);
    PointsSink sink(made);
    try {
        (void)transform_rows(transformer.map(), OneTooLong(), sink, on_threads(2));
        FAIL() << "was taken";
    } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("row 10752, rows counted from there"), std::string::npos) << message;
        EXPECT_NE(message.find("row 8"), std::string::npos) << message;
    }
}

TEST(TransformRows, StatesItsMemoryAndCanBeCancelled) {
    const Transformer transformer = fitted("faithful");
    const Points rows = others();
    const Repeated source(rows, 13000);
    Points made(13000, 4);
    PointsSink sink(made);
    RunContext tight = on_threads(1);
    tight.memory_limit = transform_rows_bytes(transformer.map(), 13000) - 1;
    EXPECT_THROW((void)transform_rows(transformer.map(), source, sink, tight), LimitExceeded);
    tight.memory_limit =
        transform_rows_bytes(transformer.map(), 13000) + 20000;  // what a block's placement takes is more
    EXPECT_THROW((void)transform_rows(transformer.map(), source, sink, tight), LimitExceeded);

    std::stop_source stop;
    RunContext context = on_threads(1);
    context.stop = stop.get_token();
    context.on_iteration = [&](const Progress& progress) {
        EXPECT_EQ(progress.total, 13000U);
        stop.request_stop();
    };
    const Summary summary = transform_rows(transformer.map(), source, sink, context).summary;
    EXPECT_EQ(summary.termination, Termination::Cancelled);
    EXPECT_NE(summary.message.find("10752 of 13000"), std::string::npos) << summary.message;
}

}  // namespace

}  // namespace isogon::new_point_map_test
