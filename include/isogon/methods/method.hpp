#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/embedding.hpp"

namespace isogon {

struct LandmarkOptions;

/// A method's name and what it can be given, with all that a command line, a Python class or a page needs.
struct MethodDescription {
    std::string name{};    ///< "tsm": what --method takes
    std::string title{};   ///< one line for people
    std::string source{};  ///< the publication it comes from
    std::vector<OptionSpec> options{};
    bool accepts_init = false;         ///< accepts initial coordinates
    bool resumes = false;              ///< writes checkpoints and resumes from one
    bool uses_neighbors = false;       ///< uses neighbour lists, which `extras` may supply
    bool searches_alone = false;       ///< shares none that it searches itself with other fits (FitSeries)
    bool uses_affinities = false;      ///< uses edge weights, which `extras` may supply and receive, like neighbours
    bool uses_labels = false;          ///< uses the points' classes, which `extras` may supply
    bool accepts_precomputed = false;  ///< needs only lists with distances, no points; such a fit has no model
    bool distributes_pairs = false;    ///< takes points that ranks share; every rank gets all coordinates
    bool distributes_graph = false;    ///< its graph can be distributed by rows over the ranks in `extras`
    /// Fits landmarks and extends to all points at once, as spectral methods do. To others methods/landmarks.hpp
    /// applies.
    bool fits_on_landmarks = false;
};

/// What one fit is given. A view: all that it refers to must outlive the fit.
struct FitArguments {
    const DistributedPoints& points;
    const OptionValues& options;  ///< by name; those that are not given have their defaults
    const RunContext& context;
    const FitExtras& extras;
    const LandmarkOptions* landmarks;  ///< null: all points are fitted
};

/// A method of the registry.
class Method : public MethodDescription {
public:
    using Fit = std::function<Embedding(const FitArguments&)>;

    Method(MethodDescription description, Fit fit) : MethodDescription(std::move(description)), fit_(std::move(fit)) {}

    /// Throws InvalidArgument for a bad option or one that the method does not have, InputError for NaN or infinity,
    /// LimitExceeded when the memory limit is too small; all before work starts. `landmarks`: for methods that fit on
    /// them; of `extras` these then take neighbours alone. A method does not look at extras that it has no use for.
    [[nodiscard]] Embedding embed(const DistributedPoints& points, const OptionValues& options,
                                  const RunContext& context = {}, const FitExtras& extras = {},
                                  const LandmarkOptions* landmarks = nullptr) const {
        return fit_({points, options, context, extras, landmarks});
    }

private:
    Fit fit_;
};

}  // namespace isogon
