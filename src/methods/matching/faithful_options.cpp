#include "isogon/methods/faithful.hpp"

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
            .number("threshold", &FaithfulOptions::threshold, {.minimum = 0.0, .maximum = 1.0, .open = true},
                    "cosine above which angles must be kept; auto: the one that 1% of pairs exceed, lower where that "
                    "would leave more than a quarter of the points without a neighbour above it")
            .integer("neighbors", &FaithfulOptions::neighbors, {.minimum = 0},
                     "keep so many nearest neighbours of every point, in their order, by a threshold of each point's "
                     "own; 0: one threshold for all pairs; auto: 12, or 0 where a threshold, weights, start or "
                     "output-for is given")
            .choice(
                "metric", &FaithfulOptions::metric, {{"cosine", Metric::Cosine}, {"euclidean", Metric::Euclidean}},
                "what makes neighbours near; with euclidean their distances are kept instead of angles, and lengths "
                "are not")
            .choice(
                "search", &FaithfulOptions::search,
                {{"auto", SearchKind::Auto}, {"exact", SearchKind::Exact}, {"approximate", SearchKind::Approximate}},
                "how the neighbours of the inputs are found: exact looks at all pairs that bounds leave, "
                "approximate into clusters, for 99% of them; auto: the second where the first takes many minutes")
            .choice(
                "favor", &FaithfulOptions::favor,
                {{"auto", std::nullopt},
                 {"neighbors", Favor::Neighbors},
                 {"balanced", Favor::Balanced},
                 {"angles", Favor::Angles}},
                "what to keep where the dimension is too low for everything: who is near whom, the size of angles, or "
                "both in part; auto: balanced, from 30000 points on neighbors where the dimension is large enough")
            .only_with("metric", {"cosine"})
            .choice("weights", &FaithfulOptions::weights, {{"unit", PairWeights::Unit}, {"norms", PairWeights::Norms}},
                    "unit: every pair counts alike; norms: by the squared lengths of its points, as in tsm")
            .only_with("neighbors", {"auto", "0"})
            .only_with("metric", {"cosine"})
            .number(
                "balance", &FaithfulOptions::off_support_weight, {.minimum = 0.0},
                "weight of pairs that must stay below the threshold against those above it; higher keeps other points "
                "apart; auto: 1, or 0.8 when angles are favoured in too few dimensions")
            .choice("start", &FaithfulOptions::start, {{"svd", FaithfulStart::Svd}, {"tsm", FaithfulStart::Tsm}},
                    "where the descent begins")
            .only_with("neighbors", {"auto", "0"})
            .only_with("metric", {"cosine"})
            .integer("iterations", &FaithfulOptions::iterations, {.minimum = 1},
                     "most updates, besides 30 on the spheres that decide on the form; more lower the residual")
            .number("tolerance", &FaithfulOptions::tolerance, {.minimum = 0.0},
                    "stop when ten updates in a row change the residual by a smaller share; 0: never")
            .choice(
                "output-for", &FaithfulOptions::output,
                {{"cosine", FaithfulOutput::Cosine}, {"inner-product", FaithfulOutput::InnerProduct}},
                "cosine: coordinates of the inputs' lengths; inner-product: one number more, for search engines (see "
                "docs/methods/faithful.md)")
            .only_with("neighbors", {"auto", "0"})
            .only_with("metric", {"cosine"})
            .integer("seed", &FaithfulOptions::seed, {.minimum = 0}, "of the threshold's sample and the start of tsm");
    return table;
}

}  // namespace isogon
