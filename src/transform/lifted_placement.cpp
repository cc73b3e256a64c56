#include "isogon/transform/lifted_placement.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/transform/placement.hpp"
#include "transform/placement_panel.hpp"
#include "transform/placement_rows.hpp"

namespace isogon {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t nearest_points = 10;
constexpr double tie_to_mean = 0.1;  ///< of a term of the support

std::vector<Index> with_direction(const std::vector<double>& lengths) {
    std::vector<Index> chosen;
    for (std::size_t j = 0; j < lengths.size(); ++j) {
        if (lengths[j] > 0.0) {
            chosen.push_back(static_cast<Index>(j));
        }
    }
    if (chosen.empty()) {
        throw InputError(
            "fitted points", "",
            "none of " + std::to_string(lengths.size()) + " has a length above zero: there is nothing to place by");
    }
    return chosen;
}

/// [y_j, -s_j], whose products with [y, s] are L.
Rows search_rows(const PointsView& outputs, const std::vector<Index>& chosen) {
    Rows rows(static_cast<Eigen::Index>(chosen.size()), static_cast<Eigen::Index>(outputs.dimension));
    for (std::size_t r = 0; r < chosen.size(); ++r) {
        for (Index k = 0; k < outputs.dimension; ++k) {
            rows(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(k)) = double{outputs[chosen[r]][k]};
        }
    }
    rows.rightCols(1) *= -1.0;
    return rows;
}

/// Minimises f for one row after the other. f is convex and quadratic between the places where a product changes its
/// sign: Newton steps, shortened where they cross too many.
class LiftedNewton {
public:
    explicit LiftedNewton(const Rows& fitted)
        : fitted_(fitted), targets_(fitted.rows()), on_support_(static_cast<std::size_t>(fitted.rows())) {}

    struct Minimum {
        Eigen::VectorXd output;
        bool settled = false;
    };

    [[nodiscard]] Minimum minimise(const Neighborhood& found, double tau) {
        const auto& support = found.support().empty() ? found.nearest() : found.support();
        set_support(support, tau);
        mean_ = mean_of(found.nearest());
        tie_ = tie_to_mean * static_cast<double>(support.size());
        Minimum minimum{mean_};
        products_ = fitted_ * minimum.output;
        constexpr int most_steps = 100;
        for (int step = 0; step < most_steps && !minimum.settled; ++step) {
            minimum.settled = !advance(minimum.output);
        }
        clear_support(support);
        return minimum;
    }

    [[nodiscard]] static std::uint64_t bytes(Index fitted, Index outputs) {
        return std::uint64_t{fitted} * (5 + std::uint64_t{outputs}) * sizeof(double);
    }

private:
    void set_support(const std::vector<CosineNeighbor>& support, double tau) {
        for (const CosineNeighbor& neighbor : support) {
            on_support_[neighbor.place] = true;
            targets_[neighbor.place] = double{neighbor.cosine} - tau;
        }
    }

    void clear_support(const std::vector<CosineNeighbor>& support) {
        for (const CosineNeighbor& neighbor : support) {
            on_support_[neighbor.place] = false;
        }
    }

    [[nodiscard]] Eigen::VectorXd mean_of(const std::vector<CosineNeighbor>& nearest) const {
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(fitted_.cols());
        double weights = 0.0;
        for (const CosineNeighbor& neighbor : nearest) {
            const double weight = std::max(double{neighbor.cosine}, 1e-6);  // all may be at right angles
            sum += weight * fitted_.row(neighbor.place).transpose();
            weights += weight;
        }
        sum /= weights;
        sum[sum.size() - 1] *= -1.0;  // of [y, s], where rows are [y, -s]
        return sum;
    }

    [[nodiscard]] double residual(Eigen::Index j, double product) const {
        return on_support_[static_cast<std::size_t>(j)] ? product - targets_[j] : std::max(product, 0.0);
    }

    /// f at output + step * direction.
    [[nodiscard]] double value(const Eigen::VectorXd& output, const Eigen::VectorXd& direction, double step) const {
        double sum = tie_ * (output + step * direction - mean_).squaredNorm();
        for (Eigen::Index j = 0; j < products_.size(); ++j) {
            const double r = residual(j, products_[j] + step * changes_[j]);
            sum += r * r;
        }
        return sum;
    }

    /// A Newton step that lowers f; false at the minimum, to rounding.
    [[nodiscard]] bool advance(Eigen::VectorXd& output) {
        constexpr double settled = 1e-10;  // of f, by which a whole step would lower it
        Eigen::MatrixXd hessian = tie_ * Eigen::MatrixXd::Identity(output.size(), output.size());
        Eigen::VectorXd gradient = tie_ * (output - mean_);
        gather(gradient);
        hessian.selfadjointView<Eigen::Lower>().rankUpdate(active_.leftCols(active_count_));
        const Eigen::VectorXd direction = hessian.selfadjointView<Eigen::Lower>().llt().solve(-gradient);
        const double slope = gradient.dot(direction);  // half of the derivative
        changes_ = fitted_ * direction;
        const double before = value(output, direction, 0.0);
        if (!(-slope > settled * before)) {
            return false;
        }
        constexpr double least = 1e-6;
        double step = 1.0;
        while (step > least && !(value(output, direction, step) <= before + 1e-4 * step * 2.0 * slope)) {
            step *= 0.5;
        }
        if (step <= least) {
            return false;
        }
        output += step * direction;
        products_ += step * changes_;
        return true;
    }

    /// Columns of active_: the rows that have a residual. Adds their part of half the gradient.
    void gather(Eigen::VectorXd& gradient) {
        active_.resize(fitted_.cols(), fitted_.rows());
        active_count_ = 0;
        for (Eigen::Index j = 0; j < products_.size(); ++j) {
            if (on_support_[static_cast<std::size_t>(j)] || products_[j] > 0.0) {
                active_.col(active_count_++) = fitted_.row(j).transpose();
                gradient += residual(j, products_[j]) * fitted_.row(j).transpose();
            }
        }
    }

    const Rows& fitted_;
    Eigen::VectorXd targets_;
    std::vector<bool> on_support_;
    Eigen::VectorXd mean_{};
    double tie_ = 0.0;
    Eigen::VectorXd products_{};  ///< of the output with all rows
    Eigen::VectorXd changes_{};   ///< of a direction with all rows
    Eigen::MatrixXd active_{};
    Eigen::Index active_count_ = 0;
};

}  // namespace

struct LiftedPlacement::Prepared {
    Prepared(const PointsView& x, const RunContext& context)
        : index(x, context), lengths(norms(x)), chosen(with_direction(lengths)) {}

    PlacementIndex index;
    std::vector<double> lengths;
    std::vector<Index> chosen;  ///< fitted points that have a direction
    // Relaxed:
    PackedPoints inputs{};
    Rows outputs{};
    // Spheres:
    std::optional<Placement> spheres{};
};

LiftedPlacement::LiftedPlacement(const PointsView& inputs, const PointsView& outputs, double threshold, bool relaxed,
                                 SearchSide side, const RunContext& context)
    : inputs_(inputs), outputs_(outputs), threshold_(threshold), side_(side) {
    if (outputs.dimension < 2) {
        throw InvalidArgument("dimension", std::to_string(outputs.dimension),
                              "must be at least 2: coordinates and one number more");
    }
    require_threshold(threshold);
    require_fitted(inputs, outputs);
    const std::uint64_t rows = relaxed ? PackedPoints::bytes(inputs.count, inputs.dimension) +
                                             std::uint64_t{inputs.count} * outputs.dimension * sizeof(double)
                                       : 0;
    require_memory(context,
                   {{"the directions of the fitted points", rows},
                    {"the index of the fitted points",
                     PlacementIndex::bytes(inputs.count) + inputs.count * (sizeof(double) + sizeof(Index))}},
                   "raise the limit or fit fewer points");
    auto prepared = std::make_shared<Prepared>(inputs, context);
    if (relaxed) {
        prepared->inputs = pack_directions(inputs, prepared->lengths, prepared->chosen, context);
        prepared->outputs = search_rows(outputs, prepared->chosen);
    } else {
        const PointsView on_spheres{outputs.data, outputs.count, outputs.dimension - 1, outputs.stride};
        prepared->spheres.emplace(inputs, on_spheres, threshold, PlacementOptions{}, context);
    }
    prepared_ = std::move(prepared);
}

std::string_view LiftedPlacement::only_way() const {
    return "is of a fit for searching by inner product, which places rows by its own equation";
}

namespace {

void place_on_spheres(const Placement& spheres, const Points& directions, const std::vector<Index>& rows, double tau,
                      Points& outputs, Summary& summary, const RunContext& context) {
    const Placed placed = spheres.place(directions.view(), context);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto from = placed.outputs[static_cast<Index>(r)];
        std::copy(from.begin(), from.end(), outputs[rows[r]].begin());
        outputs[rows[r]].back() = static_cast<float>(std::sqrt(tau));
    }
    summary.count("isolated", placed.counts.isolated);
    summary.count("unsettled", placed.counts.unsettled);
}

struct Unplaced {
    Index isolated = 0;
    Index unsettled = 0;
};

/// Up to 48 rows.
Unplaced place_panel(const PackedPoints& rows, std::span<const Index> numbers, const PackedPoints& inputs,
                     const Rows& fitted, double tau, Points& outputs, const RunContext& context) {
    std::vector<Neighborhood> found(rows.count(), Neighborhood(tau, nearest_points));
    find_neighborhoods(rows.panel(0), inputs, found);
    LiftedNewton newton(fitted);
    Unplaced counts;
    for (std::size_t r = 0; r < found.size(); ++r) {
        throw_if_cancelled_in_task(context);
        const LiftedNewton::Minimum minimum = newton.minimise(found[r], tau);
        std::transform(minimum.output.begin(), minimum.output.end(), outputs[numbers[r]].begin(),
                       [](double value) { return static_cast<float>(value); });
        counts.isolated += found[r].support().empty() ? 1U : 0U;
        counts.unsettled += minimum.settled ? 0U : 1U;
    }
    return counts;
}

/// The rows that `unknown` lists.
Unplaced place_relaxed(const PointsView& rows, const std::vector<double>& lengths, const std::vector<Index>& unknown,
                       const PackedPoints& inputs, const Rows& fitted, double tau, Points& outputs,
                       const RunContext& context) {
    const std::size_t panels = block_count(unknown.size(), panel_width);
    std::vector<Unplaced> parts(panels);
    // In groups, so that the calling thread can end the run and report progress between groups.
    constexpr std::size_t group = 8;
    for (std::size_t start = 0; start < panels; start += group) {
        throw_if_cancelled(context);
        parallel_tasks(context, std::min(group, panels - start), [&](std::size_t g) {
            const Range range = block_range(start + g, unknown.size(), panel_width);
            const std::span<const Index> numbers = std::span(unknown).subspan(range.begin, range.size());
            parts[start + g] = place_panel(pack_directions(rows, lengths, numbers, {.threads = 1}), numbers, inputs,
                                           fitted, tau, outputs, context);
        });
        context.report({"placement", std::min(start + group, panels), panels, 0.0});
    }
    Unplaced all;
    for (const Unplaced& part : parts) {
        all.isolated += part.isolated;
        all.unsettled += part.unsettled;
    }
    return all;
}

}  // namespace

Points LiftedPlacement::coordinates_of(const PointsView& rows, Transformed& transformed,
                                       const RunContext& context) const {
    Summary& summary = transformed.summary;
    const std::vector<double> lengths = lengths_of(rows, inputs_.dimension);
    const auto threads = static_cast<std::uint64_t>(context.thread_count());
    const std::uint64_t lists = 2ULL * panel_width * inputs_.count * sizeof(CosineNeighbor);
    require_memory(
        context,
        {{"the outputs", std::uint64_t{rows.count} * (outputs_.dimension * sizeof(float) + 2 * sizeof(double))},
         {"the directions of the rows", std::uint64_t{rows.count} * rows.dimension * sizeof(float)},
         {"lists of neighbours", threads * (lists + LiftedNewton::bytes(inputs_.count, outputs_.dimension))}},
        "raise the limit, or place fewer rows at a time or on fewer threads");
    Placed placed{Points(rows.count, outputs_.dimension), {}};
    const std::vector<Index> unknown = unknown_rows(rows, lengths, prepared_->index, outputs_, placed);
    Points outputs = std::move(placed.outputs);
    summary.count("fitted_rows", placed.counts.fitted);
    summary.count("zero_vectors", placed.counts.zero_vectors);
    if (prepared_->spheres) {
        place_on_spheres(*prepared_->spheres, directions_of(rows, lengths, unknown), unknown, threshold_, outputs,
                         summary, context);
    } else {
        const Unplaced counts =
            place_relaxed(rows, lengths, unknown, prepared_->inputs, prepared_->outputs, threshold_, outputs, context);
        summary.count("isolated", counts.isolated);
        summary.count("unsettled", counts.unsettled);
    }
    if (side_ == SearchSide::Query) {
        for (Index i = 0; i < outputs.count(); ++i) {
            outputs[i].back() = -outputs[i].back();
        }
    }
    return outputs;
}

}  // namespace isogon
