#include "distributed_extension.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "ranks.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "transform/locally_linear_extension.hpp"

namespace isogon::distributed_extension_test {
namespace {

using ranks::group;
using ranks::own_lists;

constexpr Index neighbors = 12;

/// Points near a space of few dimensions, every fifth with an output.
struct Example {
    explicit Example(Index count) : points(low(count)) {
        lists = exact_neighbors(points.view(), neighbors, Metric::Cosine);
        for (Index i = 0; i < count; i += 5) {
            landmarks.push_back(i);
        }
        outputs = reference::random_points(static_cast<Index>(landmarks.size()), 3, 9);
    }

    static Points low(Index count) {
        const support::Matrix noise = 0.01 * support::random_matrix(count, 8, 3);
        return support::to_points(support::random_matrix(count, 3, 1) * support::random_matrix(3, 8, 2) + noise);
    }

    [[nodiscard]] DistributedExtension distributed(const LocallyLinearOptions& options, ExtensionSolver solver,
                                                   const RunContext& context = {}) const {
        return extend_distributed({ViewRows(points.view()), own_lists(lists), landmarks, outputs.view()}, options,
                                  solver, group(), context);
    }

    [[nodiscard]] LocallyLinearExtension whole(const LocallyLinearOptions& options) const {
        return extend_locally_linearly(points.view(), {landmarks, outputs.view()}, lists, options);
    }

    Points points;
    NeighborLists lists;
    std::vector<Index> landmarks{};
    Points outputs;
};

/// The largest difference of own rows from those of the whole, over the largest output.
double difference(const DistributedExtension& own, const Points& whole) {
    const Range part = group().own_part(whole.count());
    EXPECT_EQ(own.outputs.count(), part.size());
    double largest = 0.0;
    double size = 0.0;
    for (Index i = 0; i < own.outputs.count(); ++i) {
        for (Index a = 0; a < whole.dimension(); ++a) {
            const double expected = double{whole[static_cast<Index>(part.begin) + i][a]};
            largest = std::max(largest, std::abs(double{own.outputs[i][a]} - expected));
            size = std::max(size, std::abs(expected));
        }
    }
    return size > 0.0 ? largest / size : largest;
}

TEST(DistributedExtension, AgreesWithTheLocalOneByEitherSolver) {
    const Example example(300);
    const LocallyLinearOptions options{.neighbors = neighbors, .ridge = 1e-2, .tolerance = 1e-6};
    const LocallyLinearExtension local = example.whole(options);
    for (const ExtensionSolver solver : {ExtensionSolver::ConjugateGradients, ExtensionSolver::Factor}) {
        const DistributedExtension own = example.distributed(options, solver);
        EXPECT_EQ(own.summary.termination, Termination::Converged);
        EXPECT_LT(own.summary.value("residual"), 1.1e-6);
        EXPECT_LT(difference(own, local.outputs), 1e-4);
        EXPECT_EQ(own.summary.value("factored"), solver == ExtensionSolver::Factor ? 1.0 : 0.0);
        EXPECT_EQ(own.unreached, local.unreached);
    }
}

TEST(DistributedExtension, GivesZeroVectorsZeroAndLandmarksTheirOwn) {
    Example example(60);
    for (const Index i : {7, 15}) {  // 15 is a landmark
        std::fill(example.points[i].begin(), example.points[i].end(), 0.0F);
    }
    example.lists = exact_neighbors(example.points.view(), neighbors, Metric::Cosine);
    const LocallyLinearOptions options{.neighbors = neighbors, .ridge = 1e-2, .tolerance = 1e-6};
    const DistributedExtension own = example.distributed(options, ExtensionSolver::ConjugateGradients);
    EXPECT_LT(difference(own, example.whole(options).outputs), 1e-4);
    const Range part = group().own_part(60);
    for (std::size_t i = part.begin; i < part.end; ++i) {
        const auto output = own.outputs[static_cast<Index>(i - part.begin)];
        if (i % 5 == 0) {
            EXPECT_TRUE(std::ranges::equal(output, example.outputs[static_cast<Index>(i / 5)]));
        } else if (i == 7) {
            EXPECT_TRUE(std::ranges::all_of(output, [](float value) { return value == 0.0F; }));
        }
    }
}

TEST(DistributedExtension, MixesWhatNoChainReaches) {
    // Two far-off cones, landmarks in the first alone.
    Example example(100);
    for (Index i = 0; i < 100; ++i) {
        std::fill(example.points[i].begin() + (i < 50 ? 4 : 0), example.points[i].begin() + (i < 50 ? 8 : 4), 0.0F);
    }
    example.lists = exact_neighbors(example.points.view(), neighbors, Metric::Cosine);
    example.landmarks = {0, 10, 20, 30};
    example.outputs = reference::random_points(4, 3, 1);
    const LocallyLinearOptions options{.neighbors = neighbors, .ridge = 1e-2, .tolerance = 1e-6};
    const DistributedExtension own = example.distributed(options, ExtensionSolver::Factor);
    const LocallyLinearExtension local = example.whole(options);
    EXPECT_EQ(own.unreached, local.unreached);
    EXPECT_FALSE(own.unreached.empty());
    EXPECT_LT(difference(own, local.outputs), 1e-3);
}

TEST(DistributedExtension, StopsWhereOneRankIsToldTo) {
    const Example example(100);
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    if (group().rank() == 0) {
        source.request_stop();
    }
    const DistributedExtension own =
        example.distributed({.neighbors = neighbors}, ExtensionSolver::ConjugateGradients, context);
    EXPECT_EQ(own.summary.termination, Termination::Cancelled);
    EXPECT_TRUE(own.outputs.empty());
}

TEST(DistributedExtension, RefusesWhatCannotBe) {
    Example example(50);
    const auto run = [&] { (void)example.distributed({.neighbors = neighbors}, ExtensionSolver::Factor); };
    EXPECT_NO_THROW(run());
    std::swap(example.landmarks[0], example.landmarks[1]);
    EXPECT_THROW(run(), InvalidArgument);
    example.landmarks.pop_back();
    EXPECT_THROW(run(), InvalidArgument);
    example.landmarks.clear();
    EXPECT_THROW(run(), InvalidArgument);
}

}  // namespace
}  // namespace isogon::distributed_extension_test
