#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/embedding.hpp"

namespace isogon {

struct LandmarkOptions;

/// A method by name, with everything that a command line, a Python class or a page of documentation needs.
struct Method {
    std::string name{};    ///< "tsm": what --method takes
    std::string title{};   ///< one line for people
    std::string source{};  ///< the publication it comes from
    std::vector<OptionSpec> options{};
    /// Throws InvalidArgument for a bad option or one that the method does not have, InputError for NaN or infinity,
    /// LimitExceeded when the memory limit is too small; all before work starts.
    std::function<Embedding(const PointsView&, const OptionValues&, const RunContext&)> embed{};
    /// The same for methods that can be given more: a start (`accepts_init`), a checkpoint (`resumes`), neighbours
    /// (`uses_neighbors`).
    std::function<Embedding(const PointsView&, const OptionValues&, const RunContext&, const FitExtras&)> embed_with{};
    /// Fits landmarks and extends to all points at once; takes only neighbours from `extras`. Spectral methods have it.
    /// Empty for others, to which methods/landmarks.hpp applies.
    std::function<Embedding(const PointsView&, const OptionValues&, const LandmarkOptions&, const RunContext&,
                            const FitExtras&)>
        embed_on_landmarks{};
    /// Fits points that several processes share (DistributedPoints). Every rank gets all coordinates. Empty for methods
    /// that cannot share.
    std::function<Embedding(const DistributedPoints&, const OptionValues&, const RunContext&, const FitExtras&)>
        embed_distributed{};
    bool accepts_init = false;         ///< accepts initial coordinates
    bool resumes = false;              ///< writes checkpoints and resumes from one
    bool uses_neighbors = false;       ///< uses neighbour lists, which `extras` may supply
    bool searches_alone = false;       ///< shares none that it searches itself with other fits (FitSeries)
    bool uses_affinities = false;      ///< uses edge weights, which `extras` may supply and receive, like neighbours
    bool uses_labels = false;          ///< uses the points' classes, which `extras` may supply
    bool accepts_precomputed = false;  ///< needs only lists with distances, no points; such a fit has no model
    bool distributes_pairs = false;    ///< its pairs can be distributed over ranks
    bool distributes_graph = false;    ///< its graph can be distributed by rows over the ranks in `extras`
};

/// All methods, in the order in which they should be listed.
[[nodiscard]] const std::vector<Method>& methods();

/// The method of that name; throws InvalidArgument listing the names there are.
[[nodiscard]] const Method& find_method(std::string_view name);

}  // namespace isogon
