#include "methods/forces/tsne_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/error.hpp"
#include "support/embeddings.hpp"
#include "support/heaps.hpp"

namespace isogon::tsne_steps_test {
namespace {

TEST(TsneOptions, AutomaticRepulsionIsTheFastestThatThereIs) {
    constexpr Index few = 3000;
    EXPECT_EQ(completed({}, few).repulsion, TsneRepulsion::Exact);
    EXPECT_EQ(completed({}, few + 1).repulsion, TsneRepulsion::Fft);
    EXPECT_EQ(completed({.dimension = 3}, few + 1).repulsion, TsneRepulsion::BarnesHut);
    EXPECT_EQ(completed({.dimension = 4}, few + 1).repulsion, TsneRepulsion::Exact);
    EXPECT_EQ(completed({.repulsion = TsneRepulsion::BarnesHut}, 100).repulsion, TsneRepulsion::BarnesHut);
}

TEST(TsneOptions, AutomaticPerplexityFitsThePoints) {
    EXPECT_EQ(completed({}, 1000).perplexity, 30.0);
    EXPECT_EQ(completed({}, 31).perplexity, 10.0);
    EXPECT_FALSE(completed({}, 3).perplexity);
}

TEST(TsneOptions, RefusesWhatDoesNotFitByName) {
    const auto refused = [](const TsneOptions& options, Index points) {
        return support::refused_field([&] { (void)completed(options, points); });
    };
    EXPECT_EQ(refused({.perplexity = 31.0}, 31), "perplexity");
    EXPECT_EQ(refused({.dimension = 3, .repulsion = TsneRepulsion::Fft}, 100), "solver");
    EXPECT_EQ(refused({.dimension = 4, .repulsion = TsneRepulsion::BarnesHut}, 100), "solver");
    EXPECT_EQ(refused({.theta = 0.3}, 100), "theta") << "all pairs have no use for it";
}

TEST(TsneMemory, GrowsWithNeighboursAndCheckpoints) {
    const Points x(500, 10);
    TsneOptions options{.perplexity = 30.0, .repulsion = TsneRepulsion::Exact};
    std::uint64_t most = 0;
    RunContext context;
    context.on_need = [&](std::uint64_t bytes) { most = std::max(most, bytes); };
    state_tsne(x.view(), options, 30, {}, context);
    const std::uint64_t few = most;
    state_tsne(x.view(), options, 90, {}, context);
    EXPECT_GT(most, few);
    context.memory_limit = 1000;
    EXPECT_THROW(state_tsne(x.view(), options, 90, {}, context), LimitExceeded);
    FitExtras saving;
    saving.checkpoint = [](const Archive&) {};
    EXPECT_GT(layout_bytes(500, options, saving), layout_bytes(500, options, {}));
    options.repulsion = TsneRepulsion::BarnesHut;
    EXPECT_GT(layout_bytes(500, options, saving), layout_bytes(500, {.repulsion = TsneRepulsion::Exact}, saving));
}

TEST(TsneMemory, OfAGraphIsThatOfItsArrays) {
    const CsrMatrix<float> graph{.rows = 2, .columns = 2, .offsets = {0, 1, 2}, .indices = {1, 0}, .values = {1, 1}};
    EXPECT_EQ(affinities_bytes(graph.entries(), 2),
              2 * (sizeof(Index) + sizeof(float)) + graph.offsets.size() * sizeof(Offset));
}

using support::heaps;
using support::same_bits;

TEST(TsneCheckpoints, ContinuesFromACheckpointToTheSameBits) {
    const Points points = heaps(80);
    const TsneOptions options{.iterations = 45};
    std::vector<Archive> taken;
    FitExtras watching;
    watching.checkpoint_seconds = 0.0;
    watching.checkpoint = [&](const Archive& archive) { taken.push_back(archive); };
    const Embedding whole = tsne(points.view(), options, {}, watching);
    ASSERT_EQ(taken.size(), 5U);
    for (const Archive& checkpoint : taken) {
        FitExtras extras;
        extras.resume = &checkpoint;
        EXPECT_TRUE(same_bits(whole, tsne(points.view(), options, {}, extras)));
    }
    FitExtras extras;
    extras.resume = taken.data();
    EXPECT_THROW((void)tsne(points.view(), {.iterations = 45, .exaggeration = 2.0}, {}, extras), InputError);
    EXPECT_THROW((void)tsne(heaps(81).view(), options, {}, extras), InputError);
}

TEST(TsneCheckpoints, ACheckpointIsOfOneCourse) {
    const Points points = heaps(60);
    std::vector<Archive> taken;
    FitExtras watching;
    watching.checkpoint_seconds = 0.0;
    watching.checkpoint = [&](const Archive& archive) { taken.push_back(archive); };
    (void)tsne(points.view(), {.iterations = 760}, {}, watching);
    FitExtras extras;
    extras.resume = &taken.back();
    EXPECT_EQ(tsne(points.view(), {.iterations = 770}, {}, extras).summary.value("iterations"), 770.0);
    EXPECT_THROW((void)tsne(points.view(), {.iterations = 750}, {}, extras), InputError);  // has made more
    extras.resume = taken.data();
    EXPECT_THROW((void)tsne(points.view(), {.iterations = 300}, {}, extras), InputError);  // exaggerates less long
}

}  // namespace
}  // namespace isogon::tsne_steps_test
