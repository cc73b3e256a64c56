#pragma once
#include <string>

#include "isogon/decomposition/factor_archive.hpp"
#include "isogon/io/output.hpp"

namespace isogon::cli {

/// Writes factors as a layer of rectified units (Saul 2022, figure 1) for numpy.load: `weights` (m, r), one row a unit;
/// `bias` (m), zeros; `hidden` (n, r), one row for each column of S. maximum(0, hidden @ weights.T + bias) is S^T.
/// Throws OutputError, InvalidArgument as factor_array() does.
void write_layer(const std::string& path, const ReluFactors& factors, FactorPrecision precision,
                 const WriteOptions& options);

}  // namespace isogon::cli
