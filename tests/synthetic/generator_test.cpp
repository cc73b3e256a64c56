#include "isogon/synthetic/generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "generator_checks.hpp"
#include "isogon/core/error.hpp"

namespace isogon::generator_test {
namespace {

std::int64_t write_number(Index i, std::span<float> point, std::span<float> truth) {
    std::ranges::fill(point, static_cast<float>(i));
    truth[0] = static_cast<float>(2 * i);
    return i;
}

PointMaker numbers(Index dimension = 2) {
    return {.dimension = dimension, .truth_dimension = 1, .labelled = true, .make = write_number};
}

TEST(PointMaker, VisitsEveryPointOnce) {
    const Generated made = make_points(numbers(), 0, 20000, {});
    ASSERT_EQ(made.points.count(), 20000U);
    ASSERT_EQ(made.points.dimension(), 2U);
    for (Index i = 0; i < made.points.count(); ++i) {
        ASSERT_EQ(made.points[i][1], static_cast<float>(i));
        ASSERT_EQ(made.truth[i][0], static_cast<float>(2 * i));
        ASSERT_EQ(made.labels[i], i);
    }
}

TEST(PointMaker, BeginsAtTheGivenStart) {
    const Generated made = make_points(numbers(), 777, 3, {});
    EXPECT_EQ(made.labels, (std::vector<std::int64_t>{777, 778, 779}));
    EXPECT_EQ(made.points[2][0], 779.0F);
    EXPECT_EQ(made.truth[0][0], 2.0F * 777);
}

TEST(PointMaker, LeavesOutWhatIsNotAskedFor) {
    const PointMaker plain{.dimension = 3, .make = [](Index, std::span<float>, std::span<float> truth) {
                               EXPECT_TRUE(truth.empty());
                               return std::int64_t{7};
                           }};
    const Generated made = make_points(plain, 0, 5, {});
    EXPECT_TRUE(made.truth.empty());
    EXPECT_TRUE(made.labels.empty());
}

TEST(PointMaker, RefusesNoPoints) {
    try {
        (void)make_points(numbers(), 0, 0, {});
        FAIL() << "a count of 0 was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.field(), "count");
    }
}

TEST(PointMaker, StatesItsMemoryBeforeItTakesIt) {
    RunContext context;
    context.memory_limit = 1000;
    // 30 points of (2 + 1) floats and a label of 8 bytes: 600 bytes.
    PointMaker maker = numbers();
    EXPECT_NO_THROW((void)make_points(maker, 0, 30, context));
    maker.bytes = 400;
    EXPECT_NO_THROW(require_memory_for(maker, 30, context));
    maker.bytes = 401;
    EXPECT_THROW(require_memory_for(maker, 30, context), LimitExceeded);
    EXPECT_THROW((void)make_points(numbers(), 0, 51, context), LimitExceeded);
    EXPECT_THROW((void)make_points(numbers(100000), 0, 4000000000U, context), LimitExceeded);
}

TEST(PointMaker, ReturnsNothingWhenStoppedAtOnce) {
    std::stop_source source;
    source.request_stop();
    RunContext context;
    context.stop = source.get_token();
    const Generated made = make_points(numbers(), 0, 100, context);
    EXPECT_EQ(made.points.count(), 0U);
    EXPECT_EQ(made.truth.count(), 0U);
    EXPECT_TRUE(made.labels.empty());
    EXPECT_EQ(stream_points(numbers(), 100, context, [](const Generated&) { FAIL() << "nothing was made"; }), 0U);
}

TEST(PointMaker, ReturnsWhatWasDoneWhenStopped) {
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress&) { source.request_stop(); };
    const Index asked = 1000000;
    const Generated made = make_points(numbers(), 0, asked, context);
    ASSERT_GT(made.points.count(), 0U);
    ASSERT_LT(made.points.count(), asked);
    EXPECT_EQ(made.truth.count(), made.points.count());
    EXPECT_EQ(made.labels.size(), made.points.count());
    for (Index i = 0; i < made.points.count(); ++i) {
        ASSERT_EQ(made.points[i][0], static_cast<float>(i));
    }
}

TEST(PointMaker, ReportsEachStepUpToTheLast) {
    RunContext context;
    std::vector<std::uint64_t> done;
    context.on_iteration = [&](const Progress& progress) { done.push_back(progress.done); };
    for (const bool streamed : {false, true}) {
        done.clear();
        if (streamed) {
            (void)stream_points(numbers(), 20000, context, [](const Generated&) {});
        } else {
            (void)make_points(numbers(), 0, 20000, context);
        }
        ASSERT_FALSE(done.empty());
        EXPECT_TRUE(std::ranges::is_sorted(done));
        EXPECT_EQ(done.back(), 20000U);
    }
}

TEST(PointMaker, StreamedBlocksTogetherAreAllPoints) {
    for (const Index count : {1U, 8192U, 20001U}) {
        Index next = 0;
        const auto check = [&](const Generated& made) {
            ASSERT_EQ(made.labels.size(), made.points.count());
            for (Index i = 0; i < made.points.count(); ++i, ++next) {
                ASSERT_EQ(made.points[i][1], static_cast<float>(next));
                ASSERT_EQ(made.truth[i][0], static_cast<float>(2 * next));
                ASSERT_EQ(made.labels[i], next);
            }
        };
        EXPECT_EQ(stream_points(numbers(), count, {}, check), count);
        EXPECT_EQ(next, count);
    }
}

TEST(PointMaker, AStreamOfAnyLengthTakesTheMemoryOfABlock) {
    RunContext context;
    context.memory_limit = 33'000'000;  // a million points of 4,000 bytes would be 4 GB
    std::stop_source source;
    context.stop = source.get_token();
    Index blocks = 0;
    const auto stop_soon = [&](const Generated&) {
        if (++blocks == 2) {
            source.request_stop();
        }
    };
    const Index made = stream_points(numbers(1000), 1000000, context, stop_soon);
    EXPECT_EQ(blocks, 2U);
    EXPECT_GT(made, 0U);
    EXPECT_LT(made, 1000000U);
    context.memory_limit = 1'000'000;
    EXPECT_THROW((void)stream_points(numbers(1000), 1000000, context, stop_soon), LimitExceeded);
}

std::string refused_field(const SourceImages& source) {
    try {
        require_images(source);
    } catch (const InvalidArgument& error) {
        return error.field();
    }
    return "";
}

TEST(SourceImages, WhatFitsTogetherIsTaken) {
    const Points images(3, 6);
    const std::array<std::int64_t, 3> labels{1, 2, 3};
    EXPECT_NO_THROW(require_images({images.view(), 2, 3, {}}));
    EXPECT_NO_THROW(require_images({images.view(), 6, 1, labels}));
}

TEST(SourceImages, EachMistakeIsNamed) {
    const Points images(3, 6);
    const std::array<std::int64_t, 2> labels{1, 2};
    EXPECT_EQ(refused_field({}), "from");
    EXPECT_EQ(refused_field({images.view(), 2, 2, {}}), "height x width");
    EXPECT_EQ(refused_field({images.view(), 65536, 65536, {}}), "height x width");
    EXPECT_EQ(refused_field({images.view(), 2, 3, labels}), "labels");
}

TEST(SourceImages, NanIsRefused) {
    Points images(3, 6);
    images[1][4] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(require_images({images.view(), 2, 3, {}}), InputError);
}

class EveryGenerator : public testing::TestWithParam<std::string> {
protected:
    static Generated make(Index count, std::uint64_t seed, const RunContext& context = {}) {
        const Generator& generator = find_generator(GetParam());
        return generator.generate(count, seed, {}, context, checks::images_for(generator));
    }
};

TEST_P(EveryGenerator, GivesWhatItIsAskedFor) {
    const Generated made = make(300, 1);
    EXPECT_EQ(made.points.count(), 300U);
    EXPECT_NO_THROW(require_finite(made.points.view(), "points"));
    EXPECT_TRUE(made.labels.empty() || made.labels.size() == 300U);
    EXPECT_TRUE(made.truth.empty() || made.truth.count() == 300U);
    EXPECT_TRUE(!made.labels.empty() || !made.truth.empty() || GetParam() == "sphere");
}

TEST_P(EveryGenerator, FirstOfManyAreTheFew) {
    const Generated many = make(1000, 5);
    for (const Index few : {1U, 63U, 65U, 700U}) {
        const Generated made = make(few, 5);
        EXPECT_TRUE(checks::same_rows(made.points, many.points, few));
        EXPECT_TRUE(checks::same_rows(made.truth, many.truth, made.truth.count()));
        EXPECT_TRUE(std::equal(made.labels.begin(), made.labels.end(), many.labels.begin()));
    }
}

TEST_P(EveryGenerator, SameBitsForAnyThreads) {
    const Generated one = make(1000, 7, checks::threads(1));
    for (const int count : {2, 3}) {
        const Generated made = make(1000, 7, checks::threads(count));
        EXPECT_TRUE(checks::same_rows(made.points, one.points, 1000));
        EXPECT_TRUE(checks::same_rows(made.truth, one.truth, one.truth.count()));
        EXPECT_EQ(made.labels, one.labels);
    }
}

TEST_P(EveryGenerator, SeedsDiffer) {
    const Generated one = make(50, 1);
    const Generated other = make(50, 2);
    for (Index i = 0; i < 50; ++i) {
        EXPECT_GT(checks::distance(one.points[i], other.points[i]), 0.0) << "point " << i;
    }
}

TEST_P(EveryGenerator, PointsDiffer) {
    const Generated made = make(200, 1);
    std::set<std::vector<float>> rows;
    for (Index i = 0; i < 200; ++i) {
        rows.emplace(made.points[i].begin(), made.points[i].end());
    }
    EXPECT_EQ(rows.size(), 200U);
}

TEST_P(EveryGenerator, RefusesNoPointsAndUnknownOptions) {
    const Generator& generator = find_generator(GetParam());
    const SourceImages images = checks::images_for(generator);
    EXPECT_THROW((void)generator.generate(0, 0, {}, {}, images), InvalidArgument);
    EXPECT_THROW((void)generator.generate(3, 0, {{"nonsense", 1.0}}, {}, images), InvalidArgument);
}

TEST_P(EveryGenerator, RefusesValuesOutsideTheBoundsOfEveryNumber) {
    const Generator& generator = find_generator(GetParam());
    for (const OptionSpec& spec : generator.options) {
        checks::expect_refused(generator, spec.name, "no such word");
        if (spec.kind != OptionKind::Number && spec.kind != OptionKind::Integer) {
            continue;
        }
        ASSERT_TRUE(spec.minimum && spec.maximum) << spec.name << " has no bounds";
        checks::expect_refused(generator, spec.name, std::int64_t{-1});
        checks::expect_refused(generator, spec.name, static_cast<std::int64_t>(*spec.maximum) + 1);
        checks::expect_refused(generator, spec.name, std::nan(""));
    }
}

TEST_P(EveryGenerator, KeepsToTheMemoryLimit) {
    RunContext context;
    context.memory_limit = 1000;
    EXPECT_THROW((void)make(4000000000U, 0, context), LimitExceeded);
}

TEST_P(EveryGenerator, TakesImagesIfItMakesItsPointsOfThem) {
    const Generator& generator = find_generator(GetParam());
    const SourceImages images = checks::images_for(find_generator("deformed"));
    if (generator.from_images) {
        EXPECT_THROW((void)generator.prepare(0, {}, {}, {}), InvalidArgument);
    } else {
        EXPECT_THROW((void)generator.prepare(0, {}, images, {}), InvalidArgument);
    }
}

std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const auto& generator : generators()) {
        list.push_back(generator.name);
    }
    return list;
}

std::string test_name(const testing::TestParamInfo<std::string>& parameter) {
    std::string name = parameter.param;
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Names, EveryGenerator, testing::ValuesIn(names()), test_name);

TEST(Generator, NamesAreUniqueAndTitled) {
    const auto list = names();
    EXPECT_EQ(std::set<std::string>(list.begin(), list.end()).size(), list.size());
    for (const auto& generator : generators()) {
        EXPECT_FALSE(generator.title.empty());
    }
}

TEST(Generator, UnknownNameListsTheKnown) {
    try {
        (void)find_generator("spiral");
        FAIL() << "an unknown name was found";
    } catch (const InvalidArgument& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("spiral"), std::string::npos);
        for (const auto& name : names()) {
            EXPECT_NE(message.find(name), std::string::npos) << name;
        }
    }
}

}  // namespace
}  // namespace isogon::generator_test
