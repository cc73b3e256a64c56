#include "decomposition/relu_start.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/packed_points.hpp"
#include "linalg/sparse_algebra.hpp"

namespace isogon {

namespace {

/// S + shift on the support: shifted_start approximates this minus the constant shift.
CsrMatrix<double> raised(const CsrMatrix<double>& s, double shift) {
    CsrMatrix<double> result = s;
    for (double& value : result.values) {
        value += shift;
    }
    return result;
}

/// (raised - shift 1 1^T) v
MultiVector<double> shifted_product(const CsrMatrix<double>& raised, double shift, const MultiVector<double>& v,
                                    const RunContext& context) {
    throw_if_cancelled(context);
    MultiVector<double> result(raised.rows, v.columns());
    multiply(raised, v, result, context);
    std::vector<double> sums(v.columns());
    for (Index i = 0; i < v.rows(); ++i) {
        for (Index k = 0; k < v.columns(); ++k) {
            sums[k] += v.at(i, k);
        }
    }
    for (Index i = 0; i < result.rows(); ++i) {
        for (Index k = 0; k < v.columns(); ++k) {
            result.at(i, k) -= shift * sums[k];
        }
    }
    return result;
}

}  // namespace

double mean_positive_entry(const ReluProblem& problem) {
    const auto& values = problem.forward.s.values;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

ReluFactors shifted_start(const ReluProblem& problem, Index rank, double shift, std::uint64_t seed,
                          const RunContext& context) {
    constexpr int rounds = 6;
    constexpr Index guard = 8;
    const CsrMatrix<double> forward = raised(problem.forward.s, shift);
    const CsrMatrix<double> backward = raised(problem.backward.s, shift);
    MultiVector<double> right = with_guard(MultiVector<double>(forward.columns, 0), rank + guard, seed);
    for (int round = 0;; ++round) {
        const MultiVector<double> basis = orthonormal_columns(shifted_product(forward, shift, right, context), context);
        const MultiVector<double> image = shifted_product(backward, shift, basis, context);
        if (round + 1 < rounds) {
            right = orthonormal_columns(image, context);
            continue;
        }
        const SmallEigen eigen = symmetric_eigen(gram(image, image, context), SpectrumOrder::Largest);
        const Index kept = std::min(rank, image.columns());
        return {leading_columns(multiply(basis, eigen.vectors, context), kept),
                leading_columns(multiply(image, eigen.vectors, context), kept)};
    }
}

ReluFactors sparse_start(const ReluProblem& problem, Index rank, std::uint64_t seed, const RunContext& context) {
    constexpr double lengthening = 1.5;
    constexpr int most = 12;
    ReluFactors factors = shifted_start(problem, rank, mean_positive_entry(problem), seed, context);
    const auto wanted = static_cast<double>(problem.forward.s.entries());
    double violations = relu_residuals(problem.forward, factors.left, factors.right, context).violations;
    for (int k = 0; k < most && violations > wanted; ++k) {
        ReluFactors longer = factors;
        for (Index i = 0; i < longer.left.rows(); ++i) {
            longer.left.at(i, 0) *= lengthening;
        }
        const double now = relu_residuals(problem.forward, longer.left, longer.right, context).violations;
        if (now >= violations) {
            break;
        }
        violations = now;
        factors = std::move(longer);
    }
    return factors;
}

ReluFactors random_start(const ReluProblem& problem, Index rank, std::uint64_t seed, const RunContext& context) {
    const Index m = problem.forward.rows();
    ReluFactors factors{random_normal(m, rank, seed, RandomStream::FactorStart),
                        random_normal(problem.forward.columns(), rank, seed, RandomStream::FactorStart, m)};
    // Half of the entries of W H are above zero, with the same mean square as the other half.
    const DenseMatrix left = gram(factors.left, factors.left, context);
    const DenseMatrix right = gram(factors.right, factors.right, context);
    const double squares = 0.5 * std::inner_product(left.values.begin(), left.values.end(), right.values.begin(), 0.0);
    return scaled(std::move(factors), std::sqrt(std::sqrt(problem.squared_norm / squares)));
}

namespace {

/// The rows without their first column, normalised; zero rows stay zero.
MultiVector<double> directions_of(const MultiVector<double>& block) {
    MultiVector<double> result(block.rows(), block.columns() - 1);
    for (Index i = 0; i < block.rows(); ++i) {
        double squares = 0.0;
        for (Index k = 1; k < block.columns(); ++k) {
            squares += block.at(i, k) * block.at(i, k);
        }
        for (Index k = 1; k < block.columns() && squares > 0.0; ++k) {
            result.at(i, k - 1) = block.at(i, k) / std::sqrt(squares);
        }
    }
    return result;
}

/// A row of L: c (cos - tau).
struct Cap {
    double length = 0.0;  ///< c
    double edge = 0.0;    ///< tau
};

/// The cosines of 48 rows with all columns: row i and column j at j * 48 + i.
class Cosines {
public:
    Cosines(const PackedRows& rows, const PackedRows& columns, Index panel)
        : values_(std::size_t{columns.panels()} * panel_width * panel_width) {
        for (Index q = 0; q < columns.panels(); ++q) {
            multiply_panels(columns.panel(q), rows.panel(panel), rows.depth(),
                            values_.data() + std::size_t{q} * panel_width * panel_width, panel_width);
        }
    }

    [[nodiscard]] double at(std::size_t i, std::size_t j) const { return values_.data()[j * panel_width + i]; }

private:
    AlignedArray<double> values_;
};

class SphericalStart {
public:
    SphericalStart(const ReluProblem& problem, const ReluFactors& factors, const RunContext& context)
        : problem_(problem),
          context_(context),
          rows_(directions_of(factors.left)),
          columns_(directions_of(factors.right)) {}

    ReluFactors operator()() {
        const PackedRows rows(rows_, context_);
        const PackedRows columns(columns_, context_);
        ReluFactors result{MultiVector<double>(rows_.rows(), rows_.columns() + 1),
                           MultiVector<double>(columns_.rows(), rows_.columns() + 1)};
        parallel_tasks(context_, rows.panels(), [&](std::size_t panel) {
            throw_if_cancelled_in_task(context_);
            const Cosines cosines(rows, columns, static_cast<Index>(panel));
            const Range range = block_range(panel, rows_.rows(), panel_width);
            for (std::size_t i = range.begin; i < range.end; ++i) {
                const Cap cap = cap_of(static_cast<Index>(i), cosines, i - range.begin);
                set_row(rows_.row(i), cap.length, -cap.length * cap.edge, result.left.row(i));
            }
        });
        for (Index j = 0; j < columns_.rows(); ++j) {
            if (has_entries(j)) {
                set_row(columns_.row(j), 1.0, 1.0, result.right.row(j));
            }
        }
        return result;
    }

private:
    void set_row(const double* direction, double length, double first, double* out) const {
        out[0] = first;
        for (Index k = 0; k < rows_.columns(); ++k) {
            out[k + 1] = length * direction[k];
        }
    }

    [[nodiscard]] bool has_entries(Index column) const { return !problem_.backward.s.row_indices(column).empty(); }

    /// The cosines of row i with all columns whose entries are known and that are not empty.
    [[nodiscard]] std::vector<double> known_cosines(Index i, const Cosines& cosines, std::size_t place) const {
        std::vector<double> known;
        const auto add = [&](Index j) {
            if (has_entries(j)) {
                known.push_back(cosines.at(place, j));
            }
        };
        if (problem_.forward.observed) {
            std::ranges::for_each(problem_.forward.observed->row_indices(i), add);
        } else {
            known.reserve(columns_.rows());
            for (Index j = 0; j < columns_.rows(); ++j) {
                add(j);
            }
        }
        return known;
    }

    [[nodiscard]] Cap cap_of(Index i, const Cosines& cosines, std::size_t place) const {
        const auto support = problem_.forward.s.row_indices(i);
        const auto values = problem_.forward.s.row_values(i);
        std::vector<double> known = known_cosines(i, cosines, place);
        Cap cap{.edge = -1.0};
        if (support.size() < known.size()) {
            const auto next = known.begin() + static_cast<std::ptrdiff_t>(support.size());
            std::ranges::nth_element(known, next, std::greater<>());
            cap.edge = *next;
        }
        double products = 0.0;
        double squares = 0.0;
        double highest = 0.0;
        for (std::size_t k = 0; k < support.size(); ++k) {
            products += values[k] * std::max(0.0, cosines.at(place, support[k]) - cap.edge);
        }
        for (const double cosine : known) {
            const double above = std::max(0.0, cosine - cap.edge);
            squares += above * above;
            highest = std::max(highest, above);
        }
        constexpr double told_apart = 1e-13;  // nearer directions differ by rounding
        cap.length = highest > told_apart ? products / squares : 0.0;
        return cap;
    }

    const ReluProblem& problem_;
    const RunContext& context_;
    MultiVector<double> rows_;
    MultiVector<double> columns_;
};

}  // namespace

std::uint64_t spherical_start_bytes(Index columns, const RunContext& context) {
    const std::uint64_t padded = block_count(columns, panel_width) * panel_width;
    return static_cast<std::uint64_t>(context.thread_count()) * padded * (panel_width + 1) * sizeof(double);
}

ReluFactors spherical_start(const ReluProblem& problem, const ReluFactors& factors, const RunContext& context) {
    return SphericalStart(problem, factors, context)();
}

namespace {

double objective(const ReluProblem& problem, const ReluFactors& factors, const RunContext& context) {
    return relu_residuals(problem.forward, factors.left, factors.right, context).latent_squares;
}

ReluFactors better_start(const ReluProblem& problem, ReluFactors sparse, const RunContext& context) {
    if (sparse.rank() < 2) {
        return sparse;
    }
    ReluFactors spherical = spherical_start(problem, balanced(sparse, context), context);
    const bool nearer = objective(problem, spherical, context) < objective(problem, sparse, context);
    return nearer ? std::move(spherical) : std::move(sparse);
}

}  // namespace

ReluFactors chosen_start(const ReluProblem& problem, const DecomposeOptions& options, const RunContext& context) {
    const auto rank = static_cast<Index>(options.rank);
    const auto sparse = [&] { return sparse_start(problem, rank, options.seed, context); };
    switch (options.start) {
        case ReluStart::Svd: return shifted_start(problem, rank, 0.0, options.seed, context);
        case ReluStart::Nuclear: return nuclear_start(problem, rank, options.seed, context);
        case ReluStart::Random: return random_start(problem, rank, options.seed, context);
        case ReluStart::Shifted: return sparse();
        case ReluStart::Spherical:
            return rank < 2 ? sparse() : spherical_start(problem, balanced(sparse(), context), context);
        case ReluStart::Auto: break;
    }
    return better_start(problem, sparse(), context);
}

}  // namespace isogon
