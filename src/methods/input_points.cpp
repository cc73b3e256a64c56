#include "methods/input_points.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/distributed/rank_group.hpp"
#include "methods/checkpoints.hpp"

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
std::size_t first_that_differs(const RankGroup& ranks, const std::string& own) {
    const auto texts = ranks.all_gather_texts(own);
    const auto other = std::find_if(texts.begin(), texts.end(), [&](const auto& text) { return text != texts[0]; });
    return other == texts.end() ? 0 : static_cast<std::size_t>(other - texts.begin());
}

}  // namespace

namespace {

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
        throw InputError("input", "",
                         std::to_string(x.count()) + " point" + (x.count() == 1 ? "" : "s") + " of " +
                             std::to_string(x.dimension()) + " numbers: at least 2 points of 1 number are needed");
    }
    require_all_finite(x, "input");
    require_numbers(dimension, x.count(), x.dimension(), most);
    if (all_equal(x)) {
        throw InputError("input", "",
                         "all " + std::to_string(x.count()) + " points are equal: there is nothing to embed");
    }
}

namespace {

/// Of each coordinate, the mean share of a point's squared length, and the variance.
struct CoordinateShares {
    std::vector<double> of_length{};
    std::vector<double> variance{};
};

CoordinateShares coordinate_shares(const PointsView& x, Index step) {
    CoordinateShares shares{std::vector<double>(x.dimension), std::vector<double>(x.dimension)};
    std::vector<double> sums(x.dimension);
    const PointsView first(x.data, 1, x.dimension, x.stride);
    double rows = 0.0;
    for (std::uint64_t i = 0; i < x.count; i += step, rows += 1.0) {
        const auto row = x[static_cast<Index>(i)];
        double square = 0.0;
        for (const float value : row) {
            square += double{value} * value;
        }
        for (Index k = 0; k < x.dimension; ++k) {
            const double moved = double{row[k]} - first[0][k];  // so that squares do not cancel
            sums[k] += moved;
            shares.variance[k] += moved * moved;
            shares.of_length[k] += square > 0.0 ? double{row[k]} * row[k] / square : 0.0;
        }
    }
    for (Index k = 0; k < x.dimension; ++k) {
        shares.variance[k] -= sums[k] * sums[k] / rows;
        shares.of_length[k] /= rows;
    }
    return shares;
}

}  // namespace

void warn_of_long_coordinate(const DistributedPoints& x, Summary& summary) {
    constexpr Index most_rows = 4096;
    constexpr double nearly_all = 0.9;
    if (x.is_distributed() || x.dimension() < 2) {
        return;
    }
    const CoordinateShares shares = coordinate_shares(x.local(), (x.count() - 1) / most_rows + 1);
    const auto largest = std::max_element(shares.of_length.begin(), shares.of_length.end());
    if (*largest < nearly_all) {
        return;
    }
    const auto k = static_cast<std::size_t>(largest - shares.of_length.begin());
    double all_variance = 0.0;
    for (const double variance : shares.variance) {
        all_variance += variance;
    }
    const bool by_its_mean = shares.variance[k] < all_variance / 2.0;
    summary.warn("coordinate " + std::to_string(k) + ", of 0 to " + std::to_string(x.dimension() - 1) + ", carries " +
                 std::to_string(static_cast<int>(100.0 * *largest)) +
                 "% of the points' squared lengths, so that their angles hardly depend on the others: give all "
                 "coordinates mean 0 and standard deviation 1 first (isogon convert --standardize does it, and "
                 "scikit-learn's StandardScaler)" +
                 (by_its_mean ? ", or take pca, which subtracts the mean" : ""));
}

void require_start_shape(const PointsView& start, Index points, int dimension) {
    if (start.empty()) {
        return;
    }
    if (start.count != points || start.dimension != static_cast<Index>(dimension)) {
        throw InvalidArgument("start", std::to_string(start.count) + " points of " + std::to_string(start.dimension),
                              "must be " + std::to_string(points) + " points of " + std::to_string(dimension) +
                                  " numbers, one for each input");
    }
    require_finite(start, "start");
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
    if (const auto rank = first_that_differs(ranks, given); rank != 0) {
        throw InputError("rank " + std::to_string(rank), "", "has other options than rank 0: give all ranks the same");
    }
    std::string held = std::to_string(x.count()) + " of " + std::to_string(x.dimension());
    if (!x.is_distributed()) {
        held += ' ' + std::to_string(fingerprint(x));
    }
    if (const auto rank = first_that_differs(ranks, held); rank != 0) {
        throw InputError("rank " + std::to_string(rank), "", "holds other points than rank 0: give all ranks the same");
    }
}

namespace {

double root_mean_square(const std::vector<double>& lengths) {
    double sum = 0.0;
    for (const double length : lengths) {
        sum += length * length;
    }
    return std::sqrt(sum / static_cast<double>(lengths.size()));
}

}  // namespace

WeightedPoints weighted_points(const DistributedPoints& all, bool unit, const RunContext& context) {
    const std::vector<double> lengths = norms_of_all(all, context);
    const double mean = root_mean_square(lengths);
    const auto divisor_of = [&](std::size_t i) { return unit ? lengths[i] : mean; };
    const PointsView& x = all.local();
    WeightedPoints result{Points(x.count, x.dimension), std::vector<float>(lengths.size())};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        result.lengths[i] = lengths[i] == 0.0 ? 0.0F : static_cast<float>(lengths[i] / divisor_of(i));
    }
    parallel_blocks(context, x.count, 256, [&](Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            const std::size_t place = all.local_range().begin + i;
            if (lengths[place] == 0.0) {
                continue;
            }
            const auto row = static_cast<Index>(i);
            const double divisor = divisor_of(place);
            for (Index k = 0; k < x.dimension; ++k) {
                result.points[row][k] = static_cast<float>(double{x[row][k]} / divisor);
            }
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
                             "the distance " + std::to_string(nearest) + " is negative");
        }
    }
    if (longest_distance(lists) == 0.0) {
        throw InputError("neighbour lists", "", "all distances are 0: there is nothing to embed");
    }
}

}  // namespace

bool has_graph_alone(const PointsView& x, const FitExtras& extras) {
    return x.count > 0 && x.dimension == 0 && extras.neighbors != nullptr;
}

void require_points_or_graph(const PointsView& x, int dimension, const FitExtras& extras) {
    if (!has_graph_alone(x, extras)) {
        require_points(x, dimension, MostNumbers::OfPoints);
        return;
    }
    if (extras.neighbors->count() != x.count) {
        throw InvalidArgument("neighbor graph", std::to_string(extras.neighbors->count()) + " lists",
                              "there must be one for each of " + std::to_string(x.count) + " points");
    }
    require_distances(*extras.neighbors);
    if (dimension < 1 || static_cast<std::uint64_t>(dimension) >= x.count) {
        throw InvalidArgument(
            "dimension", std::to_string(dimension),
            "must be at least 1 and below " + std::to_string(x.count) + ", the number of points of the graph");
    }
}

void require_graph_serves(const PointsView& x, const FitExtras& extras, ComponentPolicy policy, bool landmarks) {
    if (!has_graph_alone(x, extras)) {
        return;
    }
    if (policy == ComponentPolicy::Bridge || policy == ComponentPolicy::Largest) {
        throw InvalidArgument("components", policy == ComponentPolicy::Bridge ? "bridge" : "largest",
                              std::string(only_a_graph) + "take error, or a graph of more neighbours");
    }
    if (landmarks) {
        throw InvalidArgument("landmarks", "given", std::string(only_a_graph) + "leave them out");
    }
}

void require_points_to_start(const PointsView& x, const FitExtras& extras, bool from_points) {
    if (from_points && has_graph_alone(x, extras) && extras.start.empty()) {
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
}

}  // namespace isogon
