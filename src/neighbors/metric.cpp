#include "isogon/neighbors/metric.hpp"

#include <algorithm>

#include "isogon/core/error.hpp"

namespace isogon {

const std::vector<std::string>& metric_names() {
    static const std::vector<std::string> names{"cosine", "inner-product", "euclidean"};
    return names;
}

std::string_view name(Metric metric) {
    return metric_names()[static_cast<std::size_t>(metric)];
}

Metric find_metric(std::string_view name) {
    const auto& names = metric_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        throw InvalidArgument("metric", std::string(name), "must be cosine, inner-product or euclidean");
    }
    return static_cast<Metric>(found - names.begin());
}

}  // namespace isogon
