#pragma once
#include <utility>

#include "linalg/truncated_svd.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"
#include "transform/placement.hpp"

/// Shared parts of the tests of placements.
namespace isogon::support::placements {

/// Fitted points, and what a placement goes by: a threshold, or a LocalPlacement.
template <class Form>
struct Example {
    Points inputs;
    Points outputs;
    Points rows;  ///< new ones, of the same clusters
    Form form;
};

Points slice(const Points& points, Index first, Index count);

Eigen::VectorXd row_of(const Points& points, Index i);

/// Clusters whose outputs, their singular projections, do not match the inputs' angles: g stays above zero.
template <class Form>
Example<Form> example(Index fitted, Index rows, Index dimension, Form form) {
    const Points all = clustered_points(fitted + rows, 20, 6, 0.7, 11);
    Points inputs = slice(all, 0, fitted);
    Points outputs = project(inputs.view(), truncated_svd(inputs.view(), dimension, false, {}), {});
    return {std::move(inputs), std::move(outputs), slice(all, fitted, rows), form};
}

template <class Form>
Placed place(const Example<Form>& e, const Points& rows, const PlacementOptions& options = {}, int threads = 2) {
    return Placement(e.inputs.view(), e.outputs.view(), e.form, options, reference::on_threads(threads))
        .place(rows.view(), reference::on_threads(threads));
}

}  // namespace isogon::support::placements
