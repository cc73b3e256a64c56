#include "core/archive_schema.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"

namespace isogon::archive_schema_test {
namespace {

using Form = ArchiveRange::Form;
using Scalar = ArchiveArray::Scalar;

/// The message with which an archive is refused, or "" if it is not.
std::string refusal(const ArchiveSchema& schema, Archive archive) {
    archive.source = "x.safetensors";
    try {
        (void)schema.require(archive);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

void expect_refused(const ArchiveSchema& schema, const Archive& archive, const std::vector<std::string>& parts) {
    const std::string message = refusal(schema, archive);
    EXPECT_NE(message.find("x.safetensors"), std::string::npos) << message;
    for (const auto& part : parts) {
        EXPECT_NE(message.find(part), std::string::npos) << '"' << part << "\" is missing in: " << message;
    }
}

template <class Number>
Archive holding(const std::string& name, std::vector<std::uint64_t> shape, std::vector<Number> values) {
    Archive archive;
    archive.arrays.emplace(name, Array{std::move(shape), std::move(values)});
    return archive;
}

ArchiveSchema numbers(Scalar scalar, const ArchiveRange& range) {
    return ArchiveSchema().add({.name = "x", .scalar = scalar, .shape = {"n"}, .values = {range}});
}

/// Points in clusters: shapes and ranges that depend on each other.
ArchiveSchema clusters() {
    return ArchiveSchema(ArchiveKind::IvfIndex)
        .size("L", {1, "n"})
        .add({.name = "points", .shape = {"n", "D"}})
        .add({.name = "centroids", .shape = {"L", {"D", 1}}})
        .add({.name = "cluster_of", .scalar = Scalar::Uint32, .shape = {"n"}, .values = {{0, {"L", -1}}}});
}

Archive clustered(std::uint64_t points, std::uint64_t dimension, std::uint64_t count, std::uint64_t width) {
    Archive archive{.kind = ArchiveKind::IvfIndex};
    archive.add("points", Array{{points, dimension}, std::vector<float>(points * dimension)});
    archive.add("centroids", Array{{count, width}, std::vector<float>(count * width)});
    archive.add("cluster_of", Array{{points}, std::vector<std::uint32_t>(points)});
    return archive;
}

TEST(ArchiveSchema, FindsTheSizesThatAnArchiveHas) {
    const auto sizes = clusters().require(clustered(5, 3, 2, 4));
    EXPECT_EQ(sizes, (ArchiveSchema::Sizes{{"D", 3}, {"L", 2}, {"n", 5}}));
}

TEST(ArchiveSchema, TakesSizesThatAreKnownFromElsewhere) {
    EXPECT_NO_THROW(clusters().require(clustered(5, 3, 2, 4), {{"n", 5}, {"D", 3}}));
    EXPECT_THROW(clusters().require(clustered(5, 3, 2, 4), {{"n", 6}}), InputError);
}

TEST(ArchiveSchema, ShapesAreConsistent) {
    expect_refused(clusters(), clustered(5, 3, 2, 3),
                   {"array centroids", "float32 of shape (2, 3)", "must be float32 of shape (L, D + 1)", "D = 3"});
    expect_refused(clusters(), clustered(2, 3, 3, 4), {"array centroids", "L = 3", "from 1 to 2"});
    Archive other = clustered(5, 3, 2, 4);
    other.arrays.at("cluster_of") = Array{{4}, std::vector<std::uint32_t>(4)};
    expect_refused(clusters(), other, {"array cluster_of", "(4)", "n = 5"});
}

TEST(ArchiveSchema, ASizeIsAtLeastOneUnlessSaid) {
    expect_refused(clusters(), clustered(0, 3, 1, 4), {"array points", "(0, 3)", "n = 0", "from 1 to 4294967295"});
    expect_refused(clusters(), clustered(5, 0, 1, 1), {"array points", "(5, 0)", "D = 0"});
    EXPECT_NO_THROW(numbers(Scalar::Float32, {}).size("n", {0, 3}).require(holding<float>("x", {0}, {})));
    EXPECT_THROW(numbers(Scalar::Float32, {}).size("n", {0, 3}).require(holding<float>("x", {4}, {1, 2, 3, 4})),
                 InputError);
}

TEST(ArchiveSchema, ASizeOfMoreThan32BitsIsRefusedThoughTheArrayIsEmpty) {
    const ArchiveSchema schema = ArchiveSchema().size("n", {0, 10}).add({.name = "x", .shape = {"n", "D"}});
    expect_refused(schema, holding<float>("x", {0, std::uint64_t{1} << 32}, {}), {"array x", "D = 4294967296"});
    expect_refused(schema, holding<float>("x", {0, std::uint64_t{1} << 63}, {}), {"array x", "D = "});
}

TEST(ArchiveSchema, AnArrayHoldsAsManyNumbersAsItsShapeSays) {
    EXPECT_NE(refusal(numbers(Scalar::Float32, {}), holding<float>("x", {3}, {1, 2})), "");
}

TEST(ArchiveSchema, TypesAreThoseOfTheSchema) {
    const Archive narrow = holding<float>("x", {1}, {1});
    const Archive wide = holding<double>("x", {1}, {1});
    const Archive index = holding<std::uint32_t>("x", {1}, {1});
    const Archive count = holding<std::uint64_t>("x", {1}, {1});
    const auto takes = [](Scalar scalar, const Archive& archive) {
        return refusal(numbers(scalar, {}), archive).empty();
    };
    EXPECT_TRUE(takes(Scalar::Float32, narrow) && takes(Scalar::Float64, wide) && takes(Scalar::AnyFloat, narrow));
    EXPECT_TRUE(takes(Scalar::AnyFloat, wide) && takes(Scalar::Uint32, index) && takes(Scalar::Uint64, count));
    EXPECT_FALSE(takes(Scalar::Float32, wide) || takes(Scalar::Float64, narrow) || takes(Scalar::AnyFloat, count));
    EXPECT_FALSE(takes(Scalar::Uint32, count) || takes(Scalar::Uint64, index) || takes(Scalar::Uint64, wide));
    expect_refused(numbers(Scalar::AnyFloat, {}), count, {"uint64 of shape (1)", "float32 or float64"});
}

TEST(ArchiveSchema, RangesHoldForEveryNumber) {
    EXPECT_NO_THROW(numbers(Scalar::Float64, {-2, 2}).require(holding<double>("x", {2}, {-2, 2})));
    expect_refused(numbers(Scalar::Float64, {-2, 2}), holding<double>("x", {2}, {-2, 2.5}),
                   {"array x", "2.5 at position 1", "from -2 to 2"});
    const Archive archive = [] {
        Archive wrong = clustered(5, 3, 2, 4);
        std::get<std::vector<std::uint32_t>>(wrong.arrays.at("cluster_of").values)[3] = 2;
        return wrong;
    }();
    expect_refused(clusters(), archive, {"array cluster_of", "holds 2 at position 3", "from 0 to 1"});
    constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
    EXPECT_NO_THROW(numbers(Scalar::Uint64, {}).require(holding<std::uint64_t>("x", {1}, {largest})));
    EXPECT_THROW(numbers(Scalar::Uint64, {0, 5}).require(holding<std::uint64_t>("x", {1}, {largest})), InputError);
}

TEST(ArchiveSchema, EachColumnHasARangeOfItsOwn) {
    const ArchiveSchema schema =
        ArchiveSchema().add({.name = "x", .scalar = Scalar::Uint64, .shape = {"n", 2}, .values = {{0, 1}, {5, 6}}});
    EXPECT_NO_THROW(schema.require(holding<std::uint64_t>("x", {2, 2}, {0, 5, 1, 6})));
    expect_refused(schema, holding<std::uint64_t>("x", {2, 2}, {0, 5, 1, 4}),
                   {"holds 4 at row 1, column 1", "from 5 to 6"});
}

TEST(ArchiveSchema, WhatIsNotFiniteIsInNoRange) {
    for (const double value : {std::nan(""), -std::numeric_limits<double>::infinity()}) {
        expect_refused(numbers(Scalar::Float64, {}), holding<double>("x", {1}, {value}), {"array x", "position 0"});
    }
}

TEST(ArchiveSchema, NumbersCanBeOfAForm) {
    const auto takes = [](const ArchiveRange& range, double value) {
        return refusal(numbers(Scalar::Float64, range), holding<double>("x", {1}, {value})).empty();
    };
    EXPECT_TRUE(takes({0, 1, Form::Open}, 0.5));
    EXPECT_FALSE(takes({0, 1, Form::Open}, 0.0) || takes({0, 1, Form::Open}, 1.0));
    EXPECT_TRUE(takes({1, "n", Form::Whole}, 1.0));
    EXPECT_FALSE(takes({0, 9, Form::Whole}, 0.5) || takes({1, "n", Form::Whole}, 2.0));
    EXPECT_TRUE(takes({0.1, 8, Form::PowerOfTwo}, 0.125) && takes({0.1, 8, Form::PowerOfTwo}, 8.0));
    EXPECT_FALSE(takes({0.1, 8, Form::PowerOfTwo}, 3.0) || takes({0.1, 8, Form::PowerOfTwo}, 16.0));
}

TEST(ArchiveSchema, RowsCanBeOfLengthOne) {
    const ArchiveSchema schema = ArchiveSchema().add({.name = "x", .shape = {"n", 2}, .unit_rows = true});
    EXPECT_NO_THROW(schema.require(holding<float>("x", {2, 2}, {0.6F, 0.8F, 0.0F, 0.0F})));
    expect_refused(schema, holding<float>("x", {2, 2}, {1.0F, 0.0F, 0.6F, 0.7F}), {"array x", "row 1", "length 1"});
}

TEST(ArchiveSchema, ASizeCanBeANumberOfTheArchive) {
    const ArchiveSchema schema = ArchiveSchema()
                                     .add({.name = "D", .scalar = Scalar::Uint64, .is = "D"})
                                     .size("r", {1, "D"})
                                     .add({.name = "rank", .scalar = Scalar::Uint64, .is = "r"})
                                     .add({.name = "x", .shape = {"r"}, .optional = true});
    Archive archive;
    archive.add_count("D", 3);
    archive.add_count("rank", 2);
    EXPECT_NO_THROW(schema.require(archive));
    archive.add("x", std::vector<float>(3));
    expect_refused(schema, archive, {"array x", "(3)", "r = 2"});
    for (const std::uint64_t rank : {std::uint64_t{0}, std::uint64_t{4}, ~std::uint64_t{0}}) {
        Archive wrong = archive;
        wrong.arrays.at("rank").values = std::vector<std::uint64_t>{rank};
        expect_refused(schema, wrong, {"array rank", "from 1 to 3"});
    }
}

TEST(ArchiveSchema, WhatIsMissingIsNamed) {
    Archive archive = clustered(5, 3, 2, 4);
    archive.arrays.erase("centroids");
    expect_refused(clusters(), archive, {"array centroids", "missing"});
}

TEST(ArchiveSchema, KindsMethodsAndNotesAreThoseOfTheSchema) {
    Archive archive = clustered(5, 3, 2, 4);
    archive.kind = ArchiveKind::Model;
    expect_refused(clusters(), archive, {"this is a model, no index", "save-index"});
    const ArchiveSchema schema = ArchiveSchema().methods({"tsne", "umap"}).note("metric", {"cosine", "euclidean"});
    archive.method = "umap";
    archive.notes["metric"] = "cosine";
    EXPECT_NO_THROW(schema.require(archive));
    archive.notes["metric"] = "hearsay";
    expect_refused(schema, archive, {"note metric", "hearsay", "cosine, euclidean"});
    archive.notes.clear();
    expect_refused(schema, archive, {"note metric", "missing"});
    archive.method = "svd";
    expect_refused(schema, archive, {"method", "svd", "tsne, umap"});
}

TEST(Trace, RoundTrips) {
    const std::vector<IterationRecord> trace{{1, 0.5, 0.0, 0.01}, {2, 0.25, -0.5, 0.02}, {3, 0.2, -0.2, 0.03}};
    Archive archive;
    add_trace("steps", trace, archive);
    add_trace("none", {}, archive);
    const auto back = trace_in(archive, "steps");
    ASSERT_EQ(back.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(back[i].iteration, trace[i].iteration);
        EXPECT_EQ(back[i].objective, trace[i].objective);
        EXPECT_EQ(back[i].change, trace[i].change);
        EXPECT_EQ(back[i].seconds, trace[i].seconds);
    }
    EXPECT_TRUE(trace_in(archive, "none").empty());
}

TEST(Trace, RefusesWhatIsNone) {
    Archive archive;
    archive.add("pairs", Array{{2, 2}, std::vector<double>{1, 2, 3, 4}});
    EXPECT_THROW(static_cast<void>(trace_in(archive, "pairs")), InputError);
    EXPECT_THROW(static_cast<void>(trace_in(archive, "missing")), InputError);
}

}  // namespace
}  // namespace isogon::archive_schema_test
