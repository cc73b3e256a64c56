#pragma once
#include "isogon/faithful/faithful.hpp"
#include "reference/point_sets.hpp"
#include "support/embeddings.hpp"
#include "support/matching_examples.hpp"

/// Short fits of one example, for tests of faithful.
namespace isogon::support::faithful_fits {

/// Eight cones in 20 dimensions.
inline Points example() {
    return clustered_points(150, 20, 8, 0.7, 5);
}

/// A short fit of the example.
inline const FaithfulOptions brief{.dimension = 5, .neighbors = 6, .iterations = 40};

inline FaithfulOptions local(Metric metric, int dimension = 8) {
    return {.dimension = dimension, .neighbors = 6, .metric = metric, .iterations = 100};
}

inline Embedding fit(const Points& x, const FaithfulOptions& options, const RunContext& context,
                     const FitExtras& extras = {}) {
    return faithful(x.view(), options, context, extras);
}

/// On one thread: these fits take less time than starting a second one.
inline Embedding fit(const Points& x, const FaithfulOptions& options, const FitExtras& extras = {}) {
    return fit(x, options, reference::on_threads(1), extras);
}

}  // namespace isogon::support::faithful_fits
