#include "quality/angles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/trigonometry.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

double TileAngles::operator()(Index i, Index j) {
    const float cosine = values_[i * panel_width + j];
    if (cosine <= near_cosine) {
        return elementary::acos(std::max(double{cosine}, -1.0));
    }
    return 2.0 * elementary::asin(std::min(std::sqrt(squared_distance(i, j)) / 2.0, 1.0));
}

double TileAngles::versine(Index i, Index j) {
    const float cosine = values_[i * panel_width + j];
    return cosine <= near_cosine ? 1.0 - double{cosine} : squared_distance(i, j) / 2.0;
}

double TileAngles::squared_distance(Index i, Index j) {
    if (measured_row_ != i) {
        measure_row(i);
    }
    return squared_distances_.at(j);
}

void TileAngles::measure_row(Index i) {
    squared_differences(left_, i, right_, depth_, squared_distances_);
    measured_row_ = i;
}

// Short sums of squares are added up in float64.
void squared_differences(PanelView<float> rows, Index i, PanelView<float> columns, std::size_t depth,
                         std::array<double, panel_width>& squares) {
    constexpr std::size_t chunk = 32;
    squares.fill(0.0);
    for (std::size_t begin = 0; begin < depth; begin += chunk) {
        std::array<float, panel_width> sums{};
        const std::size_t end = std::min(begin + chunk, depth);
        for (std::size_t k = begin; k < end; ++k) {
            const float* values = columns.data + k * columns.stride;
            const float row = rows.data[k * rows.stride + i];
            for (std::size_t j = 0; j < panel_width; ++j) {
                const float difference = values[j] - row;
                sums[j] += difference * difference;
            }
        }
        for (std::size_t j = 0; j < panel_width; ++j) {
            squares[j] += double{sums[j]};
        }
    }
}

bool is_above(std::span<const float> x, std::span<const float> y, double threshold) {
    double product = 0.0;
    double square_x = 0.0;
    double square_y = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        product += double{x[k]} * double{y[k]};
        square_x += double{x[k]} * double{x[k]};
        square_y += double{y[k]} * double{y[k]};
    }
    return product > 0.0 && product * product > threshold * threshold * square_x * square_y;
}

void settle_edge(const PointsView& points, double threshold, const PairTile& tile, float* values,
                 std::span<const Index> rows) {
    // A sum of D products in chunks of 128, each rounded once, the sums of the chunks once more; so are the directions.
    const double depth = points.dimension;
    const auto margin = static_cast<float>(std::ldexp(std::min(depth, 128.0) + depth / 128.0 + 8.0, -24));
    const auto edge = static_cast<float>(threshold);
    const float just_above = std::nextafter(edge, 2.0F);
    for (Index i = 0; i < tile.rows; ++i) {
        const Index row = rows.empty() ? tile.first_row + i : rows[tile.first_row + i];
        for (Index j = tile.diagonal ? i + 1 : 0; j < tile.columns; ++j) {
            float& value = values[i * tile_width + j];
            if (std::abs(value - edge) <= margin) {
                const bool above = is_above(points[row], points[tile.first_column + j], threshold);
                value = above ? std::max(value, just_above) : std::min(value, edge);
            }
        }
    }
}

namespace {

std::uint64_t count_above(const float* values, float threshold) {
    std::uint32_t count = 0;
    for (std::size_t place = 0; place < tile_size; ++place) {
        count += values[place] > threshold ? 1U : 0U;
    }
    return count;
}

void collect_above(const float* values, float threshold, TileEntries& hits) {
    alignas(64) std::array<float, tile_size> above;  // NOLINT(*-member-init): filled below
    for (std::size_t place = 0; place < tile_size; ++place) {
        above[place] = values[place] - threshold;
    }
    collect_positive(above.data(), hits);
}

}  // namespace

void PairSums::add(const PairSums& other) {
    deviation += other.deviation;
    in_x += other.in_x;
    in_y += other.in_y;
    in_both += other.in_both;
}

double PairSums::mean_degrees() const {
    return in_x == 0 ? 0.0 : deviation / static_cast<double>(in_x) * (180.0 / std::numbers::pi);
}

double PairSums::jaccard() const {
    const std::uint64_t in_either = in_x + in_y - in_both;
    return in_either == 0 ? 1.0 : static_cast<double>(in_both) / static_cast<double>(in_either);
}

void add_tile(TileAngles& x_angle, TileAngles& y_angle, float threshold, PairSums& sums, TileEntries& hits) {
    collect_above(x_angle.cosines(), threshold, hits);
    sums.in_x += hits.count;
    sums.in_y += count_above(y_angle.cosines(), threshold);
    for (std::size_t h = 0; h < hits.count; ++h) {
        const Index i = hits.places[h] >> tile_place_shift;
        const Index j = hits.places[h] & tile_place_mask;
        const double deviation = std::abs(x_angle(i, j) - y_angle(i, j));
        sums.deviation += deviation;
        hits.values[h] = static_cast<float>(deviation);
        sums.in_both += y_angle.cosines()[i * tile_width + j] > threshold ? 1U : 0U;
    }
}

namespace {

PackedPoints packed_rows(const PackedPoints& points, std::span<const Index> rows) {
    PackedPoints some(static_cast<Index>(rows.size()), points.depth());
    for (Index r = 0; r < some.count(); ++r) {
        for (Index k = 0; k < some.depth(); ++k) {
            some.at(r, k) = points.at(rows[r], k);
        }
    }
    return some;
}

class AngleVisitor {
public:
    explicit AngleVisitor(const AngleProblem& problem)
        : problem_(problem),
          x_some_(packed_rows(problem.x.directions, problem.rows)),
          y_some_(packed_rows(problem.y.directions, problem.rows)),
          sums_(x_rows().panels()),
          of_rows_(x_rows().count()) {}

    [[nodiscard]] const PackedPoints& x_rows() const { return has_sample() ? x_some_ : problem_.x.directions; }
    [[nodiscard]] const PackedPoints& y_rows() const { return has_sample() ? y_some_ : problem_.y.directions; }
    [[nodiscard]] bool has_sample() const { return !problem_.rows.empty(); }

    // A visit has its rows alone, and of all pairs its columns too (for_each_cross_tile, for_each_pair_tile), so
    // nothing here needs a lock.
    void visit(const PairTile& tile) {
        alignas(64) std::array<float, tile_size> y_values;  // NOLINT(*-member-init): filled by the product
        const auto& [x, y, threshold, rows] = problem_;
        multiply_panels(y_rows().panel(tile.first_row / panel_width),
                        y.directions.panel(tile.first_column / panel_width), y.directions.depth(), y_values.data(),
                        tile_width);
        settle_edge(x.points, threshold, tile, tile.values, rows);
        settle_edge(y.points, threshold, tile, y_values.data(), rows);
        clear_no_pairs(tile, tile.values);
        clear_no_pairs(tile, y_values.data());
        TileAngles x_angle(x_rows(), x.directions, tile, tile.values);
        TileAngles y_angle(y_rows(), y.directions, tile, y_values.data());
        TileEntries hits;
        add_tile(x_angle, y_angle, static_cast<float>(threshold), sums_[tile.first_row / panel_width], hits);
        for (std::size_t h = 0; h < hits.count; ++h) {
            of_rows_[tile.first_row + (hits.places[h] >> tile_place_shift)].add(hits.values[h]);
            if (!has_sample()) {
                of_rows_[tile.first_column + (hits.places[h] & tile_place_mask)].add(hits.values[h]);
            }
        }
    }

    /// Over ordered pairs of different points.
    [[nodiscard]] PairSums total() const {
        PairSums total;
        for (const PairSums& sums : sums_) {
            total.add(sums);
        }
        if (!has_sample()) {
            total.add(PairSums(total));  // each was visited once
        }
        return total;
    }
    [[nodiscard]] bool has_pair(Index row) const { return of_rows_[row].pairs != 0; }

    [[nodiscard]] PointAngles of_rows() const {
        PointAngles points;
        for (const RowSums& row : of_rows_) {
            points.deviation_degrees.push_back(
                row.pairs == 0 ? 0.0 : row.deviation / static_cast<double>(row.pairs) * (180.0 / std::numbers::pi));
            points.pairs.push_back(row.pairs);
        }
        return points;
    }

private:
    /// Pairs of one point are visited in one order for any number of threads, so their sum has the same bits.
    struct RowSums {
        double deviation = 0.0;  ///< radians
        std::uint64_t pairs = 0;

        void add(float radians) {
            deviation += double{radians};
            ++pairs;
        }
    };

    /// Sets what is no pair, or was visited the other way round, to 0, below any threshold.
    void clear_no_pairs(const PairTile& tile, float* values) const {
        for (Index i = 0; i < tile.rows; ++i) {
            float* const row = values + i * tile_width;
            if (tile.diagonal) {
                std::fill_n(row, i + 1, 0.0F);
            } else if (has_sample()) {
                const Index self = problem_.rows[tile.first_row + i];
                if (self >= tile.first_column && self < tile.first_column + tile.columns) {
                    row[self - tile.first_column] = 0.0F;
                }
            }
        }
    }

    const AngleProblem& problem_;
    PackedPoints x_some_;  ///< the rows of a sample
    PackedPoints y_some_;
    std::vector<PairSums> sums_;  ///< by panel of rows: no diagonal
    std::vector<RowSums> of_rows_;
};

}  // namespace

AngleScore compare_angles(const AngleProblem& problem, const RunContext& context, PointAngles* points) {
    AngleVisitor visitor(problem);
    const PackedPoints& all = problem.x.directions;
    const auto visit = [&](PairTile& tile) { visitor.visit(tile); };
    if (visitor.has_sample()) {
        for_each_cross_tile(visitor.x_rows(), all, context, visit, "angles");
    } else {
        for_each_pair_tile(all, all, context, visit, "angles");
    }

    AngleScore score;
    PairSums diagonal;
    const Index rows = visitor.x_rows().count();
    for (Index r = 0; r < rows; ++r) {
        const bool in_x = !is_zero(visitor.x_rows(), r);
        const bool in_y = !is_zero(visitor.y_rows(), r);
        diagonal.add({0.0, in_x ? 1U : 0U, in_y ? 1U : 0U, in_x && in_y ? 1U : 0U});
        score.isolated += in_x && !visitor.has_pair(r) ? 1 : 0;
    }

    PairSums ordered = visitor.total();
    const double pairs = static_cast<double>(rows) * (static_cast<double>(all.count()) - 1.0);
    score.sparsity = 1.0 - static_cast<double>(ordered.in_x) / pairs;
    score.mean_without_self_degrees = ordered.mean_degrees();
    score.jaccard_without_self = ordered.jaccard();
    ordered.add(diagonal);
    score.mean_deviation_degrees = ordered.mean_degrees();
    score.jaccard = ordered.jaccard();
    if (points != nullptr) {
        *points = visitor.of_rows();
    }
    return score;
}

}  // namespace isogon
