#include "decomposition/decompose.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"

namespace isogon::factor_archive_test {
namespace {

MultiVector<double> block(Index rows, Index columns, const std::vector<double>& values) {
    MultiVector<double> result(rows, columns);
    result.values() = values;
    return result;
}

/// W = [1 2; 3 4; 5 6], H = [0.1 7; 8 9].
Decomposition sample() {
    Decomposition result;
    result.factors = {block(3, 2, {1, 2, 3, 4, 5, 6}), block(2, 2, {0.1, 8, 7, 9})};
    result.summary.termination = Termination::Stalled;
    result.summary.trace.resize(7);
    result.summary.measure("latent_residual", 0.25);
    result.summary.measure("output_residual", 0.125);
    return result;
}

TEST(FactorArchive, HoldsBothFactorsRowByRowAndWhatBecameOfTheRun) {
    const DecomposeOptions options{.algorithm = ReluAlgorithm::ThreeBlock, .rank = 2};
    const Archive archive = factor_archive(sample(), options, FactorPrecision::Float64);
    EXPECT_EQ(archive.kind, ArchiveKind::Decomposition);
    EXPECT_EQ(archive.method, "3b");
    EXPECT_EQ(std::get<std::int64_t>(archive.options.at("rank")), 2);
    EXPECT_EQ(archive.numbers<double>("W", {3, 2}), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(archive.numbers<double>("H", {2, 2}), (std::vector<double>{0.1, 7, 8, 9}));
    EXPECT_EQ(archive.note("termination"), "stalled");
    EXPECT_EQ(archive.note("updates"), "7");
    EXPECT_EQ(archive.note("output_residual"), "0.125");
}

TEST(FactorArchive, FactorsComeBackInEitherPrecision) {
    const ReluFactors wide = factors_in(factor_archive(sample(), {}, FactorPrecision::Float64));
    EXPECT_EQ(wide.left.values(), sample().factors.left.values());
    EXPECT_EQ(wide.right.values(), sample().factors.right.values());
    const Archive narrow = factor_archive(sample(), {}, FactorPrecision::Float32);
    EXPECT_EQ(narrow.numbers<float>("H", {2, 2}), (std::vector<float>{0.1F, 7, 8, 9}));
    EXPECT_EQ(factors_in(narrow).right.values(), (std::vector<double>{double{0.1F}, 8, 7, 9}));
}

TEST(FactorArchive, WhatFloat32CannotHoldIsRefused) {
    Decomposition large = sample();
    large.factors.left.at(1, 1) = 1e39;
    EXPECT_NO_THROW(static_cast<void>(factor_archive(large, {}, FactorPrecision::Float64)));
    EXPECT_THROW(static_cast<void>(factor_archive(large, {}, FactorPrecision::Float32)), InvalidArgument);
}

TEST(FactorArchive, AnSWhoseFactorsFloat32MightNotHoldIsRefusedBeforeTheRun) {
    const auto largest = [](double value) {
        return CsrMatrix<double>{.rows = 1, .columns = 2, .offsets = {0, 2}, .indices = {0, 1}, .values = {0.0, value}};
    };
    for (const double value : {1e61, 1e300, 1e-61, 5e-324}) {
        EXPECT_NO_THROW(require_precision(largest(value), FactorPrecision::Float64)) << value;
        EXPECT_THROW(require_precision(largest(value), FactorPrecision::Float32), InvalidArgument) << value;
    }
    for (const double value : {0.0, 1e-59, 1.0, 1e59}) {
        EXPECT_NO_THROW(require_precision(largest(value), FactorPrecision::Float32)) << value;
    }
}

TEST(FactorArchive, AnythingElseIsRefused) {
    const Archive good = factor_archive(sample(), {}, FactorPrecision::Float64);
    Archive archive = good;
    archive.kind = ArchiveKind::Model;
    EXPECT_THROW(static_cast<void>(factors_in(archive)), InputError);
    for (const Array& wrong : {Array{{3, 2}, std::vector<double>(6)}, Array{{4}, std::vector<double>(4)},
                               Array{{0, 2}, std::vector<double>{}}, Array{{2, 2}, std::vector<std::uint32_t>(4)}}) {
        archive = good;
        archive.arrays.at("H") = wrong;
        EXPECT_THROW(static_cast<void>(factors_in(archive)), InputError) << shape_name(wrong.shape);
    }
    archive = good;
    archive.arrays.erase("W");
    EXPECT_THROW(static_cast<void>(factors_in(archive)), InputError);
}

}  // namespace
}  // namespace isogon::factor_archive_test
