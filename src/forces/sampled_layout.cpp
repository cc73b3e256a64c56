#include "forces/sampled_layout.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "forces/descent.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

namespace {

constexpr int epochs_between_records = 50;
constexpr std::size_t sampled_points_of_task = 64;
constexpr std::size_t sampled_rows_of_task = 256;
constexpr Index classes = 8;
/// Reactions of one class, on average: they are added at once, and a step of many would overshoot. A point of more is a
/// hub. Tried: 16 is no different; with 1 faithful keeps fewer neighbours of GloVe in 8 numbers.
constexpr double most_reactions = 4.0;

/// Rows of a class do not follow each other, so that the processor fetches none of them ahead.
template <class Value>
void prefetch(std::span<const Value> values) {
    constexpr std::size_t line = 64 / sizeof(Value);
    for (std::size_t k = 0; k < values.size(); k += line) {
        hwy::Prefetch(values.data() + k);
    }
}

std::vector<OutputRole> roles_of(const CsrMatrix<double>& edges, double heaviest, const Anchors& anchors) {
    std::vector<OutputRole> roles(edges.rows, OutputRole::Free);
    for (Index i = 0; i < edges.rows; ++i) {
        const auto weights = edges.row_values(i);
        const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
        roles[i] = anchors.fixes(i)                            ? OutputRole::Fixed
                   : sum > most_reactions * classes * heaviest ? OutputRole::Hub
                                                               : OutputRole::Free;
    }
    return roles;
}

}  // namespace

SampledLayout::SampledLayout(const CsrMatrix<double>& edges, const MultiVector<double>& start,
                             const SamplingOptions& options, RunContext context)
    : edges_(edges), options_(options), context_(std::move(context)), y_(start.rows(), start.columns()), moved_(y_) {
    if (start.rows() != edges.rows || start.rows() < 2) {
        throw InvalidArgument("start", std::to_string(start.rows()) + " points",
                              "must be as many as the edges join, " + std::to_string(edges.rows) + ", and at least 2");
    }
    const auto beyond = std::find_if(start.values().begin(), start.values().end(),
                                     [](double value) { return !(std::abs(value) <= largest_start); });
    if (beyond != start.values().end()) {
        throw InvalidArgument("start", to_text(OptionValue{*beyond}),
                              "must be between -1e15 and 1e15; outputs are some tens across");
    }
    std::transform(start.values().begin(), start.values().end(), y_.values().begin(),
                   [](double value) { return static_cast<float>(value); });
    for (const double weight : edges.values) {
        heaviest_ = std::max(heaviest_, weight);
    }
    roles_ = roles_of(edges, heaviest_, options_.anchors);
    if (!options_.log_radii.empty()) {
        density_.emplace(edges, options_.log_radii, options_.kernel);
    }
    const Index members = (y_.count() + classes - 1) / classes;
    reactions_.resize((members + sampled_points_of_task - 1) / sampled_points_of_task);
}

std::uint64_t SampledLayout::bytes(Index points, Index dimension, std::uint64_t entries) {
    const std::uint64_t row = dimension * sizeof(float);
    return points * (2 * row + sizeof(OutputRole)) + entries / classes * (row + sizeof(Index));
}

double SampledLayout::rate() const {
    return options_.learning_rate * (1.0 - static_cast<double>(epoch_) / options_.epochs);
}

void SampledLayout::move_class(Index color) {
    const auto rate = static_cast<float>(this->rate());
    const Index members = (y_.count() - color + classes - 1) / classes;
    parallel_blocks(context_, members, sampled_points_of_task, [&](Range range) {
        SampledSteps steps(options_.kernel, y_.view(), heaviest_, options_.negatives, options_.radii);
        SampledReactions& reactions = reactions_[range.begin / sampled_points_of_task];
        reactions.roles = roles_;
        reactions.rows.clear();
        reactions.moves.clear();
        for (auto k = static_cast<Index>(range.begin); k < range.end; ++k) {
            const Index i = k * classes + color;
            if (i + classes < y_.count()) {
                prefetch(edges_.row_values(i + classes));
                prefetch(edges_.row_indices(i + classes));
            }
            std::copy(y_[i].begin(), y_[i].end(), moved_[i].begin());
            if (roles_[i] == OutputRole::Fixed) {
                continue;
            }
            const std::uint64_t stream = static_cast<std::uint64_t>(epoch_) * y_.count() + i;
            steps.move(
                {moved_[i].data(), edges_.row_indices(i), edges_.row_values(i), edges_.offsets[i], i, &reactions},
                epoch_, rate, Random(options_.seed, RandomStream::NegativeSamples, stream));
            if (options_.anchors.holds(i)) {
                const auto share = static_cast<float>(options_.anchors.share(double{rate}));
                std::transform(moved_[i].begin(), moved_[i].end(), options_.anchors.places[i].begin(),
                               moved_[i].begin(), [share](float y, float place) { return y + share * (place - y); });
            }
        }
    });
    for (Index i = color; i < y_.count(); i += classes) {
        std::copy(moved_[i].begin(), moved_[i].end(), y_[i].begin());
    }
    add_reactions();
}

/// Each thread goes through all reactions and adds those of its own rows: a row's are added in the order of the class.
void SampledLayout::add_reactions() {
    const std::size_t part = (y_.count() + context_.thread_count() - 1) / context_.thread_count();
    parallel_blocks(context_, y_.count(), part, [&](Range rows) {
        for (const SampledReactions& reactions : reactions_) {
            const float* move = reactions.moves.data();
            for (const Index row : reactions.rows) {
                if (row >= rows.begin && row < rows.end) {
                    std::transform(y_[row].begin(), y_[row].end(), move, y_[row].begin(), std::plus<>());
                }
                move += y_.dimension();
            }
        }
    });
}

/// Runs the remaining classes of an epoch. Returns why the run ended, if it did.
std::optional<Termination> SampledLayout::make_epoch() {
    for (; color_ < std::min(classes, y_.count()); ++color_) {
        if (const auto reason = context_.interruption()) {
            return reason;
        }
        move_class(color_);
    }
    constexpr double share_with_density = 0.3;  // umap-learn's: of the epochs, the last
    if (density_ && epoch_ + 1 > (1.0 - share_with_density) * options_.epochs) {
        density_->step(y_, rate() * options_.density_weight, context_);
        for (Index i = 0; i < y_.count(); ++i) {
            if (roles_[i] == OutputRole::Fixed) {
                std::ranges::copy(options_.anchors.places[i], y_[i].begin());
            }
        }
    }
    color_ = 0;
    ++epoch_;
    return {};
}

double SampledLayout::loss(const RunContext& context) const {
    const double cost = parallel_sum(context, y_.count(), sampled_rows_of_task, [&](Range rows) {
        double sum = 0.0;
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            double gaps = 0.0;
            Random random(options_.seed, RandomStream::NegativeSamples, ~std::uint64_t{i});
            for (int draw = 0; draw < options_.negatives; ++draw) {
                const Index other = (i + 1 + random.below(y_.count() - 1)) % y_.count();
                gaps += options_.kernel.gap_cost(squared_distance(y_[i].data(), y_[other].data(), y_.dimension()));
            }
            for (Offset e = edges_.offsets[i]; e < edges_.offsets[i + 1]; ++e) {
                const double squared = squared_distance(y_[i].data(), y_[edges_.indices[e]].data(), y_.dimension());
                sum += edges_.values[e] * (options_.kernel.cost(squared) + gaps);
            }
        }
        return sum;
    });
    const double weight = std::accumulate(edges_.values.begin(), edges_.values.end(), 0.0);
    return weight > 0.0 ? cost / weight : 0.0;
}

std::optional<double> SampledLayout::density_correlation(const RunContext& context) const {
    return density_ ? std::optional(density_->correlation(y_, context)) : std::nullopt;
}

Termination SampledLayout::run_to(int epoch) {
    const int end = std::min(epoch, options_.epochs);
    while (epoch_ < end) {
        if (color_ == 0 && epoch_ % epochs_between_records == 0 && !context_.interruption()) {
            add_record(epoch_, loss(context_), begin_, trace_);
        }
        if (const auto reason = make_epoch()) {
            return *reason;
        }
        context_.report({.phase = "layout",
                         .done = static_cast<std::uint64_t>(epoch_),
                         .total = static_cast<std::uint64_t>(options_.epochs),
                         .objective = trace_.back().objective,
                         .coordinates = [this] { return y_; }});
    }
    return epoch_ == options_.epochs ? Termination::Converged : Termination::IterationLimit;
}

}  // namespace isogon
