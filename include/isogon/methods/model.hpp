#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/transform/new_point_map.hpp"

namespace isogon {

/// Throws InvalidArgument if fits with these options have no transform.
void require_transform(const OptionValues& options);

/// A fit as an archive. Linear methods (svd, pca) keep their map, nmf its parts; tsm and faithful the fitted inputs,
/// coordinates and tau, or of fits by distance K, b, the metric and the radii, against which new points are placed
/// (transform/placement.hpp, transform/distance_placement.hpp); tsne and umap inputs and
/// coordinates, a layout by forces in which the fitted points are kept fixed. Copies what it keeps. Throws
/// InvalidArgument as require_transform() does, and for a fit of a neighbour graph alone.
[[nodiscard]] Archive make_model(std::string_view method, const PointsView& x, const Embedding& fitted);

/// How far rows lie from the fitted points of a model: whether the fit knows anything like them.
class FitDistances {
public:
    /// Throws InvalidArgument for a model that keeps no fitted points. It must outlive this.
    explicit FitDistances(const Archive& model);

    /// For each row its distance to the nearest fitted point, by the metric of the fit, and that distance over the
    /// point's own radius, which is that to its 10th nearest fitted point: about 1 and less for rows like the fitted
    /// ones, many for rows that belong nowhere. Both are 0 for a fitted row; the largest float32 where the radius is 0.
    /// Throws InvalidArgument for rows of another dimension, and as exact searches do. Time of a search of the rows,
    /// and of the fitted points that are nearest for the first time, among all fitted points.
    [[nodiscard]] Points of(const PointsView& rows, const RunContext& context);

private:
    void find_radii(const NeighborLists& nearest, const RunContext& context);

    Metric metric_;
    PointsView inputs_{};
    std::vector<float> radii_{};  ///< below 0: not looked for yet
};

/// Whether models of this method can have a map for queries: fits by angle (tsm) can.
[[nodiscard]] bool has_query_maps(std::string_view method);

/// A map for queries, fitted to a model's inputs and coordinates, as a model of its own: some megabytes without these,
/// whose transform() is by that map. `queries` (m x D) are such as will be asked: where these are unlike the stored
/// points, the map should know some. They are placed as Placing::Auto places rows, and the map is then fitted to points
/// and queries alike. Time, memory and errors as fit_query_map() (transform/query_map.hpp) and, of queries, as
/// Transformer::transform(), and InvalidArgument for a method without such maps.
[[nodiscard]] Archive make_query_map(const Archive& model, const QueryMapOptions& options, const RunContext& context,
                                     const PointsView& queries = {});

/// Puts such a map into the model that it was fitted to, for Placing::QueryMap, in place of one that is there.
void add_query_map(Archive& model, const Archive& map);

/// Adds the indexes by which rows are placed at a cost that does not grow with n, to a model that they are for: one of
/// faithful by cosine or Euclidean distance, of at least 32,768 points. Others stay
/// as they are, and so does the model where the context ends the run or allows too little memory: transform then looks
/// at all fitted points. Time of the search of neighbours' index, O(n^1.5 r); 8 bytes a
/// point and two sets of centroids: below 1% of a model of 784 numbers a point.
void add_placement_indexes(Archive& model, const RunContext& context);

/// How rows come among the points of a model.
enum class Placing {
    Auto,         ///< in the way of the fit: by indexes where the model has them, else among all fitted points
    Exact,        ///< among all fitted points
    Approximate,  ///< by indexes, which are made first if the model has none
    QueryMap,  ///< by the model's map for queries (transform/query_map.hpp): microseconds a row, and less faithful; a
               ///< fitted row gets its coordinates only approximately
    Inverse    ///< the other way: rows are coordinates, d numbers, and get inputs, D numbers. A linear map is exact on
               ///< the part that it keeps; other models mix the fitted inputs whose coordinates are nearest. The
               ///< coordinates of a fitted point give its own input, bit for bit; those of several points at one
               ///< place the first one's; a result far from all fitted points means little
};

/// Coordinates for new points from a model: the map that the model keeps. Rows are independent: the same bits alone, in
/// a batch, in any order, on any number of threads; a fitted row gets its fitted coordinates, bit for bit, and where
/// several fitted rows are equal (which a fit may place apart, pca2 for one) those of one of them, always the same.
class Transformer {
public:
    /// Throws InputError for an archive that is no model of a method with a transform, LimitExceeded. O(m (D + d)).
    /// Only what `placing` needs is prepared. Throws InvalidArgument for a model that it is not for.
    Transformer(Archive model, const RunContext& context, Placing placing = Placing::Auto);

    /// Linear: O(n D d) time; nmf the same and O(n d^2), with "unsettled" rows counted. Placement: n m D for the
    /// cosines, and the time of the steps (see Placement::place). Throws InvalidArgument for points of another
    /// dimension, InputError for NaN, infinity or lengths beyond float32, and of nmf for negative numbers.
    [[nodiscard]] Transformed transform(const PointsView& rows, const RunContext& context) const {
        return map_->transform(rows, context);
    }

    /// Makes transform() use mixtures of fitted coordinates by the weights of transform/landmark_mixtures.hpp. Rows are
    /// independent, as before, but a fitted row gets its coordinates only approximately. Throws InvalidArgument for a
    /// model that has a map and no landmarks, and for options out of bounds.
    void use_weights(const LandmarkWeightOptions& options);

    /// Coordinates for all rows together, by locally linear extension (transform/locally_linear_extension.hpp) with the
    /// fitted points as landmarks and neighbours by cosine among old and new, or the given lists of the rows followed
    /// by the fitted points. The result for a row depends on the others. Time of the neighbours of m + n points and of
    /// the extension; memory stated first. Throws as transform() does, and InvalidArgument for a model with a map.
    [[nodiscard]] Extended extend(const PointsView& rows, const LocallyLinearOptions& options,
                                  const RunContext& context, const NeighborLists* lists = nullptr) const;

    /// The map of Placing::Inverse, which must not outlive this.
    [[nodiscard]] std::unique_ptr<const NewPointMap> inverse(const RunContext& context) const;

    /// The map that transform() uses.
    [[nodiscard]] const NewPointMap& map() const { return *map_; }
    /// The number of fitted points; 0 for a model that does not keep them.
    [[nodiscard]] Index fitted_count() const { return map_->fitted_count(); }
    /// Whether the model supports one transform only: a linear or nonnegative map (nmf), mixtures of fitted points
    /// (spectral methods), or a frozen layout (tsne, umap).
    [[nodiscard]] bool has_map() const { return !map_->only_way().empty(); }
    [[nodiscard]] const Archive& model() const { return *archive_; }
    [[nodiscard]] Index input_dimension() const { return map_->input_dimension(); }
    [[nodiscard]] Index output_dimension() const { return map_->output_dimension(); }

private:
    std::unique_ptr<const Archive> archive_;  ///< the map borrows its arrays
    std::unique_ptr<const NewPointMap> map_;
};

}  // namespace isogon
