#include "isogon/synthetic/generator.hpp"

#include <gtest/gtest.h>

#include <set>

#include "generator_checks.hpp"
#include "isogon/core/error.hpp"

namespace isogon::generator_test {
namespace {

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
