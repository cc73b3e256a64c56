#pragma once
#include <cstdint>
#include <optional>

#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

enum class TsmRecipe { Fast, Paper };
enum class OutputNorms { Exact, Matched };
enum class Toggle { Auto, On, Off };

struct TsmOptions {
    int dimension = 16;
    std::optional<double> threshold{};  ///< tau; empty: the cosine that 1% of pairs exceed
    TsmRecipe recipe = TsmRecipe::Fast;
    int iterations = 250;
    double tolerance = 1e-3;           ///< relative change of the residual; fast recipe only
    double momentum = 0.9;             ///< gamma of eq. 23; paper's recipe only
    Toggle regularize = Toggle::Auto;  ///< auto: on for the paper's recipe, off for the fast one
    bool virtual_inputs = true;
    OutputNorms norms = OutputNorms::Exact;
    std::uint64_t seed = 0;
};

[[nodiscard]] const OptionTable<TsmOptions>& tsm_option_table();

/// Thresholded similarity matching (Saul 2022b): S = max(0, x_i.x_j - tau |x_i||x_j|) is matched by a low-rank L, S ~
/// max(0, L), and the outputs are read off L. See docs/methods/tsm.md. Time n^2 D / 2 for S, then n^2 d an update.
/// Memory: S (8 bytes for each pair above tau) and O(n (D + d)); the paper's recipe also holds two dense n x n
/// matrices.
/// The ranks of the context's communicator need only their own points each (pairs/local_range.hpp), and all get all
/// coordinates.
[[nodiscard]] Embedding tsm(const DistributedPoints& given, const TsmOptions& options = {},
                            const RunContext& context = {});

[[nodiscard]] Method tsm_method();

}  // namespace isogon
