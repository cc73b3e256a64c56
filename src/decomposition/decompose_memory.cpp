#include "decomposition/relu_problem.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "decomposition/completion.hpp"
#include "decomposition/gauss_newton.hpp"
#include "decomposition/relu_start.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

namespace {

/// ReluHistory::Auto stores m x n arrays where one has at most so many times the entries of S.
constexpr double dense_enough = 8.0;
/// The largest active set of Gauss-Newton, as a multiple of the entries of S. With 3 the violations on the path to a
/// 1% dense matrix of rank 32 did not fit, and the steps became tiny.
constexpr double active_share = 6.0;

int stored_arrays(const DecompositionSize& size, const DecomposeOptions& options) {
    if (!is_recursive(size, options.history)) {
        return 0;
    }
    switch (options.algorithm) {
        case ReluAlgorithm::Alternating:
        case ReluAlgorithm::Em: return 1;
        case ReluAlgorithm::Momentum:
        case ReluAlgorithm::AdaptiveMomentum: return 4;
        case ReluAlgorithm::ThreeBlock:
        case ReluAlgorithm::Tikhonov: return 2;
        default: return 0;
    }
}

}  // namespace

DecompositionSize size_of(const ReluProblem& problem) {
    const ReluSide& side = problem.forward;
    return {side.rows(), side.columns(), side.s.entries(), side.observed ? side.observed->entries() : 0};
}

bool is_recursive(const DecompositionSize& size, ReluHistory history) {
    const bool dense = size.all() <= dense_enough * static_cast<double>(size.entries);
    return history == ReluHistory::Recursive || (history == ReluHistory::Auto && dense);
}

Offset active_capacity(const DecompositionSize& size) {
    constexpr double least = 1e6;
    return static_cast<Offset>(std::min(size.all(), active_share * static_cast<double>(size.entries) + least));
}

void state_memory(const DecompositionSize& size, const DecomposeOptions& options, bool starts,
                  const RunContext& context) {
    const auto rank = static_cast<Index>(options.rank);
    constexpr std::uint64_t bytes_an_entry = 12;
    const std::uint64_t offsets = 2 * sizeof(Offset) * (std::uint64_t{size.rows} + size.columns);
    const std::uint64_t block =
        MultiVector<double>::bytes(size.rows, rank + 8) + MultiVector<double>::bytes(size.columns, rank + 8);
    std::vector<MemoryItem> items{{"S, both ways round", 2 * bytes_an_entry * size.entries + offsets},
                                  {"which entries are known", 2 * bytes_an_entry * size.known},
                                  {"factors and products", 8 * block}};
    if (options.algorithm == ReluAlgorithm::GaussNewton) {
        constexpr std::uint64_t bytes_while_made = 12;
        items.push_back({"the entries that count", bytes_while_made * active_capacity(size)});
        items.push_back({"the normal equations", NormalEquations::bytes(size.rows, size.columns, rank)});
    } else if (starts) {
        items.push_back({"S as the start wants it", 2 * bytes_an_entry * size.entries + offsets});
    }
    if (const int arrays = stored_arrays(size, options); arrays > 0) {
        items.push_back({"Z as an m x n array, and what it was", arrays * TileArray::bytes(size.rows, size.columns)});
    }
    if (starts && (options.start == ReluStart::Auto || options.start == ReluStart::Spherical)) {
        items.push_back({"rows of cosines, on each thread", spherical_start_bytes(size.columns, context)});
    }
    if (starts && options.start == ReluStart::Nuclear) {
        items.push_back({"the nuclear start's dense arrays", nuclear_start_bytes(size.rows, size.columns)});
    }
    require_memory(context, items, "raise the limit, or choose a smaller rank, history last-two or start shifted");
}

}  // namespace isogon
