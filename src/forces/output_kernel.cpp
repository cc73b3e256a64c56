#include "isogon/forces/output_kernel.hpp"

#include <algorithm>
#include <cmath>

namespace isogon {

double OutputKernel::value(double squared) const {
    return 1.0 / (1.0 + (is_cauchy() ? squared : a * std::pow(squared, b)));
}

double OutputKernel::cost(double squared) const {
    return std::log1p(is_cauchy() ? squared : a * std::pow(squared, b));
}

double OutputKernel::pull(double squared) const {
    if (is_cauchy()) {
        return 1.0 / (1.0 + squared);
    }
    if (!(squared > 0.0)) {
        return b == 1.0 ? a : 0.0;
    }
    const double power = a * std::pow(squared, b);
    return b * power / (squared * (1.0 + power));
}

double OutputKernel::gap_cost(double squared) const {
    const double apart = std::max(squared, softening);
    return std::log1p(1.0 / (is_cauchy() ? apart : a * std::pow(apart, b)));
}

double OutputKernel::push(double squared) const {
    return b / ((softening + squared) * (1.0 + (is_cauchy() ? squared : a * std::pow(squared, b))));
}

}  // namespace isogon
