#include "methods/checkpoints.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/distributed_copy.hpp"

namespace isogon::checkpoints_test {
namespace {

const OptionValues options{{"dimension", std::int64_t{4}}, {"metric", "cosine"}, {"iterations", std::int64_t{50}}};

Points example() {
    return reference::random_points(20, 3, 1);
}

/// The one checkpoint that a run of these takes.
Archive checkpoint_of(const std::string& method, const OptionValues& values, const Points& x, const Points& start) {
    Archive taken;
    FitExtras extras;
    extras.start = start.view();
    extras.checkpoint = [&](const Archive& archive) { taken = archive; };
    Checkpoints(method, values, x.view(), extras)
        .take([](Archive& archive) { archive.add_number("position", 7.0); }, true);
    return taken;
}

/// The message of the refusal to resume; "" if there is none.
std::string refusal(const Archive& saved, const std::string& method, const OptionValues& values, const Points& x,
                    const Points& start = {}) {
    FitExtras extras;
    extras.start = start.view();
    extras.resume = &saved;
    try {
        const Checkpoints accepted(method, values, x.view(), extras);
        EXPECT_EQ(accepted.resume(), &saved);
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

void expect_says(const std::string& text, const std::vector<std::string>& words) {
    for (const auto& word : words) {
        EXPECT_NE(text.find(word), std::string::npos) << "no \"" << word << "\" in: " << text;
    }
}

TEST(Fingerprint, OfAffinitiesChangesWithEveryEntryAndItsPlace) {
    const CsrMatrix<double> weights{.rows = 2, .columns = 2, .offsets = {0, 1, 2}, .indices = {1, 0}, .values = {3, 4}};
    CsrMatrix<double> value = weights;
    value.values[1] = 5.0;
    CsrMatrix<double> column = weights;
    column.indices[0] = 0;
    CsrMatrix<double> row = weights;
    row.offsets[1] = 0;
    EXPECT_EQ((std::set<std::uint64_t>{0, fingerprint(&weights), fingerprint(&value), fingerprint(&column),
                                       fingerprint(&row)})
                  .size(),
              5U);
    EXPECT_EQ(fingerprint(static_cast<const CsrMatrix<double>*>(nullptr)), 0U);
}

TEST(Fingerprint, ChangesWithEveryBitOfThePointsAndTheirShape) {
    const Points x = example();
    std::set<std::uint64_t> seen{fingerprint(x.view()), fingerprint(PointsView(x.view().data, 19, 3)),
                                 fingerprint(PointsView(x.view().data, 10, 6)), fingerprint(PointsView())};
    EXPECT_EQ(seen.size(), 4U);
    for (std::size_t k = 0; k < x.values().size(); ++k) {
        Points changed = x;
        changed.values()[k] = std::nextafter(changed.values()[k], 10.0F);
        EXPECT_TRUE(seen.insert(fingerprint(changed.view())).second) << k;
    }
    Points swapped = x;
    std::swap_ranges(swapped[0].begin(), swapped[0].end(), swapped[1].begin());
    EXPECT_TRUE(seen.insert(fingerprint(swapped.view())).second);
}

TEST(Fingerprint, IsOfTheNumbersNotOfTheirPlaceInMemory) {
    const Points x = example();
    const Points copy = x;
    EXPECT_EQ(fingerprint(x.view()), fingerprint(copy.view()));
    Points narrow(20, 2);
    for (Index i = 0; i < 20; ++i) {
        std::copy_n(x[i].begin(), 2, narrow[i].begin());
    }
    EXPECT_EQ(fingerprint(PointsView(x.view().data, 20, 2, 3)), fingerprint(narrow.view()));
}

TEST(Checkpoints, SayWhoseTheyAreAndWhatTheSolverSaid) {
    const Archive saved = checkpoint_of("faithful", options, example(), {});
    EXPECT_EQ(saved.kind, ArchiveKind::Checkpoint);
    EXPECT_EQ(saved.method, "faithful");
    EXPECT_EQ(saved.options, options);
    EXPECT_EQ(saved.number("position"), 7.0);
}

TEST(Checkpoints, AreTakenWhenTimeHasComeOrAtOnceIfAsked) {
    int taken = 0;
    FitExtras extras;
    extras.checkpoint = [&](const Archive&) { ++taken; };
    extras.checkpoint_seconds = 3600.0;
    const Points x = example();
    const auto nothing = [](Archive&) {};
    Checkpoints seldom("faithful", options, x.view(), extras);
    seldom.take(nothing);
    seldom.take(nothing);
    EXPECT_EQ(taken, 0);
    seldom.take(nothing, true);
    EXPECT_EQ(taken, 1);
    extras.checkpoint_seconds = 0.0;
    Checkpoints always("faithful", options, x.view(), extras);
    always.take(nothing);
    always.take(nothing);
    EXPECT_EQ(taken, 3);
}

TEST(Checkpoints, OfOneRankAreMadeWithTheHelpOfTheOthers) {
    const Points x = example();
    for (const bool now : {false, true}) {
        support::on_ranks(3, x.view(), [&](const RunContext&, const DistributedPoints& points) {
            const std::size_t rank = ranks_of(points).rank();
            int taken = 0;
            int helped = 0;
            FitExtras extras;
            extras.checkpoint_seconds = 3600.0;
            if (rank == 1) {
                extras.checkpoint = [&](const Archive&) { ++taken; };
            }
            Checkpoints checkpoints("faithful", options, points, extras);
            checkpoints.take([](Archive&) {}, now, [&] { ++helped; });
            EXPECT_EQ(taken, now && rank == 1 ? 1 : 0);
            EXPECT_EQ(helped, now && rank != 1 ? 1 : 0);
        });
    }
}

TEST(Checkpoints, HaveNoCostWithoutAReceiver) {
    const Points x = example();
    Checkpoints checkpoints("faithful", options, x.view(), {});
    checkpoints.take([](Archive&) { FAIL() << "saved for nobody"; }, true);
    EXPECT_EQ(checkpoints.resume(), nullptr);
}

TEST(Checkpoints, BelongToARunOfTheSameMethodOptionsInputAndStart) {
    const Points x = example();
    const Points start = reference::random_points(20, 4, 2);
    EXPECT_EQ(refusal(checkpoint_of("faithful", options, x, {}), "faithful", options, x), "");
    EXPECT_EQ(refusal(checkpoint_of("faithful", options, x, start), "faithful", options, x, start), "");
    OptionValues longer = options;
    longer["iterations"] = std::int64_t{500};
    EXPECT_EQ(refusal(checkpoint_of("faithful", options, x, {}), "faithful", longer, x), "");
}

TEST(Checkpoints, RefuseAnotherRunAndSayWhatDiffers) {
    const Points x = example();
    Archive saved = checkpoint_of("faithful", options, x, {});
    saved.source = "run.safetensors";
    expect_says(refusal(saved, "tsm", options, x), {"run.safetensors", "faithful", "tsm"});
    OptionValues other = options;
    other["metric"] = "euclidean";
    expect_says(refusal(saved, "faithful", other, x), {"run.safetensors", "metric = cosine", "euclidean"});
    other = options;
    other["recall"] = 0.5;
    expect_says(refusal(saved, "faithful", other, x), {"recall", "nothing", "0.5"});
    Points changed = x;
    changed[19][2] += 1.0F;
    expect_says(refusal(saved, "faithful", options, changed), {"run.safetensors", "another input"});
    expect_says(refusal(saved, "faithful", options, x, x), {"run.safetensors", "another start"});
}

TEST(Checkpoints, BelongToARunOfTheSameNeighbours) {
    const Points x = example();
    const NeighborLists lists{
        .size = 1, .indices = std::vector<Index>(20, 3), .distances = std::vector<float>(20, 0.5F)};
    NeighborLists others = lists;
    others.distances[7] = 0.75F;
    Archive saved;
    FitExtras extras;
    extras.neighbors = &lists;
    extras.checkpoint = [&](const Archive& archive) { saved = archive; };
    Checkpoints("tsne", options, x.view(), extras).take([](Archive&) {}, true);
    FitExtras again;
    again.resume = &saved;
    again.neighbors = &lists;
    EXPECT_NO_THROW(Checkpoints("tsne", options, x.view(), again));
    again.neighbors = &others;
    EXPECT_THROW(Checkpoints("tsne", options, x.view(), again), InputError);
    expect_says(refusal(saved, "tsne", options, x), {"other neighbours"});
}

TEST(Checkpoints, RefuseAModelAndADamagedOne) {
    const Points x = example();
    Archive saved = checkpoint_of("faithful", options, x, {});
    saved.source = "run.safetensors";
    saved.kind = ArchiveKind::Model;
    expect_says(refusal(saved, "faithful", options, x), {"run.safetensors", "model", "no checkpoint"});
    saved.kind = ArchiveKind::Checkpoint;
    saved.arrays.erase("input_fingerprint");
    expect_says(refusal(saved, "faithful", options, x), {"run.safetensors", "input_fingerprint"});
}

TEST(Fingerprint, IsTheSameOfPointsThatRanksDivide) {
    for (const Index count : {1U, 200U}) {
        const Points x = reference::random_points(count, 3, 1);
        support::on_ranks(3, x.view(), [&](const RunContext&, const DistributedPoints& points) {
            EXPECT_EQ(fingerprint(points), fingerprint(x.view()));
        });
    }
}

}  // namespace
}  // namespace isogon::checkpoints_test
