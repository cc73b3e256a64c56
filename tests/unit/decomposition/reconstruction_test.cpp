#include "isogon/decomposition/reconstruction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "isogon/core/error.hpp"
#include "isogon/core/random.hpp"

namespace isogon::reconstruction_test {
namespace {

ReluFactors random_factors(Index rows, Index columns, Index rank) {
    ReluFactors factors{WideVectors(rows, rank), WideVectors(columns, rank)};
    Random draw(5, RandomStream::Test, 0);
    for (auto* values : {&factors.left.values, &factors.right.values}) {
        std::generate(values->begin(), values->end(), [&] { return draw.normal(); });
    }
    return factors;
}

std::vector<double> made(const ReluFactors& factors, const std::vector<Index>& rows, const std::vector<Index>& columns,
                         Reconstruct what, int threads = 1) {
    const Reconstruction reconstruction(factors, columns, what, {.threads = threads});
    std::vector<double> out(rows.size() * reconstruction.columns());
    reconstruction.rows(rows, out);
    return out;
}

std::vector<Index> all(Index count) {
    std::vector<Index> list(count);
    std::iota(list.begin(), list.end(), Index{0});
    return list;
}

TEST(Reconstruction, IsTheProductEntryByEntry) {
    const ReluFactors factors = random_factors(101, 97, 5);
    const auto latent = made(factors, all(101), {}, Reconstruct::Latent);
    const auto output = made(factors, all(101), {}, Reconstruct::Output);
    for (Index i = 0; i < 101; ++i) {
        for (Index j = 0; j < 97; ++j) {
            double sum = 0.0;
            for (Index k = 0; k < 5; ++k) {
                sum += factors.left.at(i, k) * factors.right.at(j, k);
            }
            ASSERT_NEAR(latent[i * 97 + j], sum, 1e-13);
            ASSERT_EQ(output[i * 97 + j], std::max(0.0, latent[i * 97 + j]));
        }
    }
}

TEST(Reconstruction, ARowIsTheSameAloneInAnyOrderAndByAnyThreads) {
    const ReluFactors factors = random_factors(120, 60, 7);
    const auto whole = made(factors, all(120), {}, Reconstruct::Output);
    EXPECT_EQ(made(factors, all(120), {}, Reconstruct::Output, 3), whole);
    const auto some = made(factors, {119, 3, 3}, {}, Reconstruct::Output);
    EXPECT_TRUE(std::equal(some.begin(), some.begin() + 60, whole.begin() + std::ptrdiff_t{119} * 60));
    EXPECT_TRUE(std::equal(some.begin() + 120, some.end(), whole.begin() + std::ptrdiff_t{3} * 60));
    const auto entry = made(factors, {17}, {59, 0}, Reconstruct::Output);
    EXPECT_EQ(entry, (std::vector<double>{whole[17 * 60 + 59], whole[17 * 60]}));
}

TEST(Reconstruction, WhatIsNotThereIsNamed) {
    const ReluFactors factors = random_factors(4, 3, 2);
    EXPECT_THROW(static_cast<void>(made(factors, {4}, {}, Reconstruct::Output)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(made(factors, {0}, {3}, Reconstruct::Output)), InvalidArgument);
}

TEST(Reconstruction, AnEntryBeyondAllNumbersIsRefused) {
    // Infinities of both signs would make a NaN, which max(0, .) would take for 0.
    for (const auto& [first, second] : std::vector<std::pair<double, double>>{{1e200, 1e200}, {1e200, -1e200}}) {
        ReluFactors factors = random_factors(4, 3, 2);
        factors.left.at(2, 0) = factors.left.at(2, 1) = 1e200;
        factors.right.at(1, 0) = first;
        factors.right.at(1, 1) = second;
        EXPECT_NO_THROW(static_cast<void>(made(factors, {0, 1, 3}, {}, Reconstruct::Output)));
        for (const auto what : {Reconstruct::Output, Reconstruct::Latent}) {
            try {
                static_cast<void>(made(factors, {3, 2}, {}, what));
                FAIL() << "an entry beyond float64 was given";
            } catch (const InputError& error) {
                EXPECT_NE(std::string(error.what()).find("row 2"), std::string::npos) << error.what();
            }
        }
    }
}

}  // namespace
}  // namespace isogon::reconstruction_test
