#include "isogon/faithful/faithful_path.hpp"

#include <algorithm>
#include <utility>

#include "isogon/core/archive_schema.hpp"
#include "isogon/decomposition/low_rank.hpp"

namespace isogon {

namespace {

constexpr double norm_penalty_of_balanced = 0.1;
constexpr double norm_penalty_of_neighbors = 0.01;
constexpr double spheres_damping = 5.0;
constexpr double most_residual = 1e300;
constexpr double damped_tolerance = 2.0;  // in tolerances

MultiVector<float> copy_of(const MultiVector<float>& block) {
    return block;
}

Points points_of(const MultiVector<float>& block) {
    Points points(block.rows(), block.columns());
    for (Index i = 0; i < block.rows(); ++i) {
        std::copy_n(block.row(i), block.columns(), points[i].begin());
    }
    return points;
}

FaithfulStage saved_stage(const Archive& saved) {
    using Scalar = ArchiveArray::Scalar;
    constexpr auto last = static_cast<double>(FaithfulStage::DampedSpheres);
    ArchiveSchema schema;
    schema.add({.name = "stage", .scalar = Scalar::Uint64, .values = {{0, last}}}).require(saved);
    const auto stage = static_cast<FaithfulStage>(saved.count("stage"));
    const double least = stage == FaithfulStage::Spheres ? -1.0 : 0.0;  // below 0 while the trial lasts
    schema.add({.name = "trial_residual", .scalar = Scalar::Float64, .values = {{least, most_residual}}});
    add_trace("trial_trace", schema);
    schema.require(saved);
    return stage;
}

}  // namespace

FaithfulPath::FaithfulPath(const Similarities& s, std::vector<float> lengths, MultiVector<float> start,
                           const FaithfulPathOptions& options, RunContext context)
    : s_(s), lengths_(std::move(lengths)), start_(std::move(start)), options_(options), context_(std::move(context)) {
    make_objective(FaithfulStage::Spheres);
    descent_ = std::make_unique<FaithfulDescent>(*objective_, copy_of(start_), descent_of(stage_), context_);
}

FaithfulPath::FaithfulPath(const Similarities& s, std::vector<float> lengths, MultiVector<float> start,
                           const FaithfulPathOptions& options, const Archive& saved, RunContext context)
    : s_(s),
      lengths_(std::move(lengths)),
      start_(std::move(start)),
      options_(options),
      context_(std::move(context)),
      stage_(saved_stage(saved)),
      trial_residual_(saved.number("trial_residual")) {
    make_objective(stage_);
    const Index columns = start_.columns() + (stage_ == FaithfulStage::Relaxed ? 1 : 0);
    descent_ =
        std::make_unique<FaithfulDescent>(*objective_, saved, start_.rows(), columns, descent_of(stage_), context_);
    trial_trace_ = trace_in(saved, "trial_trace");
}

FaithfulTerms FaithfulPath::terms_of(FaithfulStage stage) const {
    const double norm_penalty =
        options_.favor == Favor::Neighbors ? norm_penalty_of_neighbors : norm_penalty_of_balanced;
    switch (stage) {
        case FaithfulStage::Relaxed:
            return {.form = FaithfulForm::Relaxed,
                    .off_support_weight = options_.off_support_weight.value_or(1.0),
                    .norm_penalty = norm_penalty};
        case FaithfulStage::DampedSpheres:
            return {.off_support_weight = options_.off_support_weight.value_or(damped_off_support_weight),
                    .damping = spheres_damping};
        default: return {.off_support_weight = options_.off_support_weight.value_or(1.0)};
    }
}

DescentOptions FaithfulPath::descent_of(FaithfulStage stage) const {
    return {.tolerance = options_.tolerance * (stage == FaithfulStage::DampedSpheres ? damped_tolerance : 1.0)};
}

void FaithfulPath::make_objective(FaithfulStage stage) {
    objective_ = std::make_unique<FaithfulObjective>(s_, lengths_, terms_of(stage));
}

/// Continues on the spheres, or starts again in the form that `favor` selects.
void FaithfulPath::leave_trial() {
    const double residual = descent_->relative_residual();
    if (residual > solvable) {
        const FaithfulStage stage =
            options_.favor == Favor::Angles ? FaithfulStage::DampedSpheres : FaithfulStage::Relaxed;
        auto objective = std::make_unique<FaithfulObjective>(s_, lengths_, terms_of(stage));
        auto descent =
            std::make_unique<FaithfulDescent>(*objective, objective->start_from(start_), descent_of(stage), context_);
        trial_trace_ = descent_->trace();
        descent_ = std::move(descent);
        objective_ = std::move(objective);
        stage_ = stage;
    }
    trial_residual_ = residual;
}

Termination FaithfulPath::run() {
    if (trial_residual_ < 0.0) {
        const Termination tried = descent_->run_to(trial);
        if (tried == Termination::TimeLimit || tried == Termination::Cancelled ||
            tried == Termination::NumericalFailure) {
            return tried;
        }
        try {
            leave_trial();
        } catch (const Interruption& interruption) {
            return interruption.reason;
        }
    }
    if (options_.only_trial && is_solvable()) {
        return Termination::Converged;
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
    archive.add_count("stage", static_cast<std::uint64_t>(stage_));
    archive.add_number("trial_residual", trial_residual_);
    add_trace("trial_trace", trial_trace_, archive);
    descent_->save(archive);
}

std::uint64_t FaithfulPath::bytes(Index rows, Index own, Index dimension) {
    return FaithfulDescent::bytes(rows, own, dimension + 1, {}) + 2 * MultiVector<float>::bytes(rows, dimension);
}

}  // namespace isogon
