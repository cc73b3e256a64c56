#pragma once
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/archive_schema.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/forces/force_layout.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// Descent with momentum and a gain for every number: one that goes on in its direction steps further, one that turns
/// back less far (Jacobs, "Increased rates of convergence through learning rate adaptation", 1988), as t-SNE does.
class MomentumSteps {
public:
    MomentumSteps(Index rows, Index columns) : steps_(rows, columns), gains_(steps_.values.size(), 1.0) {}

    /// From now on as if nothing had moved yet.
    void rest();

    /// y moves against `gradient`, and its mean goes back to 0. No point steps further than longest_step: a rate that
    /// is too high for a few points must not throw them out of sight. O(n d).
    void apply(const WideVectors& gradient, const SchedulePhase& phase, WideVectors& y, const RunContext& context);

    /// What it needs to go on with the same bits: arrays "steps" and "gains".
    void save(Archive& archive) const;
    /// Says of a schema that the archive has these, of n rows of d numbers.
    static void describe(ArchiveSchema& schema);
    /// Of an archive of which that is known.
    void restore(const Archive& archive);

    static constexpr double longest_step = 5.0;  // openTSNE's; clusters are some tens across

private:
    void step_row(std::size_t i, const double* gradient, const SchedulePhase& phase);

    WideVectors steps_;
    std::vector<double> gains_;
};

/// Subtracts the mean of the rows.
void centre_rows(WideVectors& y, const RunContext& context);

}  // namespace isogon
