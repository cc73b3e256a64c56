#include "methods/linear.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "reference/nonnegative.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::nmf_test {

namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

Points squared_example() {
    return support::to_points(reference::uniform_matrix(700, 30, 1).array().square().matrix());
}

Matrix parts_of(const Embedding& fitted) {
    const Array& array = fitted.nonnegative_map.at("parts");
    const auto& values = std::get<std::vector<float>>(array.values);
    Matrix parts(array.shape[0], array.shape[1]);
    for (Eigen::Index k = 0; k < parts.rows(); ++k) {
        for (Eigen::Index i = 0; i < parts.cols(); ++i) {
            parts(k, i) = double{values[static_cast<std::size_t>(k * parts.cols() + i)]};
        }
    }
    return parts;
}

double residual(const Points& x, const Embedding& fitted) {
    const Matrix points = to_matrix(x);
    return (points - to_matrix(fitted.coordinates) * parts_of(fitted)).norm() / points.norm();
}

void expect_usable(const Points& x, const Embedding& fitted) {
    const Matrix y = to_matrix(fitted.coordinates);
    ASSERT_EQ(y.rows(), x.count());
    EXPECT_TRUE(y.allFinite());
    EXPECT_GE(y.minCoeff(), 0.0);
    const Matrix parts = parts_of(fitted);
    EXPECT_TRUE(parts.allFinite());
    EXPECT_GE(parts.minCoeff(), 0.0);
    for (Eigen::Index k = 0; k < parts.rows(); ++k) {
        EXPECT_TRUE(parts.row(k).isZero() || std::abs(parts.row(k).norm() - 1.0) < 1e-5) << k;
        EXPECT_TRUE(k == 0 || y.col(k).norm() <= 1.0001 * y.col(k - 1).norm()) << k;
    }
    EXPECT_NEAR(fitted.summary.value("relative_residual"), residual(x, fitted), 1e-6);
}

TEST(Nmf, RecoversASeparableMatrix) {
    for (const NmfStart start : {NmfStart::Svd, NmfStart::Random}) {
        const Points x = support::to_points(reference::separable_matrix(200, 30, 5, 8));
        const Embedding fitted = nmf(x.view(), {.dimension = 5, .iterations = 5000, .tolerance = 0.0, .start = start});
        expect_usable(x, fitted);
        EXPECT_EQ(fitted.summary.termination, Termination::Converged);
        EXPECT_LT(residual(x, fitted), 1e-3);
        // Each part is a row of X, so some point is that part alone.
        const Matrix y = to_matrix(fitted.coordinates).topRows(5);
        for (Eigen::Index i = 0; i < 5; ++i) {
            EXPECT_GT(y.row(i).maxCoeff(), 0.99 * y.row(i).norm()) << i;
        }
    }
}

TEST(Nmf, EndsWithTheBestCoordinatesForItsParts) {
    const Points x = squared_example();
    const Embedding fitted = nmf(x.view(), {.dimension = 6});
    expect_usable(x, fitted);
    EXPECT_LT(reference::kkt_violation(to_matrix(x), to_matrix(fitted.coordinates), parts_of(fitted)), 1e-5);
    EXPECT_LE(residual(x, fitted), fitted.summary.trace.back().objective + 1e-6);
}

TEST(Nmf, TraceNeverRises) {
    const Embedding fitted = nmf(squared_example().view(), {.dimension = 6, .tolerance = 0.0});
    EXPECT_EQ(fitted.summary.trace.size(), 200U);
    EXPECT_EQ(fitted.summary.termination, Termination::IterationLimit);
    double before = 1.0;
    for (const IterationRecord& record : fitted.summary.trace) {
        EXPECT_LE(record.objective, before + 1e-6);
        before = record.objective;
    }
}

TEST(Nmf, OptionsDoWhatTheyPromise) {
    const Points x = squared_example();
    const Embedding fitted = nmf(x.view(), {.dimension = 6});
    EXPECT_EQ(nmf(x.view(), {.dimension = 6, .iterations = 3}).summary.trace.size(), 3U);
    EXPECT_LT(nmf(x.view(), {.dimension = 6, .tolerance = 1e-2}).summary.trace.size(), fitted.summary.trace.size());
    EXPECT_LT(residual(x, nmf(x.view(), {.dimension = 12})), residual(x, fitted));
    const auto random = [&](std::uint64_t seed) {
        return to_matrix(nmf(x.view(), {.dimension = 6, .start = NmfStart::Random, .seed = seed}).coordinates);
    };
    EXPECT_NE(random(1), to_matrix(fitted.coordinates));
    EXPECT_NE(random(1), random(2));
    EXPECT_EQ(random(1), random(1));
    EXPECT_EQ(to_text(fitted.options.at("start")), "svd");
    EXPECT_EQ(fitted.options.size(), 5U);
}

TEST(Nmf, TakesAwkwardPoints) {
    Matrix x = reference::uniform_matrix(40, 7, 4);
    x.topRows(4).setZero();
    x.col(2).setZero();
    x.row(20) = x.row(21);
    x.row(22) = 3.0 * x.row(23);
    for (const NmfStart start : {NmfStart::Svd, NmfStart::Random}) {
        for (const int d : {1, 2, 6, 7}) {
            const Points points = support::to_points(x);
            const Embedding fitted = nmf(points.view(), {.dimension = d, .start = start});
            expect_usable(points, fitted);
            EXPECT_TRUE(to_matrix(fitted.coordinates).topRows(4).isZero());
        }
        // Rank 1, and as many parts as points allow.
        const Points line = support::to_points(reference::uniform_matrix(6, 1, 1) * reference::uniform_matrix(1, 9, 2));
        const Embedding fitted = nmf(line.view(), {.dimension = 5, .start = start});
        expect_usable(line, fitted);
        EXPECT_LT(residual(line, fitted), 1e-3);
        Points single(9, 4);
        single[3][2] = 5.0F;
        expect_usable(single, nmf(single.view(), {.dimension = 3, .start = start}));
    }
}

TEST(Nmf, RefusesWhatItCannotFactorize) {
    Points x = squared_example();
    EXPECT_THROW((void)nmf(x.view(), {.dimension = 31}), InvalidArgument);
    EXPECT_THROW((void)nmf(Points(20, 5).view(), {.dimension = 2}), InputError);
    x[5][6] = -1.0F;
    try {
        (void)nmf(x.view(), {.dimension = 4});
        FAIL() << "a negative number was accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("row 5, column 6"), std::string::npos) << error.what();
    }
    EXPECT_THROW((void)nmf(squared_example().view(), {.dimension = 4}, {.memory_limit = 1000}), LimitExceeded);
}

TEST(Nmf, KeepsWhatItHasWhenEnded) {
    std::stop_source source;
    RunContext context = on_threads(1);
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress& progress) {
        if (progress.done == 2) {
            source.request_stop();
        }
    };
    const Points x = squared_example();
    const Embedding ended = nmf(x.view(), {.dimension = 4}, context);
    EXPECT_EQ(ended.summary.termination, Termination::Cancelled);
    EXPECT_EQ(ended.summary.trace.size(), 2U);
    expect_usable(x, ended);
    EXPECT_TRUE(nmf(x.view(), {.dimension = 4}, context).coordinates.empty());  // stopped before it began
}

TEST(Nmf, ItsModelGivesFittedRowsTheirCoordinatesBitForBit) {
    for (const float factor : {1.0F, 0x1p-80F, 0x1p80F}) {
        const Points x = reference::scaled(squared_example(), factor);
        const Embedding fitted = nmf(x.view(), {.dimension = 5, .iterations = 30});
        const Archive model = make_model("nmf", x.view(), fitted);
        EXPECT_FALSE(model.has("inputs"));
        Transformer transformer(model, on_threads(2));
        EXPECT_EQ(transformer.input_dimension(), 30U);
        EXPECT_EQ(transformer.output_dimension(), 5U);
        EXPECT_TRUE(transformer.has_map());
        EXPECT_EQ(model.note("map"), "nonnegative");
        EXPECT_EQ(transformer.fitted_count(), 0U);
        const Transformed again = transformer.transform(x.view(), on_threads(2));
        EXPECT_EQ(to_matrix(again.coordinates), to_matrix(fitted.coordinates));
        EXPECT_EQ(again.summary.value("unsettled", -1.0), 0.0);
        EXPECT_THROW(transformer.use_weights({}), InvalidArgument);
        EXPECT_THROW((void)transformer.extend(x.view(), {}, {}), InvalidArgument);
        EXPECT_THROW((void)transformer.transform(Points(2, 29).view(), {}), InvalidArgument);
    }
}

}  // namespace

}  // namespace isogon::nmf_test
