#include "methods/input_points.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/parallel.hpp"
#include "distributed/rank_group.hpp"
#include "isogon/core/error.hpp"
#include "methods/checkpoints.hpp"
#include "neighbors/sparse_row.hpp"

namespace isogon {

namespace {

bool all_equal(const DistributedPoints& x) {
    const Points first = x.gather_range({0, 1});
    std::uint64_t others = 0;  // on this rank
    for (Index i = 0; i < x.local().count && others == 0; ++i) {
        const auto row = x.local()[i];
        others += std::equal(row.begin(), row.end(), first.values().begin()) ? 0 : 1;
    }
    if (x.is_distributed()) {
        ranks_of(x).all_reduce_sum({&others, 1});
    }
    return others == 0;
}

/// The number of the first rank whose text is not that of rank 0, or 0.
std::size_t first_difference(const RankGroup& ranks, const std::string& own) {
    const auto texts = ranks.all_gather_texts(own);
    const auto other = std::find_if(texts.begin(), texts.end(), [&](const auto& text) { return text != texts[0]; });
    return other == texts.end() ? 0 : static_cast<std::size_t>(other - texts.begin());
}

[[noreturn]] void refuse_count(Index points, Index numbers) {
    throw InputError("input", "",
                     std::to_string(points) + " point" + (points == 1 ? "" : "s") + " of " + std::to_string(numbers) +
                         " numbers: at least 2 points of 1 number are needed");
}

[[noreturn]] void refuse_equal(Index points) {
    throw InputError("input", "", "all " + std::to_string(points) + " points are equal: there is nothing to embed");
}

void require_numbers(int dimension, Index points, Index inputs, MostNumbers most) {
    const auto d = static_cast<Index>(std::max(dimension, 0));
    if (most == MostNumbers::OfInputs && (d < 1 || d > inputs)) {
        throw InvalidArgument(
            "dimension", std::to_string(dimension),
            "must be at least 1 and at most " + std::to_string(inputs) + ", the dimension of the input");
    }
    if (d < 1 || d >= points) {
        throw InvalidArgument("dimension", std::to_string(dimension),
                              "must be " + std::string(d < 1 ? "at least 1 and " : "") + "below " +
                                  std::to_string(points) + ", the number of points");
    }
}

}  // namespace

void require_points(const DistributedPoints& x, int dimension, MostNumbers most) {
    if (x.count() < 2 || x.dimension() == 0) {
        refuse_count(x.count(), x.dimension());
    }
    require_all_finite(x, "input");
    require_numbers(dimension, x.count(), x.dimension(), most);
    if (all_equal(x)) {
        refuse_equal(x.count());
    }
}

void require_points(const CsrMatrix<double>& x, int dimension, MostNumbers most) {
    if (x.rows < 2 || x.columns == 0) {
        refuse_count(x.rows, x.columns);
    }
    require_float32(x, "input");
    bool differs = false;
    for (Index i = 1; i < x.rows && !differs; ++i) {
        differs = !std::ranges::equal(x.row_indices(i), x.row_indices(0)) ||
                  !std::ranges::equal(x.row_values(i), x.row_values(0));
    }
    require_numbers(dimension, x.rows, x.columns, most);
    if (!differs) {
        refuse_equal(x.rows);
    }
}

namespace {

constexpr double nearly_all = 0.9;

/// Parts of some vectors: rows of which angles are made, or differences of pairs.
class CoordinateShares {
public:
    explicit CoordinateShares(Index dimension) : mean_(dimension), total_(dimension), carried_(dimension) {}

    /// The parts of a vector, none negative. Vectors of zeros count for nothing.
    void add(std::span<const double> parts) {
        double sum = 0.0;
        for (const double part : parts) {
            sum += part;
        }
        if (!(sum > 0.0)) {
            return;
        }
        ++vectors_;
        all_ += sum;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            mean_[k] += parts[k] / sum;
            total_[k] += parts[k];
            carried_[k] += parts[k] >= nearly_all * sum ? 1.0 : 0.0;
        }
    }

    /// The coordinate of the largest parts.
    [[nodiscard]] std::size_t longest() const {
        return static_cast<std::size_t>(std::max_element(mean_.begin(), mean_.end()) - mean_.begin());
    }

    /// Its share, or 0 unless it makes nearly all: of the mean vector, or of most and of their sum (a single one that
    /// is far longer than all others is not enough). Where the others make nothing at all, it hides nothing.
    [[nodiscard]] double share_of(std::size_t k) const {
        if (total_[k] == all_) {
            return 0.0;
        }
        const double mean = mean_[k] / vectors_;
        const double total = total_[k] / all_;
        if (mean >= nearly_all) {
            return mean;
        }
        return 2.0 * carried_[k] > vectors_ && total >= nearly_all ? total : 0.0;
    }

private:
    std::vector<double> mean_;
    std::vector<double> total_;
    std::vector<double> carried_;
    double all_ = 0.0;
    double vectors_ = 0.0;
};

/// Of the lengths of rows; or of differences, of each row from one that a hash of its number chooses, as rows side by
/// side in a file may be alike.
CoordinateShares shares_of(const PointsView& x, Index step, bool lengths, bool absolute) {
    CoordinateShares shares(x.dimension);
    std::vector<double> parts(x.dimension);
    for (std::uint64_t i = 0; i < x.count; i += step) {
        const auto row = x[static_cast<Index>(i)];
        const auto other = x[static_cast<Index>(((i + 1) * 0x9E3779B97F4A7C15U >> 32U) % x.count)];
        std::transform(row.begin(), row.end(), other.begin(), parts.begin(), [&](float value, float than) {
            const double part = double{value} - (lengths ? 0.0 : double{than});
            return absolute ? std::abs(part) : part * part;
        });
        shares.add(parts);
    }
    return shares;
}

/// Whether a coordinate has less than half of the variance, though nearly all of the lengths.
bool is_long_by_its_mean(const PointsView& x, Index step, std::size_t k) {
    double all = 0.0;
    double own = 0.0;
    for (Index c = 0; c < x.dimension; ++c) {
        double sum = 0.0;
        double squares = 0.0;
        double rows = 0.0;
        for (std::uint64_t i = 0; i < x.count; i += step, rows += 1.0) {
            const double moved = double{x[static_cast<Index>(i)][c]} - x[0][c];  // so that squares do not cancel
            sum += moved;
            squares += moved * moved;
        }
        const double variance = squares - sum * sum / rows;
        all += variance;
        own = c == k ? variance : own;
    }
    return own < all / 2.0;
}

}  // namespace

void warn_of_long_coordinate(const PointsView& x, Metric metric, Summary& summary) {
    constexpr Index most_rows = 4096;
    if (x.dimension < 2 || metric == Metric::Hamming || metric == Metric::Jaccard) {
        return;
    }
    const bool lengths = metric != Metric::Euclidean && metric != Metric::Manhattan;
    const Index step = (x.count - 1) / most_rows + 1;
    const CoordinateShares shares = shares_of(x, step, lengths, metric == Metric::Manhattan);
    const std::size_t k = shares.longest();
    const double share = shares.share_of(k);
    if (share == 0.0) {
        return;
    }
    summary.warn(
        {"coordinate " + std::to_string(k) + ", of 0 to " + std::to_string(x.dimension - 1) + ", carries " +
             std::to_string(static_cast<int>(100.0 * share)) +
             (lengths ? "% of the points' squared lengths, so that their angles hardly depend on the others"
                      : "% of the differences between points, so that their distances hardly depend on the others") +
             ": give all coordinates mean 0 and standard deviation 1 first (",
         Text::option("convert standardize"),
         lengths && is_long_by_its_mean(x, step, k) ? " does it), or take pca, which subtracts the mean"
                                                    : " does it)"});
}

namespace {

/// Throws InputError for a row of the start that is NaN in part, and for a start of no place at all.
void require_places(const PointsView& start) {
    Index places = 0;
    for (Index i = 0; i < start.count; ++i) {
        if (std::isnan(start[i].front()) &&
            std::ranges::all_of(start[i], [](float value) { return std::isnan(value); })) {
            continue;
        }
        ++places;
        require_finite({start[i].data(), 1, start.dimension, start.stride}, "start", i);
    }
    if (places == 0) {
        throw InputError("start", "", "no row has coordinates: give those of a point at least, or no start");
    }
}

}  // namespace

void require_start_shape(const PointsView& start, Index points, int dimension, StartRows rows) {
    if (start.empty()) {
        return;
    }
    if (start.count != points || start.dimension != static_cast<Index>(dimension)) {
        throw InvalidArgument("start", std::to_string(start.count) + " points of " + std::to_string(start.dimension),
                              "must be " + std::to_string(points) + " points of " + std::to_string(dimension) +
                                  " numbers, one for each input");
    }
    if (rows == StartRows::All) {
        require_finite(start, "start");
    } else {
        require_places(start);
    }
}

void require_same_on_all_ranks(const DistributedPoints& x, const OptionValues& options) {
    const RankGroup ranks = ranks_of(x);
    if (!ranks.is_shared()) {
        return;
    }
    std::string given;
    for (const auto& [name, value] : options) {
        given += name + " = " + to_text(value) + '\n';
    }
    if (const auto rank = first_difference(ranks, given); rank != 0) {
        throw InputError("rank " + std::to_string(rank), "", "has other options than rank 0: give all ranks the same");
    }
    std::string held = std::to_string(x.count()) + " of " + std::to_string(x.dimension());
    if (!x.is_distributed()) {
        held += ' ' + std::to_string(fingerprint(x));
    }
    if (const auto rank = first_difference(ranks, held); rank != 0) {
        throw InputError("rank " + std::to_string(rank), "", "holds other points than rank 0: give all ranks the same");
    }
}

PointsOfLengthOne at_length_one(const DistributedPoints& all, const RunContext& context) {
    const std::vector<double> lengths = norms_of_all(all, context);
    const PointsView& x = all.local();
    PointsOfLengthOne result{Points(x.count, x.dimension), std::vector<float>(lengths.size())};
    std::transform(lengths.begin(), lengths.end(), result.lengths.begin(),
                   [](double length) { return length == 0.0 ? 0.0F : 1.0F; });
    parallel_blocks(context, x.count, 256, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const double length = lengths[all.local_range().begin + i];
            if (length == 0.0) {
                continue;
            }
            const auto row = static_cast<Index>(i);
            std::transform(x[row].begin(), x[row].end(), result.points[row].begin(),
                           [length](float value) { return static_cast<float>(double{value} / length); });
        }
    });
    return result;
}

namespace {

constexpr const char* only_a_graph = "needs the points, and only a graph of their neighbours was given; ";

/// Distances ascend in each list, so that only its ends are looked at.
double longest_distance(const NeighborLists& lists) {
    double longest = 0.0;
    for (Index i = 0; i < lists.count(); ++i) {
        longest = std::max(longest, double{lists.distances_of(i).back()});
    }
    return longest;
}

void require_distances(const NeighborLists& lists) {
    if (lists.distances.empty()) {
        throw InputError("neighbour lists", "",
                         "have no distances, and there are no points to take them from: give either");
    }
    for (Index i = 0; i < lists.count(); ++i) {
        const double nearest = lists.distances_of(i).front();
        if (nearest < 0.0) {
            throw InputError("neighbour lists", "row " + std::to_string(i),
                             "the distance " + rounded(nearest) + " is negative");
        }
    }
}

}  // namespace

bool has_graph_alone(const PointsView& x, const FitExtras& extras) {
    return x.count > 0 && x.dimension == 0 && extras.neighbors != nullptr;
}

void require_points_or_graph(const GivenData& given, int dimension, const FitExtras& extras) {
    const PointsView& x = given.points;
    if (!has_graph_alone(x, extras)) {
        require_points(x, dimension, MostNumbers::OfPoints);
        return;
    }
    if (extras.neighbors->count() != x.count) {
        throw InvalidArgument("neighbor graph", std::to_string(extras.neighbors->count()) + " lists",
                              "there must be one for each of " + std::to_string(x.count) + " points");
    }
    require_distances(*extras.neighbors);
    if (given.table.empty() && longest_distance(*extras.neighbors) == 0.0) {
        throw InputError("neighbour lists", "", "all distances are 0: there is nothing to embed");
    }
    if (dimension < 1 || static_cast<std::uint64_t>(dimension) >= x.count) {
        throw InvalidArgument(
            "dimension", std::to_string(dimension),
            "must be at least 1 and below " + std::to_string(x.count) + ", the number of points of the graph");
    }
}

void require_graph_serves(const PointsView& x, const FitExtras& extras, bool landmarks) {
    if (landmarks && has_graph_alone(x, extras)) {
        throw InvalidArgument("landmarks", "given", std::string(only_a_graph) + "leave them out");
    }
}

PointsView points_to_start(const PointsView& x, const FitExtras& extras) {
    return has_graph_alone(x, extras) ? extras.components ? extras.components() : PointsView() : x;
}

void require_points_to_start(const PointsView& x, const FitExtras& extras, bool from_points) {
    if (from_points && has_graph_alone(x, extras) && extras.start.empty() && !extras.components) {
        throw InvalidArgument("start", "pca", std::string(only_a_graph) + "take random, or give coordinates");
    }
}

PowerOfTwoScaling unit_of(const PointsView& x, const FitExtras& extras, const RunContext& context) {
    if (has_graph_alone(x, extras)) {
        return PowerOfTwoScaling(x.count, longest_distance(*extras.neighbors));
    }
    return PowerOfTwoScaling(x, context);
}

void restore_unit(const PowerOfTwoScaling& unit, Embedding& result) {
    unit.restore(result.coordinates);
    if (result.barycentric_map) {
        unit.restore(result.barycentric_map->coordinates);
    }
    if (result.local_placement && has_unit(result.local_placement->metric)) {
        LocalPlacement& local = *result.local_placement;
        std::transform(local.radii.begin(), local.radii.end(), local.radii.begin(),
                       [&](float radius) { return static_cast<float>(unit.unit() * double{radius}); });
        local.farthest *= unit.unit();
    }
}

}  // namespace isogon
