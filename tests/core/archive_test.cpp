#include "isogon/core/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"

namespace isogon::archive_test {
namespace {

constexpr std::uint64_t any = Archive::any_length;

/// The message with which an action is refused, or "" if it is not.
template <class Exception, class Action>
std::string refusal(Action action) {
    try {
        action();
    } catch (const Exception& error) {
        return error.what();
    }
    return "";
}

void expect_holds(const std::string& message, const std::vector<std::string>& parts) {
    for (const auto& part : parts) {
        EXPECT_NE(message.find(part), std::string::npos) << '"' << part << "\" is missing in: " << message;
    }
}

TEST(Archive, PointsComeBackWithoutTheirStride) {
    const std::vector<float> memory{1, 2, 99, 3, 4, 99, 5, 6, 99};
    Archive archive;
    archive.add("coordinates", PointsView(memory.data(), 3, 2, 3));
    const Points points = archive.points("coordinates");
    EXPECT_EQ(points.count(), 3U);
    EXPECT_EQ(points.dimension(), 2U);
    EXPECT_EQ(std::vector<float>(points.values().begin(), points.values().end()),
              (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Archive, PointsWithoutARowKeepTheirDimension) {
    Archive archive;
    archive.add("coordinates", Points(0, 7).view());
    EXPECT_EQ(archive.points("coordinates").count(), 0U);
    EXPECT_EQ(archive.points("coordinates").dimension(), 7U);
}

TEST(Archive, NumbersCountsAndListsComeBackBitForBit) {
    Archive archive;
    archive.add_number("minus-zero", -0.0);
    archive.add_number("denormal", std::numeric_limits<double>::denorm_min());
    archive.add_count("seed", std::numeric_limits<std::uint64_t>::max());
    archive.add("widths", std::vector<double>{0.1, 0.2});
    archive.add("rows", std::vector<std::uint32_t>{});
    EXPECT_TRUE(std::signbit(archive.number("minus-zero")));
    EXPECT_EQ(archive.number("denormal"), std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(archive.count("seed"), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(archive.numbers<double>("widths", {2}), (std::vector<double>{0.1, 0.2}));
    EXPECT_TRUE(archive.numbers<std::uint32_t>("rows", {any}).empty());
    EXPECT_TRUE(archive.has("rows"));
    EXPECT_FALSE(archive.has("columns"));
}

TEST(Archive, WhatIsMissingIsNamedWithWhatThereIs) {
    Archive archive;
    archive.source = "x.safetensors";
    expect_holds(refusal<InputError>([&] { (void)archive.array("weights"); }), {"x.safetensors", "weights", "none"});
    archive.add_number("tau", 0.5);
    archive.notes["input"] = "digits";
    expect_holds(refusal<InputError>([&] { (void)archive.points("weights"); }), {"weights", "missing", "tau"});
    expect_holds(refusal<InputError>([&] { (void)archive.note("date"); }), {"note date", "missing", "input"});
    EXPECT_EQ(archive.note("input"), "digits");
}

TEST(Archive, AnotherTypeOrShapeIsNamedWithTheOneThatIsNeeded) {
    Archive archive;
    archive.add("weights", Array{{2, 3}, std::vector<double>(6)});
    expect_holds(refusal<InputError>([&] { (void)archive.points("weights"); }),
                 {"the archive", "weights", "float64 of shape (2, 3)", "float32 of shape (n, n)"});
    for (const auto& shape : std::vector<std::vector<std::uint64_t>>{{3, any}, {any, 2}, {6}, {2, 3, 1}, {}}) {
        EXPECT_THROW((void)archive.numbers<double>("weights", shape), InputError);
    }
    EXPECT_EQ(archive.numbers<double>("weights", {any, 3}).size(), 6U);
    EXPECT_THROW((void)archive.number("weights"), InputError);
    EXPECT_THROW((void)archive.count("weights"), InputError);
}

TEST(Archive, ANameIsTakenOnce) {
    Archive archive;
    archive.add_number("tau", 0.5);
    expect_holds(refusal<InvalidArgument>([&] { archive.add_number("tau", 0.7); }), {"tau", "already"});
    EXPECT_EQ(archive.number("tau"), 0.5);
}

TEST(Archive, NamesAreOfAFewCharacters) {
    for (const char* good : {"a", "Z-9_.x"}) {
        EXPECT_TRUE(is_archive_name(good)) << good;
    }
    EXPECT_TRUE(is_archive_name(std::string(100, 'x')));
    for (const std::string& bad : {std::string(), std::string(101, 'x'), std::string("a b"), std::string("\x1b[2J"),
                                   std::string("\xc3\xa4"), std::string("a\0b", 3)}) {
        EXPECT_FALSE(is_archive_name(bad)) << bad;
        EXPECT_THROW(Archive{}.add_number(bad, 1.0), InvalidArgument);
    }
    EXPECT_THROW(Archive{}.add_number("__metadata__", 1.0), InvalidArgument);
}

TEST(Archive, AnArrayHoldsAsManyNumbersAsItsShapeSays) {
    EXPECT_NO_THROW(check_array("x", Array{{2, 0}, std::vector<float>{}}));
    EXPECT_NO_THROW(check_array("x", Array{{}, std::vector<float>{1}}));
    EXPECT_THROW(check_array("x", Array{{}, std::vector<float>{}}), InvalidArgument);
    EXPECT_THROW(check_array("x", Array{{2, 3}, std::vector<float>(5)}), InvalidArgument);
    EXPECT_THROW(check_array("x", Array{{std::uint64_t{1} << 32, std::uint64_t{1} << 32}, std::vector<float>{}}),
                 InvalidArgument);
    EXPECT_NO_THROW(check_array("x", Array{std::vector<std::uint64_t>(8, 1), std::vector<float>(1)}));
    EXPECT_THROW(check_array("x", Array{std::vector<std::uint64_t>(9, 1), std::vector<float>(1)}), InvalidArgument);
}

TEST(Archive, WhatIsNotFiniteIsRefusedByPlace) {
    Archive archive;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    expect_holds(refusal<InvalidArgument>([&] {
                     archive.add("w", Array{{2, 3}, std::vector<float>{1, 2, 3, 4, 5, nan}});
                 }),
                 {"array w", "row 1, column 2"});
    expect_holds(refusal<InvalidArgument>([&] {
                     archive.add("w", std::vector<double>{0, -infinity});
                 }),
                 {"array w", "position 1"});
    expect_holds(refusal<InvalidArgument>([&] { archive.add_number("w", infinity); }), {"array w", "finite"});
    EXPECT_FALSE(archive.has("w"));
}

TEST(Archive, ElementsAreCountedUpTo64Bits) {
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    EXPECT_EQ(element_count({}), 1U);
    EXPECT_EQ(element_count({3, 0, 5}), 0U);
    EXPECT_EQ(element_count({half, 1}), half);
    EXPECT_EQ(element_count({half, 2}), std::nullopt);
    EXPECT_EQ(element_count({half, half, 0}), std::nullopt);
}

TEST(Archive, TypesShapesAndKindsHaveNames) {
    EXPECT_EQ(scalar_name(std::vector<float>{}), "float32");
    EXPECT_EQ(scalar_name(std::vector<double>{}), "float64");
    EXPECT_EQ(scalar_name(std::vector<std::uint32_t>{}), "uint32");
    EXPECT_EQ(scalar_name(std::vector<std::uint64_t>{}), "uint64");
    EXPECT_EQ(scalar_name(std::vector<std::uint8_t>{}), "uint8");
    EXPECT_EQ(shape_name({}), "()");
    EXPECT_EQ(shape_name({3}), "(3)");
    EXPECT_EQ(shape_name({any, 4}), "(n, 4)");
    EXPECT_EQ(name(ArchiveKind::Model), "model");
    EXPECT_EQ(name(ArchiveKind::Checkpoint), "checkpoint");
    EXPECT_EQ(name(ArchiveKind::IvfIndex), "neighbor-index");
    EXPECT_EQ(name(ArchiveKind::NeighborGraph), "neighbor-graph");
    EXPECT_EQ(name(ArchiveKind::Decomposition), "decomposition");
    EXPECT_EQ(name(ArchiveKind::Run), "run");
    EXPECT_EQ(name(ArchiveKind::Codes), "codes");
}

}  // namespace
}  // namespace isogon::archive_test
