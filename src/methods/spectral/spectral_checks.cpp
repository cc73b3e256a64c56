#include "methods/spectral/spectral_checks.hpp"

#include <string>

#include "isogon/core/error.hpp"
#include "isogon/linalg/multi_vector.hpp"
#include "methods/spectral/distributed_steps.hpp"

namespace isogon {

void require_spectral_landmarks(const LandmarkOptions& options, Index points, Index dimension) {
    landmark_option_table().validate(options);
    if (options.extension == LandmarkExtension::Placement || options.extension == LandmarkExtension::Llx) {
        throw InvalidArgument("extension", options.extension == LandmarkExtension::Llx ? "llx" : "placement",
                              "belongs to faithful and tsm; spectral methods have lll, weights and nystrom");
    }
    const auto landmarks = static_cast<std::int64_t>(options.landmarks);
    if (landmarks <= std::int64_t{dimension} + 1 || landmarks >= std::int64_t{points}) {
        throw InvalidArgument("landmarks", std::to_string(landmarks),
                              "must be above " + std::to_string(dimension + 1) + ", the dimension and one, and below " +
                                  std::to_string(points) + ", the number of points; leave it out for an exact fit");
    }
    if (options.neighbors == 1 || options.neighbors > landmarks) {
        throw InvalidArgument("extension-neighbors", std::to_string(options.neighbors),
                              "must be at least 2 and at most " + std::to_string(landmarks) + ", the landmarks");
    }
}

namespace {

constexpr const char* less_memory = "raise the limit, or take fewer neighbors or fewer landmarks";

/// Of `points`, those of this process, before the search for neighbours, which may take most of the time: what the
/// problem takes while it is made, then while it is solved.
void state_exact(const ProblemBytes& problem, Index points, const SpectralRun& run, const RunContext& context) {
    require_memory(context, {{"the graph", problem.made}}, "raise the limit, or take fewer neighbors");
    require_memory(context,
                   {{"the problem of all points", problem.held}, {"eigenvectors", eigen_bytes(points, run.dimension)}},
                   "ask for fewer dimensions, or use landmarks");
}

/// The same where the problem of all points is made and then becomes one of landmarks.
void state_on_landmarks(const ProblemBytes& problem, Index points, const SpectralRun& run, const RunContext& context) {
    const auto wished = static_cast<Index>(run.landmarks->neighbors);
    const Index neighbors = wished == 0 ? run.dimension + 1 : wished;
    const std::uint64_t weights = std::uint64_t{points} * neighbors * (sizeof(Index) + sizeof(double));
    require_memory(context, {{"weights of landmarks", weights}, {"the graph", problem.made}}, less_memory);
    require_memory(context,
                   {{"weights of landmarks", weights},
                    {"the problem of all points", problem.held},
                    {"coordinates", MultiVector<double>::bytes(points, run.dimension)}},
                   less_memory);
}

}  // namespace

void state_spectral(const SpectralFamily& family, const SpectralRun& run, const RunContext& context) {
    const bool exact = run.landmarks == nullptr;
    const LandmarkExtension way = exact ? LandmarkExtension::Auto : run.landmarks->extension;
    const auto own = static_cast<Index>(own_rows(run.points.count, run.ranks).size());
    const std::size_t parts = run.ranks == nullptr ? 1 : run.ranks->group().size();
    const ProblemBytes whole = family.bytes();
    const ProblemBytes problem{whole.made / parts, whole.held / parts};
    if (exact) {
        state_exact(problem, own, run, context);
    } else if (way == LandmarkExtension::Auto || way == LandmarkExtension::Lll) {
        state_on_landmarks(problem, own, run, context);
    }
}

}  // namespace isogon
