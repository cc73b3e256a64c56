#include "isogon/forces/exact_repulsion.hpp"

#include "forces/pair_sums.hpp"

namespace isogon {

double ExactRepulsion::repel(const WideVectors& y, WideVectors& pushes, const RunContext& context) {
    return sum_over_pairs(y, 1, pushes, context);
}

}  // namespace isogon
