#pragma once
#include <cstdint>

#include "isogon/core/option_table.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

enum class Pca2Start { Pca, Random };

struct Pca2Options {
    int dimension = 2;     ///< numbers for each point: a picture's
    int neighbors = 15;    ///< in points, beyond which the input kernel is 0; as many as umap's
    int iterations = 300;  ///< at most; each looks at all pairs
    double tolerance =
        1e-5;  ///< at rest when ten iterations lower the objective by less than that share of it; 0: never
    Pca2Start start = Pca2Start::Pca;  ///< large shapes stay where they are in the data
    std::uint64_t seed = 0;            ///< of random starts, the noise on others, and approximate neighbours
};

[[nodiscard]] const OptionTable<Pca2Options>& pca2_option_table();

/// PCA with a kernel on the inputs and another on the outputs: the least of sum_{i != j} (k_x(x_i, x_j) - k_y(y_i,
/// y_j))^2 that a descent from the start finds (Draganov and Dohn 2023, section 5.1). k_x is UMAP's fuzzy graph
/// (graph/calibrated_affinities.hpp), 0 between points neither of which lists the other; k_y = 1 / (1 + |y_i - y_j|^2).
/// All n^2 pairs of outputs are looked at in every iteration. `extras` may bring neighbours and a start.
/// Time: neighbours, then about n^2 (2 d + 3) multiplications and n^2 divisions an iteration. Memory: the graph three
/// times over, 24 n d numbers.
/// Throws as every method does (methods/registry.hpp); InvalidArgument for as many neighbours as points, and a start of
/// another shape.
[[nodiscard]] Embedding pca2(const PointsView& x, const Pca2Options& options = {}, const RunContext& context = {},
                             const FitExtras& extras = {});

[[nodiscard]] Method pca2_method();

enum class Lle2Start { Pca, Random };
enum class Lle2Closeness { Squares, Values };

struct Lle2Options {
    int dimension = 2;    ///< numbers for each point: a picture's
    int neighbors = 15;   ///< in points, that rebuild each; as many as pca2's and umap's
    double ridge = 1e-3;  ///< of the weights, as a share of the trace of a point's Gram matrix; scikit-learn's
    Lle2Closeness closeness = Lle2Closeness::Squares;  ///< squares: as derived; values: as lemma 4's forces are printed
    int iterations = 300;                              ///< at most; each looks at all pairs
    double tolerance =
        1e-5;  ///< at rest when ten iterations lower the objective by less than that share of it; 0: never
    Lle2Start start = Lle2Start::Pca;  ///< large shapes stay where they are in the data
    std::uint64_t seed = 0;            ///< of random starts, the noise on others, and approximate neighbours
};

[[nodiscard]] const OptionTable<Lle2Options>& lle2_option_table();

/// Locally linear embedding with a kernel on the outputs: the least of tr(M K_y) + 1/n sum_ij k_y^2, M = (I - W)^T (I -
/// W), k_y = 1 / (1 + |y_i - y_j|^2), that a descent from the start finds (Draganov and Dohn 2023, section 5.2 and
/// lemma 4). W are LLE's weights (graph/barycentric_weights.hpp); the second sum stands for the constraint K_y = n I.
/// `extras` may bring neighbours and a start.
/// Time: neighbours, weights, then about n^2 (2 d + 3) multiplications and n^2 divisions an iteration. Memory: W^T W,
/// up to n k^2 entries three times over, 24 n d numbers.
/// Throws as every method does (methods/registry.hpp); InvalidArgument for as many neighbours as points, and a start of
/// another shape.
[[nodiscard]] Embedding lle2(const PointsView& x, const Lle2Options& options = {}, const RunContext& context = {},
                             const FitExtras& extras = {});

[[nodiscard]] Method lle2_method();

}  // namespace isogon
