#pragma once
#include <optional>
#include <vector>

#include "isogon/core/types.hpp"

namespace isogon {

/// Some iterations in which everything is done alike.
struct SchedulePhase {
    int iterations = 0;
    double exaggeration = 1.0;   ///< by which attraction is multiplied; above 1, clusters pull together and can pass
    double momentum = 0.8;       ///< of the last step, which goes into the next
    double learning_rate = 1.0;  ///< of steps, against a quarter of the gradient
};

/// What a descent does when. A phase begins at rest.
struct Schedule {
    std::vector<SchedulePhase> phases{};

    [[nodiscard]] int iterations() const;
    /// The phase that iteration `iteration` (from 0) belongs to, by its place; the last one beyond the end.
    [[nodiscard]] std::size_t phase_at(int iteration) const;
};

struct ScheduleOptions {
    int iterations = 750;                   ///< of which a third, but no more than 250, are exaggerated
    double exaggeration = 12.0;             ///< of the first phase
    std::optional<double> learning_rate{};  ///< empty: n / exaggeration of each phase
};

/// t-SNE's: exaggerated at momentum 0.5, then not at 0.8 (van der Maaten and Hinton 2008). The learning rate of n /
/// exaggeration makes a step of about the distance to the neighbours' mean, for any n (Belkina et al., Nature
/// Communications 2019, for the first phase).
[[nodiscard]] Schedule tsne_schedule(Index points, const ScheduleOptions& options = {});

}  // namespace isogon
