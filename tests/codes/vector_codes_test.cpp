#include "codes/vector_codes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/clustered_data.hpp"
#include "reference/neighbors.hpp"
#include "reference/point_sets.hpp"

namespace isogon::vector_codes_test {

namespace {

using reference::on_threads;
using reference::random_points;

/// The action throws an Error of that type whose message has all parts.
template <class Error, class Action>
void expect_refusal(Action action, const std::vector<std::string>& parts) {
    try {
        action();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        for (const std::string& part : parts) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    }
}

CodesOptions with_bytes(int bytes, Metric metric = Metric::Cosine) {
    return {.bytes = bytes, .metric = metric, .rounds = 5};
}

// Every point has codewords of its own.
TEST(VectorCodes, FewPointsAreDecodedAsTheyWere) {
    const Points x = random_points(200, 7, 1);
    for (const int bytes : {1, 3, 7}) {
        const Points decoded = VectorCodes(x.view(), with_bytes(bytes, Metric::Euclidean), on_threads(2)).decode();
        for (Index i = 0; i < x.count(); ++i) {
            for (Index k = 0; k < 7; ++k) {
                ASSERT_NEAR(decoded[i][k], x[i][k], 1e-3) << bytes;  // squares of float32 tell no more apart
            }
        }
    }
}

TEST(VectorCodes, ByCosineDirectionsAreCoded) {
    Points x = random_points(200, 6, 2);
    const VectorCodes codes(x.view(), with_bytes(3), on_threads(2));
    for (const double length : norms(codes.decode().view())) {
        EXPECT_NEAR(length, 1.0, 1e-4);
    }
    for (float& value : x[7]) {
        value *= 1024.0F;
    }
    EXPECT_EQ(codes.encode(x.view()).codes(), codes.codes());
}

TEST(VectorCodes, MoreBytesKeepMoreNeighbors) {
    const Points x = reference::sheet_points(3000, 24, 6, 3);
    double before = 0.0;
    for (const int bytes : {1, 3, 24}) {
        const double kept = recall_of_codes(VectorCodes(x.view(), with_bytes(bytes)), x.view(), 10);
        EXPECT_GT(kept, before + 0.05) << bytes;
        before = kept;
    }
    EXPECT_LE(before, 1.0);
}

TEST(VectorCodes, APlaceFarFromTheOriginCostsNothing) {
    Points x = reference::sheet_points(2000, 12, 4, 14);
    const double before = recall_of_codes(VectorCodes(x.view(), with_bytes(6, Metric::Euclidean)), x.view(), 10);
    for (float& value : x.values()) {
        value += 100.0F;
    }
    const double after = recall_of_codes(VectorCodes(x.view(), with_bytes(6, Metric::Euclidean)), x.view(), 10);
    EXPECT_NEAR(before, after, 0.03);
}

TEST(VectorCodes, AreTheSameInAnyUnitOfLength) {
    for (const Metric metric : {Metric::Euclidean, Metric::InnerProduct, Metric::Cosine}) {
        CodesOptions options = with_bytes(4);
        options.metric = metric;
        const Points x = random_points(400, 8, 17, 1.0);
        const Points queries = random_points(20, 8, 18, 1.0);
        const VectorCodes codes(x.view(), options);
        const NeighborLists lists = codes.search(queries.view(), 5);
        const double recall = recall_of_codes(codes, x.view(), 5);
        for (const float factor : {0x1p-100F, 0x1p-40F, 0x1p-10F, 0x1p10F, 0x1p40F, 0x1p100F}) {
            const Points other = reference::scaled(x, factor);
            const VectorCodes scaled(other.view(), options);
            EXPECT_EQ(scaled.codes(), codes.codes()) << factor;
            EXPECT_EQ(scaled.encode(other.view()).codes(), codes.codes()) << factor;
            EXPECT_EQ(VectorCodes(scaled.archive()).encode(other.view()).codes(), codes.codes()) << factor;
            EXPECT_EQ(scaled.search(reference::scaled(queries, factor).view(), 5).indices, lists.indices) << factor;
            EXPECT_EQ(recall_of_codes(scaled, other.view(), 5), recall) << factor;
            const Points decoded = codes.decode();
            const Points back = reference::scaled(decoded, metric == Metric::Cosine ? 1.0F : factor);
            EXPECT_TRUE(std::ranges::equal(scaled.decode().values(), back.values())) << factor;
        }
    }
}

TEST(VectorCodes, SearchFindsTheNearestOfWhatIsDecoded) {
    const Points x = reference::sheet_points(700, 10, 4, 4);
    const Points queries = random_points(20, 10, 5);
    for (const Metric metric : {Metric::Cosine, Metric::InnerProduct, Metric::Euclidean}) {
        const VectorCodes codes(x.view(), with_bytes(4, metric), on_threads(2));
        const NeighborLists found = codes.search(queries.view(), 6);
        const NeighborLists slow = exact_neighbors(queries.view(), codes.decode().view(), 6, metric);
        EXPECT_EQ(found.indices, slow.indices);
    }
}

TEST(VectorCodes, AreTheSameOnAnyNumberOfThreads) {
    const Points x = reference::sheet_points(20000, 12, 5, 7);
    const VectorCodes one(x.view(), with_bytes(5), on_threads(1));
    for (const int threads : {2, 3}) {
        const VectorCodes more(x.view(), with_bytes(5), on_threads(threads));
        EXPECT_EQ(one.codes(), more.codes());
        const Points a = one.decode(on_threads(1));
        const Points b = more.decode(on_threads(threads));
        EXPECT_TRUE(std::equal(a.values().begin(), a.values().end(), b.values().begin()));
    }
}

TEST(VectorCodes, AreRestoredFromAnArchive) {
    const Points x = reference::sheet_points(400, 9, 4, 8);
    const VectorCodes codes(x.view(), with_bytes(4, Metric::Euclidean));
    const VectorCodes restored(codes.archive());
    EXPECT_EQ(restored.codes(), codes.codes());
    EXPECT_EQ(restored.options().metric, Metric::Euclidean);
    EXPECT_EQ(restored.code_bytes(), 4U);
    EXPECT_EQ(restored.encode(x.view()).codes(), codes.codes());
}

TEST(VectorCodes, WithoutBytesSixteenOrOneForEachNumber) {
    EXPECT_EQ(VectorCodes(random_points(50, 20, 9).view(), {.rounds = 0}).code_bytes(), 16U);
    EXPECT_EQ(VectorCodes(random_points(50, 5, 9).view(), {.rounds = 0}).code_bytes(), 5U);
}

TEST(VectorCodes, ZeroVectorsAndEqualPointsAreNoTrouble) {
    const Points zeros(40, 6);
    for (const Metric metric : {Metric::Cosine, Metric::Euclidean}) {
        for (const float value : VectorCodes(zeros.view(), with_bytes(3, metric)).decode().values()) {
            EXPECT_EQ(value, 0.0F);
        }
    }
    const Points equal = reference::equal_points(300, 6);
    const Points decoded = VectorCodes(equal.view(), with_bytes(2, Metric::Euclidean)).decode();
    for (std::size_t i = 0; i < decoded.values().size(); ++i) {
        EXPECT_NEAR(decoded.values()[i], equal.values()[i], 1e-4);
    }
}

TEST(VectorCodes, RefuseWhatCannotBe) {
    const Points x = random_points(30, 5, 10);
    expect_refusal<InvalidArgument>([&] { VectorCodes(x.view(), with_bytes(6)); }, {"bytes", "6", "at most 5"});
    expect_refusal<InvalidArgument>([&] { VectorCodes(x.view(), with_bytes(0)); }, {"bytes", "0"});
    expect_refusal<InputError>([&] { VectorCodes(PointsView(), {}); }, {"no vectors"});
    Points broken = x;
    broken[3][2] = std::numeric_limits<float>::quiet_NaN();
    expect_refusal<InputError>([&] { VectorCodes(broken.view(), {}); }, {"row 3"});
    const VectorCodes codes(x.view(), with_bytes(2));
    expect_refusal<InputError>([&] { (void)codes.encode(broken.view()); }, {"row 3"});
    expect_refusal<InputError>([&] { (void)codes.search(broken.view(), 2); }, {"row 3"});
    const Points other = random_points(3, 4, 11);
    expect_refusal<InputError>([&] { (void)recall_of_codes(codes, other.view(), 1); }, {"3 vectors", "of 30"});
    for (const Index k : {0U, 30U}) {
        expect_refusal<InvalidArgument>([&] { (void)recall_of_codes(codes, x.view(), k); },
                                        {"neighbors", std::to_string(k), "30"});
    }
    expect_refusal<InvalidArgument>([&] { (void)codes.encode(other.view()); }, {"dimension", "4", "5"});
    expect_refusal<InvalidArgument>([&] { (void)codes.search(other.view(), 1); }, {"dimension", "4", "5"});
}

TEST(VectorCodes, ADistanceBeyondFloat32IsRefused) {
    Points x = random_points(30, 5, 15);
    std::fill(x[4].begin(), x[4].end(), 100.0F);
    const VectorCodes codes(x.view(), with_bytes(2, Metric::Euclidean));
    Points queries = random_points(2, 5, 16);
    std::fill(queries[1].begin(), queries[1].end(), std::numeric_limits<float>::max());
    expect_refusal<InputError>([&] { (void)codes.search(queries.view(), 30); }, {"queries", "row 1", "float32"});
}

TEST(VectorCodes, ADamagedArchiveIsRefused) {
    const Archive good = VectorCodes(random_points(30, 5, 12).view(), with_bytes(2)).archive();
    const auto damaged = [&](const std::string& name, Array array) {
        Archive bad = good;
        bad.arrays[name] = std::move(array);
        expect_refusal<InputError>([&] { VectorCodes codes(bad); }, {name});
    };
    damaged("codes", {{2, 2}, std::vector<std::uint8_t>{0, 1, 2, 30}});  // there are 30 codewords
    damaged("codes", {{1, 6}, std::vector<std::uint8_t>(6)});
    damaged("codes", {{1, 2}, std::vector<std::uint32_t>(2)});
    damaged("rotation", {{5, 4}, std::vector<float>(20)});
    damaged("rotation", {{5, 5}, std::vector<float>(25, 2.0F)});
    damaged("codewords", {{257, 5}, std::vector<float>(1285)});
    // Numbers in bounds that lead beyond float32.
    Archive large = good;
    large.arrays["codewords"] = {{30, 5}, std::vector<float>(150, std::numeric_limits<float>::max())};
    large.arrays["rotation"] = {{5, 5}, std::vector<float>(25, 1.0F)};
    expect_refusal<InputError>([&] { (void)VectorCodes(large).decode(); }, {"decoded vectors"});
}

TEST(VectorCodes, StateTheirMemoryFirst) {
    const Points x = random_points(300, 8, 13);
    RunContext tight = on_threads(1);
    tight.memory_limit = 1000;
    EXPECT_THROW(VectorCodes(x.view(), with_bytes(2), tight), LimitExceeded);
    const VectorCodes codes(x.view(), with_bytes(2));
    EXPECT_THROW((void)codes.decode(tight), LimitExceeded);
    EXPECT_THROW((void)codes.encode(x.view(), tight), LimitExceeded);
}

TEST(VectorCodes, OfFewWideVectorsStateNoMatrixForBlocksThatAreNotThere) {
    constexpr std::uint64_t square = std::uint64_t{2000} * 2000 * sizeof(double);
    EXPECT_LT(VectorCodes::bytes(200, 2000, 16), 10 * square);
    EXPECT_GT(VectorCodes::bytes(100000, 2000, 16), 24 * square);
}

}  // namespace

}  // namespace isogon::vector_codes_test
