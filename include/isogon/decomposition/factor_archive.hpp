#pragma once
#include "isogon/core/archive.hpp"
#include "isogon/decomposition/decompose.hpp"

namespace isogon {

enum class FactorPrecision { Float32, Float64 };

/// Called before a long run: throws InvalidArgument unless the largest entry of S leaves its factors, which are as
/// large as its root, within the range of float32: from 2^-200 to 2^200. Any S will do for float64.
void require_precision(const CsrMatrix<double>& s, FactorPrecision precision);

/// A decomposition as an archive of the kind "decomposition": the algorithm for its method, the options as used, and
/// the arrays `W` (m x r) and `H` (r x n), S ~ max(0, W H), of that precision. Its notes are how the run ended and its
/// measures, the two residuals among them: those of the factors in float64. Throws InvalidArgument for factors that
/// float32 cannot hold.
[[nodiscard]] Archive factor_archive(const Decomposition& decomposition, const DecomposeOptions& options,
                                     FactorPrecision precision);

/// The factors of such an archive. Throws InputError for another kind, and for arrays that do not fit each other.
[[nodiscard]] ReluFactors factors_in(const Archive& archive);

/// A block of vectors as an array of its shape, row by row. `name` is what a message calls it.
[[nodiscard]] Array factor_array(MultiVector<double> block, FactorPrecision precision, const char* name);

}  // namespace isogon
