#include "isogon/core/option_table.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace isogon::option_table_test {
namespace {

enum class Speed { Slow, Fast };

struct Sample {
    bool center = false;
    int dimension = 2;
    std::uint64_t seed = 0;
    double shift = 0.5;
    std::optional<double> threshold{};
    Speed speed = Speed::Slow;
};

OptionTable<Sample> sample_table() {
    return OptionTable<Sample>{}
        .flag("center", &Sample::center, "Subtract the mean.")
        .integer("dimension", &Sample::dimension, {.minimum = 1}, "Number of coordinates.")
        .integer("seed", &Sample::seed, {.minimum = 0}, "Start of the random numbers.")
        .number("shift", &Sample::shift, {.minimum = 0, .maximum = 1}, "How far.")
        .number("threshold", &Sample::threshold, {.minimum = 0, .maximum = 1, .open = true}, "Cosine.")
        .choice("speed", &Sample::speed, {{"slow", Speed::Slow}, {"fast", Speed::Fast}}, "Which way.");
}

/// The message with which `values` are refused, or "" if they are taken.
std::string refusal(const OptionValues& values) {
    try {
        (void)sample_table().make(values);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

OptionSpec spec_of(std::string_view name) {
    for (const auto& spec : sample_table().specs()) {
        if (spec.name == name) {
            return spec;
        }
    }
    throw std::logic_error("no such option in the sample");
}

TEST(OptionTable, NoValuesGiveTheDefaults) {
    const Sample made = sample_table().make({});
    const Sample plain;
    EXPECT_EQ(made.center, plain.center);
    EXPECT_EQ(made.dimension, plain.dimension);
    EXPECT_EQ(made.seed, plain.seed);
    EXPECT_EQ(made.shift, plain.shift);
    EXPECT_EQ(made.threshold, plain.threshold);
    EXPECT_EQ(made.speed, plain.speed);
}

TEST(OptionTable, EveryFieldTakesItsValueAndGivesItBack) {
    const OptionValues given{{"center", true},          {"dimension", std::int64_t{16}},
                             {"seed", std::int64_t{7}}, {"shift", 0.25},
                             {"threshold", 0.75},       {"speed", std::string("fast")}};
    const Sample made = sample_table().make(given);
    EXPECT_TRUE(made.center);
    EXPECT_EQ(made.dimension, 16);
    EXPECT_EQ(made.seed, 7U);
    EXPECT_EQ(made.shift, 0.25);
    EXPECT_EQ(made.threshold, 0.75);
    EXPECT_EQ(made.speed, Speed::Fast);
    EXPECT_EQ(sample_table().values(made), given);
}

TEST(OptionTable, DefaultsInTheSpecsAreThoseOfTheStruct) {
    EXPECT_EQ(spec_of("dimension").default_value, OptionValue{std::int64_t{2}});
    EXPECT_EQ(spec_of("threshold").default_value, OptionValue{});
    EXPECT_EQ(spec_of("speed").default_value, OptionValue{std::string("slow")});
}

TEST(OptionTable, ARefusalNamesOptionValueAndBound) {
    EXPECT_EQ(refusal({{"dimension", std::int64_t{0}}}), "dimension = 0: must be a whole number of at least 1");
    EXPECT_EQ(refusal({{"shift", 1.5}}), "shift = 1.5: must be a number of at least 0 and at most 1");
    EXPECT_EQ(refusal({{"speed", std::string("warp")}}), "speed = warp: must be one of slow, fast");
    EXPECT_EQ(refusal({{"center", std::int64_t{1}}}), "center = 1: must be true or false");
    EXPECT_EQ(refusal({{"threshold", 2.0}}), "threshold = 2: must be a number above 0 and below 1, or auto");
}

TEST(OptionTable, ClosedBoundsAreAllowedAndOpenOnesAreNot) {
    EXPECT_EQ(refusal({{"shift", 0.0}}), "");
    EXPECT_EQ(refusal({{"shift", 1.0}}), "");
    EXPECT_NE(refusal({{"threshold", 0.0}}), "");
    EXPECT_NE(refusal({{"threshold", 1.0}}), "");
}

TEST(OptionTable, OnlyAutomaticOptionsTakeAuto) {
    EXPECT_EQ(refusal({{"threshold", OptionValue{}}}), "");
    EXPECT_NE(refusal({{"shift", OptionValue{}}}), "");
}

TEST(OptionTable, NumbersTakeWholeNumbersAndNotTheReverse) {
    EXPECT_EQ(sample_table().make({{"shift", std::int64_t{1}}}).shift, 1.0);
    EXPECT_NE(refusal({{"dimension", 2.0}}), "");
}

TEST(OptionTable, NaNAndInfinityAreRefused) {
    EXPECT_NE(refusal({{"shift", std::numeric_limits<double>::quiet_NaN()}}), "");
    EXPECT_NE(refusal({{"threshold", std::numeric_limits<double>::infinity()}}), "");
}

TEST(OptionTable, AWholeNumberTooLargeForItsFieldIsRefusedNotCut) {
    const std::int64_t wraps_to_one = (std::int64_t{1} << 32U) + 1;
    EXPECT_NE(refusal({{"dimension", wraps_to_one}}), "");
}

TEST(OptionTable, WhoPassesWhatAFieldHoldsIsToldHowMuchThatIs) {
    const auto message = [](const char* option, const char* text) -> std::string {
        try {
            (void)parse_option(spec_of(option), text);
        } catch (const InvalidArgument& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message("seed", "18446744073709551615"),
              "seed = 18446744073709551615: must be a whole number of at least 0 and at most 9223372036854775807");
    EXPECT_EQ(message("dimension", "2147483648"),
              "dimension = 2147483648: must be a whole number of at least 1 and at most 2147483647");
    EXPECT_EQ(message("dimension", "99999999999999999999"),
              "dimension = 99999999999999999999: must be a whole number of at least 1 and at most 2147483647");
    EXPECT_EQ(message("dimension", "0"), "dimension = 0: must be a whole number of at least 1");
    EXPECT_EQ(message("dimension", "many"), "dimension = many: must be a whole number of at least 1");
}

TEST(OptionTable, ASeedWithoutBoundsIsNoNegativeNumber) {
    const auto table = OptionTable<Sample>{}.integer("seed", &Sample::seed, {}, "Start of the random numbers.");
    EXPECT_THROW((void)table.make({{"seed", std::int64_t{-1}}}), InvalidArgument);
    EXPECT_EQ(table.make({{"seed", std::int64_t{0}}}).seed, 0U);
}

TEST(OptionTable, AWordThatIsNearlyAChoiceIsSuggested) {
    EXPECT_EQ(refusal({{"speed", std::string("fsat")}}), "speed = fsat: must be one of slow, fast; did you mean fast?");
    EXPECT_NE(refusal({{"dimenson", std::int64_t{1}}}).find("did you mean dimension?"), std::string::npos);
}

TEST(OptionTable, AnUnknownNameIsRefusedByName) {
    EXPECT_NE(refusal({{"tau", 0.5}}).find("tau"), std::string::npos);
}

/// shift counts only where it is fast, threshold only where there is a shift.
OptionTable<Sample> needing_table() {
    return OptionTable<Sample>{}
        .choice("speed", &Sample::speed, {{"slow", Speed::Slow}, {"fast", Speed::Fast}}, "Which way.")
        .number("shift", &Sample::shift, {.minimum = 0, .maximum = 1}, "How far.")
        .only_with("speed", {"fast"})
        .number("threshold", &Sample::threshold, {.minimum = 0, .maximum = 1, .open = true}, "Cosine.")
        .only_with("shift")
        .only_with("speed", {"slow", "fast"});
}

std::string without_effect(const OptionValues& given, const std::vector<std::string>& varied = {}) {
    try {
        require_effect(needing_table().specs(), given, varied);
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

TEST(OptionNeeds, AnOptionWithoutEffectIsRefusedEvenAtItsDefault) {
    const std::string why = "has an effect only with speed fast, and that is slow: give it too, or leave this out";
    EXPECT_EQ(without_effect({{"shift", 0.25}}), "shift = 0.25: " + why);
    EXPECT_EQ(without_effect({{"shift", 0.5}}), "shift = 0.5: " + why);
    EXPECT_EQ(without_effect({{"shift", 0.5}, {"speed", std::string("fast")}}), "");
    EXPECT_EQ(without_effect({}), "");
}

TEST(OptionNeeds, WithoutValuesTheOtherMustNotBeAtItsDefault) {
    EXPECT_EQ(without_effect({{"threshold", 0.5}}),
              "threshold = 0.5: has an effect only with shift, and that is 0.5: give it too, or leave this out");
    EXPECT_EQ(without_effect({{"threshold", 0.5}, {"shift", 0.25}, {"speed", std::string("fast")}}), "");
}

TEST(OptionNeeds, OptionsThatAreVariedElsewhereLetOthersBe) {
    EXPECT_EQ(without_effect({{"shift", 0.25}}, {"speed"}), "");
}

TEST(OptionNeeds, ValidateRefusesAFieldThatWasChangedForNothing) {
    EXPECT_NO_THROW(needing_table().validate({}));
    EXPECT_NO_THROW(needing_table().validate({.shift = 0.25, .speed = Speed::Fast}));
    EXPECT_THROW(needing_table().validate({.shift = 0.25}), InvalidArgument);
}

TEST(OptionNeeds, AreDescribed) {
    const auto specs = needing_table().specs();
    EXPECT_EQ(describe_needs(specs[0]), "");
    EXPECT_EQ(describe_needs(specs[1]), "with speed fast");
    EXPECT_EQ(describe_needs(specs[2]), "with shift and speed slow or fast");
}

TEST(OptionTable, ValidateFindsTheBadFieldOfAStruct) {
    EXPECT_NO_THROW(sample_table().validate({}));
    try {
        sample_table().validate({.dimension = -3});
        FAIL() << "a negative dimension was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_EQ(error.field(), "dimension");
    }
}

TEST(OptionTable, ValidateTakesEverySeedThatTheFieldHolds) {
    EXPECT_NO_THROW(sample_table().validate({.seed = std::numeric_limits<std::int64_t>::max()}));
}

TEST(ParseOption, ReadsWhatToTextWrites) {
    for (const auto& [name, value] : OptionValues{{"center", true},
                                                  {"dimension", std::int64_t{12}},
                                                  {"shift", 0.1},
                                                  {"threshold", OptionValue{}},
                                                  {"speed", std::string("fast")}}) {
        EXPECT_EQ(parse_option(spec_of(name), to_text(value)), value) << name;
    }
}

TEST(ParseOption, RefusesWhatIsNotWhollyAValue) {
    for (const char* text : {"", " 3", "3 ", "3x", "3.5", "0x10", "auto", "99999999999999999999"}) {
        EXPECT_THROW((void)parse_option(spec_of("dimension"), text), InvalidArgument) << '"' << text << '"';
    }
    for (const char* text : {"", "half", "0.5.", "nan", "inf", "1e999"}) {
        EXPECT_THROW((void)parse_option(spec_of("shift"), text), InvalidArgument) << '"' << text << '"';
    }
    for (const char* text : {"", "True", "1", "yes"}) {
        EXPECT_THROW((void)parse_option(spec_of("center"), text), InvalidArgument) << '"' << text << '"';
    }
}

}  // namespace
}  // namespace isogon::option_table_test
