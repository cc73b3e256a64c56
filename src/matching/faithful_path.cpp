#include "isogon/matching/faithful_path.hpp"

#include <algorithm>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/matching/embedding_from_matrix.hpp"

namespace isogon {

namespace {

constexpr double tie_of_balanced = 0.1;
constexpr double tie_of_neighbors = 0.01;

BlockVectors copy_of(const BlockVectors& block) {
    return block;
}

Points points_of(const BlockVectors& block) {
    Points points(block.rows(), block.columns());
    for (Index i = 0; i < block.rows(); ++i) {
        std::copy_n(block.row(i), block.columns(), points[i].begin());
    }
    return points;
}

}  // namespace

FaithfulPath::FaithfulPath(const Similarities& s, std::vector<float> lengths, BlockVectors start,
                           const FaithfulPathOptions& options, RunContext context)
    : s_(s), lengths_(std::move(lengths)), start_(std::move(start)), options_(options), context_(std::move(context)) {
    make_objective(FaithfulForm::Spheres);
    descent_ = std::make_unique<FaithfulDescent>(*objective_, copy_of(start_),
                                                 DescentOptions{.tolerance = options_.tolerance}, context_);
}

FaithfulPath::FaithfulPath(const Similarities& s, std::vector<float> lengths, BlockVectors start,
                           const FaithfulPathOptions& options, const Archive& saved, RunContext context)
    : s_(s),
      lengths_(std::move(lengths)),
      start_(std::move(start)),
      options_(options),
      context_(std::move(context)),
      trial_residual_(saved.number("trial_residual")) {
    const bool relaxed = saved.count("relaxed") != 0;
    make_objective(relaxed ? FaithfulForm::Relaxed : FaithfulForm::Spheres);
    descent_ =
        std::make_unique<FaithfulDescent>(*objective_, saved, start_.rows(), start_.columns() + (relaxed ? 1 : 0),
                                          DescentOptions{.tolerance = options_.tolerance}, context_);
    const auto& numbers = saved.numbers<double>("trial_trace", {Archive::any_length, 3});
    for (std::size_t i = 0; i < numbers.size(); i += 3) {
        trial_trace_.push_back({static_cast<int>(i / 3) + 1, numbers[i], numbers[i + 1], numbers[i + 2]});
    }
}

FaithfulTerms FaithfulPath::terms_of(FaithfulForm form) const {
    return {.form = form,
            .balance = options_.balance,
            .tie = options_.favor == Favor::Neighbors ? tie_of_neighbors : tie_of_balanced};
}

void FaithfulPath::make_objective(FaithfulForm form) {
    objective_ = std::make_unique<FaithfulObjective>(s_, lengths_, terms_of(form));
}

/// After the trial: stay on the spheres, or start anew in the relaxed form.
void FaithfulPath::choose_form() {
    trial_residual_ = descent_->relative_residual();
    if (trial_residual_ <= solvable) {
        return;
    }
    auto objective = std::make_unique<FaithfulObjective>(s_, lengths_, terms_of(FaithfulForm::Relaxed));
    auto descent = std::make_unique<FaithfulDescent>(*objective, objective->start_from(start_),
                                                     DescentOptions{.tolerance = options_.tolerance}, context_);
    trial_trace_ = descent_->trace();
    descent_ = std::move(descent);
    objective_ = std::move(objective);
}

Termination FaithfulPath::run() {
    const bool chosen = options_.favor == Favor::Angles || trial_residual_ >= 0.0;
    if (!chosen) {
        const Termination tried = descent_->run_to(std::min(trial, options_.iterations));
        if (tried == Termination::TimeLimit || tried == Termination::Cancelled ||
            tried == Termination::NumericalFailure) {
            return tried;
        }
        try {
            choose_form();
        } catch (const Interruption& interruption) {
            trial_residual_ = -1.0;
            return interruption.reason;
        }
    }
    return descent_->run_to(options_.iterations);
}

std::vector<IterationRecord> FaithfulPath::trace() const {
    std::vector<IterationRecord> all = trial_trace_;
    const double before = all.empty() ? 0.0 : all.back().seconds;
    for (IterationRecord record : descent_->trace()) {
        record.iteration += static_cast<int>(trial_trace_.size());
        record.seconds += before;
        all.push_back(record);
    }
    return all;
}

Points FaithfulPath::outputs(const RunContext& context) const {
    if (form() == FaithfulForm::Spheres) {
        return points_of(descent_->position());
    }
    return outputs_from_matrix(objective_->matrix(descent_->position()), s_.threshold, start_.columns(), context)
        .outputs;
}

Points FaithfulPath::lifted_outputs() const {
    return points_of(objective_->matrix(descent_->position()).factor);
}

void FaithfulPath::save(Archive& archive) const {
    archive.add_count("relaxed", form() == FaithfulForm::Relaxed ? 1 : 0);
    archive.add_number("trial_residual", trial_residual_);
    std::vector<double> numbers;
    for (const auto& record : trial_trace_) {
        numbers.insert(numbers.end(), {record.objective, record.change, record.seconds});
    }
    archive.add("trial_trace", Array{{trial_trace_.size(), 3}, std::move(numbers)});
    descent_->save(archive);
}

std::uint64_t FaithfulPath::bytes(Index rows, Index dimension) {
    return FaithfulDescent::bytes(rows, dimension + 1, {}) + 2 * BlockVectors::bytes(rows, dimension);
}

}  // namespace isogon
