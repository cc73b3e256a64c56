#pragma once
#include <cstdint>
#include <optional>

#include "isogon/faithful/faithful_path.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

enum class PairWeights { Unit, Norms };
enum class FaithfulStart { Svd, Tsm };
enum class FaithfulOutput { Cosine, InnerProduct };

struct FaithfulOptions {
    int dimension = 16;
    std::optional<double> threshold{};  ///< tau; empty: the cosine that 1% of pairs exceed
    Favor favor = Favor::Balanced;
    PairWeights weights = PairWeights::Unit;
    std::optional<double>
        off_support_weight{};  ///< weight of the pairs off the support; empty: 1, or 0.8 on strained spheres
    FaithfulStart start = FaithfulStart::Svd;
    int iterations = 200;
    double tolerance = 5e-4;
    FaithfulOutput output = FaithfulOutput::Cosine;
    std::uint64_t seed = 0;
};

[[nodiscard]] const OptionTable<FaithfulOptions>& faithful_option_table();

/// Solves S = max(0, L) itself for coordinates: exact norms, angles below acos(tau) kept, others not brought below it;
/// where d dimensions cannot satisfy all, `favor` says what has priority (faithful/faithful_path.hpp). Time: S in n^2 D
/// / 2 multiplications and additions, then one pass of n^2 (d + 1) / 2 an update, 50 to 200 of them. Memory: S (20
/// bytes for each pair above tau at its peak) and some 30 blocks of n (d + 1) floats, and a copy of the input scaled to
/// unit length when weights are unit. Throws as every method does (methods/registry.hpp); InvalidArgument for a start
/// of another shape and for a checkpoint that was made of other input or options; InputError for a damaged one. The
/// ranks of the context's communicator need only their own points each (pairs/local_range.hpp), and all get all
/// coordinates.
[[nodiscard]] Embedding faithful(const DistributedPoints& given, const FaithfulOptions& options = {},
                                 const RunContext& context = {}, const FitExtras& extras = {});

[[nodiscard]] Method faithful_method();

}  // namespace isogon
