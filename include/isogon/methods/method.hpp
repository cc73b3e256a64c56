#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/transform/new_point_map.hpp"

// A method: what it is given, what it can be given, and its result.
namespace isogon {

/// The result of every method: one row of coordinates for each input row, in the same order, and how the run went.
/// The coordinates never hold NaN. They are empty when the run ended before there were any.
struct Embedding {
    Points coordinates;
    Summary summary;
    OptionValues options;  ///< every option as it was used, "auto" ones as chosen from the data
    /// The map from inputs to coordinates, for linear methods: "directions" (D, d), "center" (D), "centered" (), "unit"
    /// ().
    std::map<std::string, Array, std::less<>> linear_map{};
    /// For spectral and semidefinite methods, pca-forces, pca2 and lle2.
    std::optional<BarycentricMap> barycentric_map{};
    /// For faithful by distance: the data by which new points are placed (local_placement_of()).
    std::optional<LocalPlacement> local_placement{};
    /// For faithful with its own neighbours: the share of them that the coordinates keep, point by point; none after an
    /// interruption.
    std::optional<KeptNeighbors> kept{};
    /// For nmf: the parts of which points are mixed, "parts" (d, D).
    std::map<std::string, Array, std::less<>> nonnegative_map{};
};

struct LandmarkOptions;
class EigenSolver;
class SharedSteps;
class SpectralRanks;

/// Optional inputs and outputs of a fit besides its options: start, checkpoints, neighbours, edge weights.
/// Nothing here is copied: what views and pointers refer to must outlive the fit, and is not changed by it; functions
/// are called during the fit only, from the thread that called the method, and what they are passed lives until they
/// return.
struct FitExtras {
    /// Coordinates to start from, n x d, in the unit of the coordinates that the method returns; for methods with
    /// `accepts_partial_init` rows may be NaN throughout, which start among their neighbours. Empty: as the options
    /// say.
    PointsView start{};
    /// A checkpoint of the same method, options and input: the run goes on to the same bits. Null: from the start.
    const Archive* resume = nullptr;
    /// Receives a checkpoint at intervals, and when the context ends a run. Empty: none is made.
    std::function<void(const Archive&)> checkpoint{};
    /// Least time between two checkpoints, in seconds. 0: as often as the method can. A minute: what a crash may cost,
    /// while writing stays a small share of the time.
    double checkpoint_seconds = 60.0;
    /// The user's own neighbours, for methods that start from such. Null: they are searched. With distances they are
    /// all that methods with `accepts_precomputed` need: points are then a view of n rows of no numbers.
    const NeighborLists* neighbors = nullptr;
    /// The inputs as a sparse matrix, for methods with `accepts_sparse`: points are then a view of as many rows of no
    /// numbers. Null: points are the inputs.
    const CsrMatrix<double>* sparse = nullptr;
    /// Of a graph alone: gives the leading principal components of the inputs that it is of, from which a start by pca
    /// is made. Empty: there is no such start.
    std::function<PointsView()> components{};
    /// The user's own edge weights (require_affinities() of graph/affinities.hpp), for methods with `uses_affinities`:
    /// no neighbours are searched, and options about the weighting are refused. Null: weights are made of neighbours.
    const CsrMatrix<double>* affinities = nullptr;
    /// For methods with `uses_labels`: a class for each point, below 0 for unknown, that draws points of one class
    /// together. Empty: the points alone count.
    std::span<const std::int64_t> labels{};
    /// For the same methods, in place of labels: a row of numbers for each point, NaN where unknown, that draws points
    /// with near ones together.
    PointsView targets{};
    /// For spectral methods: steps that fits of the same points have in common, which the fit reads and adds to; set by
    /// sweep() and FitSeries. Null: the fit shares nothing.
    SharedSteps* shared = nullptr;
    /// For laplacian and lle: the solver of large eigenproblems. Null: the library's own.
    const EigenSolver* eigen_solver = nullptr;
    /// For methods that divide (registry.hpp): the ranks that share one fit, graph and matrices divided by rows; all of
    /// them make the same call, and `neighbors` are then those of the own points. Null: one process.
    const SpectralRanks* ranks = nullptr;
};

/// A method's name and what it can be given, with all that a command line, a Python class or a page needs.
struct MethodDescription {
    std::string name{};    ///< "tsm": what --method takes
    std::string title{};   ///< one line for people
    std::string source{};  ///< the publication it comes from
    std::vector<OptionSpec> options{};
    bool accepts_init = false;          ///< accepts initial coordinates
    bool accepts_partial_init = false;  ///< accepts them of some points alone
    bool resumes = false;               ///< writes checkpoints and resumes from one
    bool uses_neighbors = false;        ///< uses neighbour lists, which `extras` may supply
    bool searches_alone = false;        ///< shares none that it searches itself with other fits (FitSeries)
    bool uses_affinities = false;       ///< uses edge weights, which `extras` may supply
    bool uses_labels = false;           ///< uses the points' classes or targets, which `extras` may supply
    bool accepts_precomputed = false;   ///< needs only lists with distances, no points; such a fit has no model
    bool accepts_sparse = false;        ///< takes inputs as a sparse matrix
    bool distributes_pairs = false;     ///< takes points that ranks share; every rank gets all coordinates
    bool distributes_graph = false;     ///< its graph can be distributed by rows over the ranks in `extras`
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

    [[nodiscard]] const MethodDescription& description() const { return *this; }

    /// Throws InvalidArgument for a bad option or one that the method does not have, InputError for NaN or infinity,
    /// LimitExceeded when the memory limit is too small; all before work starts. `landmarks`: for methods that fit on
    /// them; of `extras` these then take neighbours alone. A method does not look at extras that it has no use for.
    [[nodiscard]] Embedding embed(const DistributedPoints& points, const OptionValues& values,
                                  const RunContext& context = {}, const FitExtras& extras = {},
                                  const LandmarkOptions* landmarks = nullptr) const {
        return fit_({points, values, context, extras, landmarks});
    }

private:
    Fit fit_;
};

}  // namespace isogon
