#include "methods/forces/tsne_memory.hpp"

#include <gtest/gtest.h>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/error.hpp"

namespace isogon::tsne_memory_test {

namespace {

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

}  // namespace

}  // namespace isogon::tsne_memory_test
