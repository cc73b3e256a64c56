#pragma once
#include <cstdint>
#include <optional>

#include "isogon/methods/method.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

struct FaithfulOptions {
    static constexpr int usual_neighbors = 12;

    /// d, numbers for each point; 16 keeps most neighbours of digits and words; higher keeps more. Empty: the fewest
    /// with which `recall` is reached.
    std::optional<int> dimension = 16;
    /// The share of all nearest neighbours to keep where the dimension is chosen ("kept_neighbors" of the summary), in
    /// (0, 1). 0.99: what a search by coordinates may lose unnoticed.
    double recall = 0.99;
    /// K: the nearest neighbours of every point, in order, are to stay what they are. Empty: 12, or all others where
    /// there are fewer. 12 keep the ten that most uses look at with some room; more serve new points better, and ask
    /// for more dimensions.
    std::optional<int> neighbors{};
    /// The metric by which neighbours are near, and whose distances near pairs keep: by cosine and correlation those of
    /// unit vectors, |x/|x| - y/|y||.
    Metric metric = Metric::Euclidean;
    /// Most updates of the first stage, twice as many where its residual still falls fast; the tolerance usually ends
    /// it before. Robust stages have as many at most, and no more than 100.
    int iterations = 200;
    /// Share of the residual: a robust stage ends when ten updates in a row change it by less, squares by less than
    /// four times that. 0: never. Ten updates within the default lower it by half a percent at most.
    double tolerance = 5e-4;
    std::uint64_t seed = 0;  ///< of samples and of the layout at which robust stages begin
};

[[nodiscard]] const OptionTable<FaithfulOptions>& faithful_option_table();

/// Keeps the K nearest neighbours of every point, by distance, in free space (docs/methods/faithful.md; the objective:
/// src/verlet/local_pass.hpp). First squares from the principal components; where d dimensions cannot hold
/// the neighbours, robust stages.
[[nodiscard]] Embedding faithful(const DistributedPoints& given, const FaithfulOptions& options = {},
                                 const RunContext& context = {}, const FitExtras& extras = {});

[[nodiscard]] Method faithful_method();

}  // namespace isogon
