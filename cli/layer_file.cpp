#include "layer_file.hpp"

#include "isogon/io/npz_file.hpp"

namespace isogon::cli {

void write_layer(const std::string& path, const ReluFactors& factors, FactorPrecision precision,
                 const WriteOptions& options) {
    Array bias = factor_array(WideVectors(factors.left.rows, 1), precision, "bias");
    bias.shape = {factors.left.rows};
    write_npz(path,
              {{"weights", factor_array(factors.left, precision, "W")},
               {"bias", std::move(bias)},
               {"hidden", factor_array(factors.right, precision, "H")}},
              options);
}

}  // namespace isogon::cli
