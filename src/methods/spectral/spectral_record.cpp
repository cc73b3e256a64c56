#include "methods/spectral/spectral_record.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

/// ", by SLEPc over 4 ranks"
std::string solver_text(const SpectralRanks* ranks) {
    if (ranks == nullptr) {
        return {};
    }
    const std::size_t count = ranks->group().size();
    return ", by " + std::string(ranks->solver()) + " over " + std::to_string(count) +
           (count == 1 ? " rank" : " ranks");
}

}  // namespace

void record_solution(const SpectralSolution& solution, const SpectralRanks* ranks, Summary& summary) {
    const Eigenpairs& pairs = solution.pairs;
    summary.termination = pairs.termination;
    summary.trace = pairs.trace;
    summary.count("iterations", pairs.iterations);
    summary.count("products", pairs.products);
    const double residual = pairs.largest_relative_residual();
    summary.measure("residual", residual);
    for (std::size_t j = 0; j < solution.eigenvalues.size(); ++j) {
        summary.measure("eigenvalue_" + std::to_string(j), solution.eigenvalues[j]);
    }
    summary.message = std::to_string(solution.eigenvalues.size()) + " eigenvectors (" +
                      std::string(name(pairs.method)) + solver_text(ranks) + "), |A x - lambda B x| up to " +
                      to_text(residual) + " of |lambda B x|";
    if (pairs.termination != Termination::Converged) {
        summary.warn("not all eigenvectors have converged: the largest residual is " + to_text(residual) +
                     " of |lambda B x|; raise --iterations or --tolerance, or use --landmarks");
    }
}

void restore_lengths(const PowerOfTwoScaling& unit, Embedding& result) {
    unit.restore(result.coordinates);
    if (result.barycentric_map) {
        unit.restore(result.barycentric_map->coordinates);
    }
    for (auto& [what, value] : result.summary.measures) {
        value *= what.find("eigenvalue") != std::string::npos ? unit.unit() * unit.unit() : 1.0;
        value *= what == "mixture_error" ? unit.unit() : 1.0;
    }
}

namespace {

std::vector<double> eigenvalues_of(const Summary& summary) {
    std::vector<double> values;
    for (const auto& [what, value] : summary.measures) {
        if (what.starts_with("eigenvalue_")) {
            values.push_back(value);
        }
    }
    return values;
}

/// "2 of 5 eigenvalues are below 0.5"; empty if none is.
std::string those_below(double least, const std::vector<double>& values, std::ptrdiff_t& below) {
    below = std::count_if(values.begin(), values.end(), [&](double value) { return value < least; });
    return below == 0 ? std::string()
                      : std::to_string(below) + " of " + std::to_string(values.size()) + " eigenvalues are below " +
                            to_text(OptionValue{least});
}

}  // namespace

void warn_of_mixtures(Index points, const LandmarkOptions* landmarks, Summary& summary) {
    const bool of_landmarks = landmarks != nullptr && landmarks->extension == LandmarkExtension::Weights;
    const double rows = of_landmarks ? landmarks->landmarks : static_cast<double>(points);
    const double missed = summary.value("mixture_error");
    std::ptrdiff_t below = 0;
    const std::string which = those_below(rows * missed * missed, eigenvalues_of(summary), below);
    if (below > 0) {
        summary.warn(which +
                     ", what mixtures of landmarks miss of the points: these directions may be others than those of "
                     "all points; ask for fewer dimensions, raise --landmarks, or take --extension nystrom");
    }
}

void warn_of_rounding(double rounding, Summary& summary) {
    std::ptrdiff_t below = 0;
    const std::string which = those_below(1e3 * rounding, eigenvalues_of(summary), below);
    summary.count("unresolved_directions", static_cast<double>(below));
    if (below > 0) {
        summary.warn(which +
                     ": kernels hold squares, and rounding may change these by more than a thousandth; "
                     "ask for fewer dimensions, or use pca, which keeps short directions beside long ones");
    }
}

}  // namespace isogon
