#pragma once
#include <cstdint>
#include <vector>

#include "isogon/linalg/linear_operator.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// Blocks of orthonormal columns that are orthogonal to each other; some may have no columns.
using Spans = std::vector<const WideVectors*>;

/// An orthonormal basis of the columns of W beyond these spans: the j-th belongs to the j-th column that `kept` lists.
/// Columns that these and those before them explain but for 1e-10 of their length are left out. Gram and Schmidt's
/// method, twice. Throws Interruption.
struct OrthonormalColumns {
    WideVectors basis;
    std::vector<Index> kept;
};
[[nodiscard]] OrthonormalColumns orthonormal_beyond(const Spans& spans, const WideVectors& w,
                                                    const RunContext& context);

/// `columns` orthonormal vectors beyond these spans: those of `first`, then random ones.
[[nodiscard]] WideVectors filled_up(const Spans& spans, const WideVectors& first, Index columns,
                                    const RunContext& context);

struct LanczosOptions {
    Index rank = 1;           ///< eigenpairs wanted
    double share = 1e-6;      ///< of the largest eigenvalue: smaller ones are not waited for
    double tolerance = 1e-7;  ///< on |A v - value v| / value
    int max_products = 300;   ///< of A with a block of 48 vectors
};

struct LanczosPairs {
    WideVectors vectors;            ///< orthonormal
    std::vector<double> values;     ///< descending; at least one, at most `rank`; none below the share
    std::vector<double> residuals;  ///< |A v - value v| / value
    WideVectors rest;               ///< what the search knows of directions beyond them
    int products = 0;
};

/// The largest eigenpairs of a positive semidefinite operator that maps the complement of the orthonormal `locked`
/// into itself, in that complement, by a block Lanczos method with thick restart and full reorthogonalisation, in
/// float64. Each pair is judged by its own size. It ends after max_products with what there is. `start` (may have no
/// columns) warms it up. Throws Interruption. Source: Wu and Simon, "Thick-restart Lanczos method for large symmetric
/// eigenvalue problems", SIMAX 2000.
[[nodiscard]] LanczosPairs block_lanczos(const SymmetricOperator& matrix, const WideVectors& locked,
                                         const WideVectors& start, const LanczosOptions& options,
                                         const RunContext& context);

/// How many vectors, as long as the operator's, that takes at its largest.
[[nodiscard]] std::uint64_t lanczos_vectors(Index rank);

}  // namespace isogon
