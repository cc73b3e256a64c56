#include "isogon/faithful/faithful.hpp"
#include "methods/neighbor_metrics.hpp"

namespace isogon {

const OptionTable<FaithfulOptions>& faithful_option_table() {
    static const OptionTable<FaithfulOptions> table =
        OptionTable<FaithfulOptions>()
            .integer("dimension", &FaithfulOptions::dimension, {.minimum = 1},
                     "numbers for each point; higher keeps more; auto: the fewest that keep a share recall of all "
                     "neighbours")
            .number("recall", &FaithfulOptions::recall, {.minimum = 0.0, .maximum = 1.0, .open = true},
                    "share of all nearest neighbours to keep; more needs more numbers for each point")
            .only_with("dimension", {"auto"})
            .integer("neighbors", &FaithfulOptions::neighbors, {.minimum = 1},
                     "keep so many nearest neighbours of every point; auto: 12")
            .choice("metric", &FaithfulOptions::metric, neighbor_metric_choices(true), neighbor_metrics_or_table_help)
            .integer("iterations", &FaithfulOptions::iterations, {.minimum = 1},
                     "most updates of the first stage, twice as many where its residual still falls fast")
            .number("tolerance", &FaithfulOptions::tolerance, {.minimum = 0.0},
                    "robust stages end when ten updates in a row change the residual by a smaller share, squares by "
                    "four times "
                    "that; 0: never")
            .integer("seed", &FaithfulOptions::seed, {.minimum = 0}, "of samples and of the layout at low dimensions");
    return table;
}

}  // namespace isogon
