#pragma once
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/archive_schema.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/forces/force_layout.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// Descent with momentum and a gain for every coordinate: it grows while the steps keep their sign and shrinks when
/// they change it (Jacobs, "Increased rates of convergence through learning rate adaptation", 1988), as t-SNE does.
class MomentumSteps {
public:
    MomentumSteps(Index rows, Index columns) : steps_(rows, columns), gains_(steps_.values().size(), 1.0) {}

    /// Resets momentum and gains.
    void rest();

    /// Moves y against `gradient` and centres it. No point moves further than longest_step, because a learning rate
    /// that is too high for a few points would let these diverge. O(n d).
    void apply(const MultiVector<double>& gradient, const SchedulePhase& phase, MultiVector<double>& y,
               const RunContext& context);

    /// Saves the state: arrays "steps" and "gains". A restored run has the same bits.
    void save(Archive& archive) const;
    /// Adds these arrays to a schema, n rows of d numbers each.
    static void describe(ArchiveSchema& schema);
    /// Of an archive that satisfies the schema.
    void restore(const Archive& archive);

    static constexpr double longest_step = 5.0;  // openTSNE's; clusters are some tens across

private:
    void step_row(std::size_t i, const double* gradient, const SchedulePhase& phase);

    MultiVector<double> steps_;
    std::vector<double> gains_;
};

/// Subtracts the mean of the rows.
void centre_rows(MultiVector<double>& y, const RunContext& context);

}  // namespace isogon
