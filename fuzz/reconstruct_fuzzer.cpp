// Decompositions, as `isogon reconstruct` multiplies them out.
#include <algorithm>
#include <numeric>
#include <vector>

#include "consumer.hpp"
#include "decomposition/decompose.hpp"
#include "decomposition/relu_factors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    isogon::fuzz::consume(data, size, [](const isogon::Archive& archive) {
        const isogon::ReluFactors factors = isogon::factors_in(archive);
        std::vector<isogon::Index> rows(std::min<std::size_t>(factors.left.rows(), 64));
        std::iota(rows.begin(), rows.end(), isogon::Index{0});
        for (const auto what : {isogon::Reconstruct::Output, isogon::Reconstruct::Latent}) {
            isogon::fuzz::attempt([&] {
                const isogon::Reconstruction made(factors, {}, what, isogon::fuzz::limited());
                std::vector<double> values(rows.size() * made.columns());
                made.rows(rows, values);
                isogon::fuzz::expect_finite(values, "a reconstruction");
            });
        }
    });
    return 0;
}
