#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "linalg/packed_points.hpp"

// A map for queries: coordinates in microseconds, without the inputs of the fit.
namespace isogon {

[[nodiscard]] const OptionTable<QueryMapOptions>& query_map_option_table();

/// A map x -> y from fitted points x_j (n x D) to their coordinates y_j (n x d), as arrays of an archive for QueryMap.
/// Only directions are learned: rows that are zero in either are ignored.
///
/// The prototypes mu_j are centroids (k-means) of the points along their top singular directions, z = P x / |x|. Each
/// has a linear piece, which is the ridge regression of all u = y / |y| on z, and that of what it leaves on the points
/// nearest to mu_j (bench/search compares it with one linear map and with placement). Tried, and less faithful: ridge
/// regression on up to 2,048 ReLU features of random prototypes, with mixtures of fitted points as more data, too.
///
/// Time O(n D min(n, D)) for the singular directions, 8 n c p for c prototypes and p directions, and for each of them
/// p^2 (p + 2 n / c). Memory, stated first: c (p + 1) d numbers, n (p + d), and the search of the points nearest to
/// prototypes. The same bits for any number of threads.
/// Throws InvalidArgument (no points, another number of outputs, an option out of bounds), InputError (NaN or infinity,
/// no point with a direction), LimitExceeded, Interruption.
[[nodiscard]] std::map<std::string, Array, std::less<>> fit_query_map(const PointsView& inputs,
                                                                      const PointsView& outputs,
                                                                      const QueryMapOptions& options,
                                                                      const RunContext& context);

/// y = |x| u / |u| with u = sum_j h_j (B_j z + b_j) / sum_j h_j: piecewise linear pieces, mixed by features like those
/// of Saul 2022, eq. 16, h_j = max(0, k_j - t). k_j = z.mu_j - |mu_j|^2 / 2 is larger for nearer prototypes, and t is
/// the fifth largest of them, so that four pieces count. A row depends on itself alone: the same bits in any batch, on
/// any number of threads. Twice the row gives twice the output, and its length is kept. A fitted row gets its
/// coordinates only approximately. Zero rows get zeros, and are counted.
class QueryMap final : public NewPointMap {
public:
    /// Throws InputError for an archive without the arrays that fit_query_map() gives. Borrows them. If that keeps no
    /// inputs, the map is its only way.
    explicit QueryMap(const Archive& archive);

    [[nodiscard]] Index input_dimension() const override { return projection_.depth(); }
    [[nodiscard]] Index output_dimension() const override { return output_dimension_; }
    [[nodiscard]] Index fitted_count() const override { return 0; }
    [[nodiscard]] std::string_view only_way() const override;
    /// Whether an archive has what the constructor reads.
    [[nodiscard]] static bool is_in(const Archive& archive);

private:
    class Panel;

    /// n (D p + c p + 4 p d) multiplications; memory of the outputs. Throws InputError for NaN, infinity and lengths
    /// beyond float32, LimitExceeded, Interruption.
    [[nodiscard]] Points coordinates_of(const PointsView& rows, Transformed& transformed,
                                        const RunContext& context) const override;

    PackedPoints projection_;        ///< P
    PackedPoints prototypes_;        ///< mu_j, and -|mu_j|^2 / 2
    std::span<const float> pieces_;  ///< B_j^T, p rows, and b_j, for each prototype
    Index output_dimension_;
    bool alone_;
};

}  // namespace isogon
