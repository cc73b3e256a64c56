#include "decomposition/decompose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>

#include "decomposition/relu_examples.hpp"
#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::decompose_test {
namespace {

using support::csr_matrix;
using support::Matrix;

std::vector<std::string> algorithms() {
    for (const OptionSpec& spec : decompose_option_table().specs()) {
        if (spec.name == "algorithm") {
            return spec.choices;
        }
    }
    return {};
}

DecomposeOptions options_of(const std::string& algorithm, int rank, int iterations) {
    OptionValues values{
        {"algorithm", algorithm}, {"rank", std::int64_t{rank}}, {"iterations", std::int64_t{iterations}}};
    if (algorithm == "momentum" || algorithm == "em") {
        values["momentum"] = 0.5;
    }
    return decompose_option_table().make(values);
}

std::string refusal(const Matrix& s, const DecomposeOptions& options, const ReluFactors* start = nullptr) {
    try {
        static_cast<void>(decompose(csr_matrix(s), nullptr, options, start, {}));
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

class AlgorithmOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Algorithms, AlgorithmOf, testing::ValuesIn(algorithms()), [](const auto& each) {
    std::string text;
    std::copy_if(each.param.begin(), each.param.end(), std::back_inserter(text), [](char c) { return c != '-'; });
    return text;
});

TEST_P(AlgorithmOf, ResidualsAreThoseOfTheFactors) {
    for (support::ReluExample example : support::relu_examples()) {
        const bool symmetric = GetParam() == "symmetric";
        if (symmetric && example.observed) {
            continue;
        }
        if (symmetric) {
            example.s = Matrix(example.s * example.s.transpose());
        }
        const int rank = static_cast<int>(std::min<Eigen::Index>(3, std::min(example.s.rows(), example.s.cols())));
        const CsrMatrix<double> mask = example.observed ? csr_matrix(*example.observed) : CsrMatrix<double>{};
        const Decomposition found = decompose(csr_matrix(example.s), example.observed ? &mask : nullptr,
                                              options_of(GetParam(), rank, 12), nullptr, {});
        const Matrix latent = support::product_of(found.factors);
        ASSERT_TRUE(latent.allFinite()) << example.name;
        const double size = example.s.norm();
        EXPECT_NEAR(found.summary.value("latent_residual"), std::sqrt(support::latent_squares(example, latent)) / size,
                    1e-6)
            << example.name;
        EXPECT_NEAR(found.summary.value("output_residual"), std::sqrt(support::output_squares(example, latent)) / size,
                    1e-6)
            << example.name;
        EXPECT_EQ(found.output_residuals.size(), found.summary.trace.size());
        EXPECT_LE(found.summary.value("output_residual"), 1.0 + 1e-12) << example.name;
    }
}

TEST_P(AlgorithmOf, FindsAPlantedMatrix) {
    Matrix latent = support::random_matrix(90, 3, 1) * support::random_matrix(3, 90, 2);
    latent = Matrix(latent + latent.transpose());  // rank 6, for all alike
    DecomposeOptions options = options_of(GetParam(), 6, 400);
    options.output_tolerance = 1e-3;
    options.stall_tolerance = 0.0;
    options.ridge = GetParam() == "tikhonov" ? 1e-6 : options.ridge;
    const Decomposition found = decompose(csr_matrix(latent.cwiseMax(0.0)), nullptr, options, nullptr, {});
    EXPECT_EQ(found.summary.termination, Termination::Converged) << found.summary.message;
}

TEST_P(AlgorithmOf, GivesTheSameBitsOnAnyNumberOfThreads) {
    const Matrix s = support::planted_relu(110, 110, 3, 0.5, 1);
    const Matrix symmetric = s + s.transpose();
    const auto on = [&](int threads) {
        const CsrMatrix<double> matrix = csr_matrix(GetParam() == "symmetric" ? symmetric : s);
        return decompose(matrix, nullptr, options_of(GetParam(), 4, 8), nullptr, reference::on_threads(threads))
            .factors.left.values();
    };
    EXPECT_EQ(on(1), on(3));
    EXPECT_EQ(on(1), on(2));
}

TEST_P(AlgorithmOf, ScalesWithS) {
    const Matrix s = support::planted_relu(60, 60, 3, 0.5, 1);
    const Matrix symmetric = s + s.transpose();
    const Matrix& input = GetParam() == "symmetric" ? symmetric : s;
    const Decomposition one = decompose(csr_matrix(input), nullptr, options_of(GetParam(), 3, 10), nullptr, {});
    const Decomposition large =
        decompose(csr_matrix(Matrix(1e6 * input)), nullptr, options_of(GetParam(), 3, 10), nullptr, {});
    EXPECT_NEAR(large.summary.value("output_residual"), one.summary.value("output_residual"), 1e-3);
}

TEST_P(AlgorithmOf, DoesNotMindTheUnit) {
    const Matrix s = support::planted_relu(30, 30, 3, 0.5, 1);
    const Matrix symmetric = s + s.transpose();
    const Matrix& input = GetParam() == "symmetric" ? symmetric : s;
    const Decomposition one = decompose(csr_matrix(input), nullptr, options_of(GetParam(), 3, 6), nullptr, {});
    for (const int power : {-900, -300, 100, 900}) {
        const double unit = std::ldexp(1.0, power);
        const Decomposition other =
            decompose(csr_matrix(Matrix(unit * input)), nullptr, options_of(GetParam(), 3, 6), nullptr, {});
        EXPECT_EQ(other.summary.value("output_residual"), one.summary.value("output_residual")) << power;
        EXPECT_EQ(other.summary.value("noise_level"), unit * one.summary.value("noise_level")) << power;
        EXPECT_EQ(other.factors.left.values()[0], std::ldexp(one.factors.left.values()[0], power / 2)) << power;
    }
}

TEST(Decompose, FindsTheIdentityOfAnySizeByRankThree) {
    for (const Index size : {6U, 7U, 10U, 12U, 15U, 20U, 33U, 50U}) {
        for (const std::int64_t seed : {0, 3}) {
            const Decomposition found =
                decompose(csr_matrix(Matrix::Identity(size, size)), nullptr,
                          decompose_option_table().make({{"rank", std::int64_t{3}}, {"seed", seed}}), nullptr, {});
            const Matrix output = support::product_of(found.factors).cwiseMax(0.0);
            EXPECT_LT((output - Matrix::Identity(size, size)).norm(), 1e-6 * std::sqrt(size))
                << size << ", seed " << seed << ": " << found.summary.message;
        }
    }
}

TEST(Decompose, WithoutUpdatesIsItsStart) {
    const CsrMatrix<double> s = csr_matrix(support::planted_relu(60, 50, 4, 0.5, 1));
    for (const std::string start : {"auto", "shifted", "spherical", "svd", "nuclear", "random"}) {
        const OptionValues values{{"rank", std::int64_t{4}}, {"start", start}, {"iterations", std::int64_t{0}}};
        const Decomposition first = decompose(s, nullptr, decompose_option_table().make(values), nullptr, {});
        EXPECT_EQ(first.summary.termination, Termination::IterationLimit) << start;
        EXPECT_TRUE(first.summary.trace.empty());
        OptionValues more = values;
        more["iterations"] = std::int64_t{3};
        const double at_once =
            decompose(s, nullptr, decompose_option_table().make(more), nullptr, {}).summary.value("latent_residual");
        const double from_it = decompose(s, nullptr, decompose_option_table().make(more), &first.factors, {})
                                   .summary.value("latent_residual");
        EXPECT_NEAR(from_it, at_once, 0.05 * at_once) << start;  // at zero rounding says which entries count
    }
}

TEST(Decompose, NamesWhatItCannotTake) {
    const Matrix s = support::planted_relu(6, 5, 2, 0.0, 1);
    EXPECT_NE(refusal(s, {.rank = 6}).find("shorter side of S, 5"), std::string::npos);
    EXPECT_NE(refusal(s, {.rank = 0}), "");
    Matrix negative = s;
    negative(1, 2) = -3.0;
    EXPECT_NE(refusal(negative, {.rank = 2}).find("row 1, column 2"), std::string::npos);
    const ReluFactors start = support::random_factors(6, 4, 2, 1);
    EXPECT_NE(refusal(s, {.rank = 2}, &start).find("6 x 5"), std::string::npos);
    const ReluFactors narrow = support::random_factors(6, 5, 1, 1);
    EXPECT_NE(refusal(s, {.rank = 2}, &narrow).find("start"), std::string::npos);
    EXPECT_NE(refusal(s, {.algorithm = ReluAlgorithm::Symmetric, .rank = 2}).find("square"), std::string::npos);
}

TEST(Decompose, StatesItsMemory) {
    RunContext context;
    context.memory_limit = 1000;
    EXPECT_THROW(static_cast<void>(decompose(csr_matrix(support::planted_relu(60, 50, 2, 0.0, 1)), nullptr, {.rank = 2},
                                             nullptr, context)),
                 LimitExceeded);
}

TEST(Decompose, GivesTheBestSoFarWhenStopped) {
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress& progress) {
        if (progress.done == 3) {
            source.request_stop();
        }
    };
    DecomposeOptions options = options_of("3b", 3, 100);
    options.stall_tolerance = 0.0;
    const Decomposition found =
        decompose(csr_matrix(support::planted_relu(60, 50, 6, 0.0, 1)), nullptr, options, nullptr, context);
    EXPECT_EQ(found.summary.termination, Termination::Cancelled);
    EXPECT_EQ(found.summary.trace.size(), 3U);
    EXPECT_EQ(found.factors.left.rows(), 60U);
    source = std::stop_source();
    source.request_stop();
    context.stop = source.get_token();
    const Decomposition none =
        decompose(csr_matrix(support::planted_relu(60, 50, 6, 0.0, 1)), nullptr, options, nullptr, context);
    EXPECT_EQ(none.summary.termination, Termination::Cancelled);
    EXPECT_EQ(none.factors.left.rows(), 0U);
}

TEST(Decompose, ContinuesFromAStart) {
    const CsrMatrix<double> s = csr_matrix(support::planted_relu(60, 50, 4, 0.5, 1));
    const Decomposition first = decompose(s, nullptr, options_of("newton", 4, 4), nullptr, {});
    const Decomposition second = decompose(s, nullptr, options_of("newton", 4, 4), &first.factors, {});
    EXPECT_LT(second.summary.value("output_residual"), first.summary.value("output_residual"));
    const ReluResidual residual = relu_residual(s, nullptr, second.factors, {});
    EXPECT_NEAR(residual.output, second.summary.value("output_residual"), 1e-9);
    EXPECT_NEAR(residual.latent, second.summary.value("latent_residual"), 1e-9);
}

TEST(Decompose, DoesNotMindTheOrderOfRows) {
    const Matrix s = support::planted_relu(60, 50, 4, 0.0, 1);
    const std::vector<Index> order = reference::shuffled(60, 1);
    Matrix shuffled(60, 50);
    for (Index i = 0; i < 60; ++i) {
        shuffled.row(i) = s.row(order[i]);
    }
    DecomposeOptions options = options_of("newton", 4, 200);
    options.latent_tolerance = 1e-6;
    options.stall_tolerance = 0.0;
    EXPECT_EQ(decompose(csr_matrix(s), nullptr, options, nullptr, {}).summary.termination, Termination::Converged);
    EXPECT_EQ(decompose(csr_matrix(shuffled), nullptr, options, nullptr, {}).summary.termination,
              Termination::Converged);
}

}  // namespace
}  // namespace isogon::decompose_test
