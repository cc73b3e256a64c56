#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

struct Transformed {
    Points coordinates;
    Summary summary;
    /// The distance of each row to the nearest fitted one by the metric, of a fit by distance; else none. Rows that lie
    /// farther than the fitted points from each other are counted (beyond_fit), and their coordinates mean little.
    std::vector<float> nearest{};
};

/// The data by which new points of a fit by distance are placed (docs/methods/faithful.md).
struct LocalPlacement {
    Metric metric = Metric::Euclidean;  ///< any but inner-product and precomputed
    Index neighbors = 0;                ///< K, at least 1
    double repulsion = 10.0;            ///< b, above 0
    std::vector<float> radii{};         ///< of each fitted point, the distance to its K-th nearest, as the metric says
    double farthest = 0.0;              ///< the distance to their nearest one that share_within of the fitted points
                                        ///< stay below; new points beyond it are counted
    std::vector<Index> rows{};          ///< the input rows that were fitted; empty: all
    static constexpr double share_within = 0.999;
};

/// How points that were not fitted become mixtures of points that were: by weights that sum to one over the nearest
/// (graph/barycentric_weights.hpp).
struct BarycentricMap {
    std::vector<Index> landmarks{};  ///< the fitted rows of which others are mixtures
    Points coordinates{};            ///< theirs, as many rows
    Index neighbors = 0;             ///< of which a mixture is made
    double ridge = 0.0;              ///< of its weights
    Metric metric = Metric::Euclidean;
};

/// The count of rows that lie farther from all fitted points than these from each other.
inline constexpr const char* beyond_fit = "beyond_fit";

/// Coordinates for points that were not fitted, one implementation for each way to get them. Rows are independent: the
/// same bits alone, in a batch, in any order, on any number of threads.
class NewPointMap {
public:
    NewPointMap() = default;
    virtual ~NewPointMap() = default;

    [[nodiscard]] virtual Index input_dimension() const = 0;
    [[nodiscard]] virtual Index output_dimension() const = 0;
    /// The fitted points that it keeps; 0 for a map that needs none.
    [[nodiscard]] virtual Index fitted_count() const = 0;
    /// How it places rows, if that is the only way: the predicate of an error message, "is a linear map". Empty where
    /// the fitted points may as well be landmarks of another way (mixtures by weights, joint extension).
    [[nodiscard]] virtual std::string_view only_way() const { return {}; }

    /// Whether rows are placed by an index, and so nearly as they would be among all fitted points.
    [[nodiscard]] virtual bool is_approximate() const { return false; }
    /// An approximate map adds to a summary how it compares with exact placement on some rows, as measures:
    /// "near_found", "recall_at_10", "recall_at_10_exact", "distance_from_exact", and the count "compared_rows". Throws
    /// as transform() does, and Interruption.
    virtual void examine(const PointsView& /*rows*/, Summary& /*summary*/, const RunContext& /*context*/) const {}

    /// Throws InvalidArgument for points of another dimension.
    void require_dimension(const PointsView& rows) const;

    /// Throws as require_dimension(), InputError for NaN and infinity. A run that the context ends, or some of whose
    /// coordinates float32 does not hold (a numerical failure), has no coordinates; its summary says why.
    [[nodiscard]] Transformed transform(const PointsView& rows, const RunContext& context) const;

protected:
    NewPointMap(const NewPointMap&) = default;
    NewPointMap& operator=(const NewPointMap&) = default;
    NewPointMap(NewPointMap&&) = default;
    NewPointMap& operator=(NewPointMap&&) = default;

private:
    /// Coordinates of rows of the right dimension; may add counts to the summary, and `nearest`. Throws
    /// Interruption.
    [[nodiscard]] virtual Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                                const RunContext& context) const = 0;
};

/// Rows whose coordinates are known already: their numbers, and a row of coordinates for each.
struct GivenRows {
    std::span<const Index> rows{};
    PointsView coordinates{};
};

/// A row, counted from 0, and its distance to the nearest fitted point (Transformed::nearest).
struct FarRow {
    Index row = 0;
    float distance = 0.0F;
    friend bool operator==(const FarRow&, const FarRow&) = default;
};

/// How all rows of a source were transformed.
struct TransformedRows {
    Summary summary;  ///< counts as NewPointMap::transform does, all blocks together
    /// The ten rows that lie farthest from the fitted points, the farthest first; none that lies at one, and of a map
    /// that knows no distances none at all.
    std::vector<FarRow> farthest{};
};

/// Coordinates for all rows of a source, into a sink, block by block: the same bits as NewPointMap::transform gives
/// them in any other blocks. `given` rows, in ascending order, are not computed, they get what they are given. The
/// source must be finite (require_finite of core/points.hpp). A map that is approximate examines some of the rows
/// first, a fiftieth of them but at least 10 and at most 100. Time as NewPointMap::transform. Memory, stated first:
/// some 32 MB for a block of rows and their coordinates, and what the transform of that block takes; nothing grows with
/// the number of rows. A run that the context ends says why, and the sink then lacks rows. Throws InvalidArgument for a
/// source of another dimension and for given rows that do not fit, LimitExceeded, and what source and sink throw.
[[nodiscard]] TransformedRows transform_rows(const NewPointMap& map, const RowSource& source, RowSink& sink,
                                             const RunContext& context, const GivenRows& given = {});

/// Bytes of the blocks in memory.
[[nodiscard]] std::uint64_t transform_rows_bytes(const NewPointMap& map, Index rows);

/// Of mixtures of fitted points by weights that follow directions (Transformer::use_weights).
struct LandmarkWeightOptions {
    int neighbors = 0;    ///< k of eq. 14; 0: four times the dimension of the outputs, the paper's choice
    double ridge = 1e-4;  ///< epsilon of eq. 14, the paper's choice: less follows the row more closely, and its noise
};

/// Of a map for queries (make_query_map).
struct QueryMapOptions {
    int prototypes = 256;  ///< as many linear pieces; one is a linear map. Of few points fewer: one for each 8
    int directions = 128;  ///< singular directions in which a query is looked at, up to D; more follow it more closely
    std::uint64_t seed = 0;  ///< of the start of k-means
};

/// Of locally linear extension (Transformer::extend; Saul 2022, section 3).
struct LocallyLinearOptions {
    int neighbors = 0;        ///< k of eq. 14; 0: four times the dimension of the outputs, the paper's choice
    double ridge = 1e-4;      ///< epsilon of eq. 14, the paper's choice
    double tolerance = 1e-4;  ///< conjugate gradients end when every residual is that much shorter than its right side:
                              ///< on digits 1e-5 gives the same figures, and it is beyond float32 on hard problems
    int iterations = 500;     ///< or after so many; digits took 240 at d = 32
};

/// The result of a joint extension. Coordinates are empty if the run ended before there were any.
struct Extended {
    Points coordinates;              ///< one row for each new point
    std::vector<Index> unreached{};  ///< rows that no chain of neighbours joins to a fitted point
    Summary summary;
};

}  // namespace isogon
