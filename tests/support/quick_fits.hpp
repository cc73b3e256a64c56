#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "isogon/registry/registry.hpp"

namespace isogon::support {

inline std::vector<std::string> method_names() {
    std::vector<std::string> names;
    for (const Method& method : methods()) {
        names.push_back(method.name);
    }
    return names;
}

/// A name with letters, digits and underscores alone.
inline std::string test_name(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

/// Options with which a method takes little time for a few points.
inline OptionValues quick_options(const std::string& method, Index points, Index dimension) {
    OptionValues options{{"dimension", std::int64_t{dimension}}};
    if (method == "tsm") {
        options["iterations"] = std::int64_t{25};
        options["threshold"] = 0.6;
    }
    if (method == "tsne") {
        options["iterations"] = std::int64_t{60};
    }
    if (method == "pca-forces") {
        options["iterations"] = std::int64_t{100};
    }
    if (method == "pca2" || method == "lle2") {
        options["iterations"] = std::int64_t{30};
        options["neighbors"] = std::int64_t{std::min<Index>(points - 1, 8)};
    }
    if (method == "umap") {
        options["iterations"] = std::int64_t{20};
    }
    if (method == "sde" || method == "lsde") {
        options["components"] = std::string("bridge");
    }
    if (method == "lsde") {
        options["tolerance"] = 0.1;
    }
    return options;
}

}  // namespace isogon::support
