#include "linalg/eigenproblem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/elementary.hpp"
#include "isogon/core/error.hpp"
#include "linalg/block_iteration.hpp"
#include "linalg/direct_solution.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "linalg/sparse_algebra.hpp"

namespace isogon {

namespace {

/// Rounding of a product with A, relative to |A|: an eigenvalue below it is zero in float64.
constexpr double float64_rounding = 1e-12;

/// Guard vectors: more make a step dearer, and widen the gap to the remaining spectrum.
Index block_columns(Index size, Index count) {
    constexpr Index least_guard = 8;
    return std::min(size, count + std::max(least_guard, count / 4));
}

/// A, or -A if the largest end is wanted, so that the smallest end is always computed.
FunctionOperator<double> signed_operator(const EigenProblem& problem) {
    const auto apply = [&problem](const MultiVector<double>& in, MultiVector<double>& out, const RunContext& context) {
        problem.a->apply(in, out, context);
        if (problem.end == SpectrumEnd::Largest) {
            std::transform(out.values().begin(), out.values().end(), out.values().begin(), std::negate<>());
        }
    };
    return {problem.a->size(), apply};
}

/// Residuals by products with the vectors as they will be returned.
void check(const EigenProblem& problem, Eigenpairs& pairs, const RunContext& context) {
    const MultiVector<double>& x = pairs.vectors;
    MultiVector<double> product(x.rows(), x.columns());
    problem.a->apply(x, product, context);
    MultiVector<double> image = x;
    if (problem.b != nullptr) {
        problem.b->apply(x, image, context);
    }
    pairs.scales = column_norms(image, context);
    for (std::size_t i = 0; i < x.rows(); ++i) {
        for (std::size_t j = 0; j < x.columns(); ++j) {
            product.at(i, j) -= pairs.values[j] * image.at(i, j);
        }
    }
    pairs.residuals = column_norms(product, context);
}

/// The iterative methods, each used while its convergence is fast enough.
class IterativeSolution {
public:
    IterativeSolution(const EigenProblem& problem, const EigenOptions& options, const RunContext& context)
        : problem_(problem),
          options_(options),
          context_(context),
          a_(signed_operator(problem)),
          block_(a_, problem, block_columns(a_.size() - problem.deflation.columns(), options.count), options, context) {
        if (problem.end == SpectrumEnd::Smallest) {
            bound_ = spectral_bound(a_, options.seed, context);
        }
    }

    [[nodiscard]] Eigenpairs run() {
        choose();
        Eigenpairs pairs{.method = factor_.solver ? factor_.method : method_};
        while (!finished(pairs)) {
            step();
            ++pairs.iterations;
            pairs.trace.push_back({pairs.iterations, block_.largest_relative_residual(), double(block_.found()), 0.0});
            context_.report({"eigenvectors", block_.found(), options_.count, block_.largest_relative_residual()});
            reconsider(pairs);
            pairs.method = factor_.solver ? factor_.method : method_;
        }
        pairs.vectors = leading_columns(block_.vectors(), options_.count);
        pairs.values.assign(block_.values().begin(), block_.values().begin() + options_.count);
        pairs.products = block_.products();
        pairs.size_of_a = block_.size_of_a();
        return pairs;
    }

private:
    static constexpr int filter_degree = 20;
    /// Limit of a sparse elimination: below it, cheaper than the steps that it saves.
    static constexpr double most_operations = 4e9;

    void choose() {
        const bool identity = problem_.b == nullptr;
        const EigenMethod best = identity ? EigenMethod::Filtered : EigenMethod::SparseFactor;
        const EigenMethod requested = options_.method.value_or(best);
        if (problem_.end == SpectrumEnd::Largest) {
            take_factor_of_b();
        } else if (requested == EigenMethod::Filtered && identity) {
            method_ = EigenMethod::Filtered;
        } else if (requested == EigenMethod::SparseFactor) {
            take_sparse_factor();
        }
        const bool last_resort = requested == EigenMethod::SparseFactor && !factor_.solver && !identity;
        if (problem_.end == SpectrumEnd::Smallest && (requested == EigenMethod::DenseFactor || last_resort)) {
            take_dense_factor();
        }
    }

    /// At the largest end B^-1 is a sufficient preconditioner.
    void take_factor_of_b() {
        if (problem_.b_entries && options_.method.value_or(EigenMethod::SparseFactor) != EigenMethod::Krylov) {
            const CsrMatrix<double> b = problem_.b_entries();
            const RunContext rest = beside(context_, b.bytes());
            factor_ = sparse_factor(b, most_operations, rest);
            if (!factor_.solver) {
                factor_ = dense_factor(b, rest);
            }
        }
    }

    /// A + share |A| B; empty if there is not enough memory.
    [[nodiscard]] std::optional<CsrMatrix<double>> shifted_within(double share) const {
        try {
            return shifted_matrix(share);
        } catch (const LimitExceeded&) {
            return std::nullopt;  // the factor is optional: the run continues without it
        }
    }

    void take_sparse_factor() {
        constexpr double shift = 1e-10;
        if (!problem_.a_entries) {
            return;
        }
        if (const auto matrix = shifted_within(shift)) {
            factor_ = sparse_factor(*matrix, most_operations, beside(context_, matrix->bytes()));
        }
    }

    void take_dense_factor() {
        constexpr double least_shift = 1e-6;  // rounding of float32
        constexpr double most_shift = 1e-3;
        constexpr double more = 10.0;
        for (double shift = least_shift; problem_.a_entries && !factor_.solver && shift < most_shift; shift *= more) {
            const auto matrix = shifted_within(shift);
            if (!matrix) {
                return;
            }
            factor_ = dense_factor(*matrix, beside(context_, matrix->bytes()));
        }
    }

    [[nodiscard]] CsrMatrix<double> shifted_matrix(double share) const {
        const CsrMatrix<double> a = problem_.a_entries();
        if (problem_.b == nullptr) {
            return shifted(a, nullptr, share * bound_);
        }
        const CsrMatrix<double> b = problem_.b_entries();
        double trace_a = 0.0;
        double trace_b = 0.0;
        for (Index i = 0; i < a.rows; ++i) {
            trace_a += diagonal(a, i);
            trace_b += diagonal(b, i);
        }
        return shifted(a, &b, share * trace_a / trace_b);
    }

    static double diagonal(const CsrMatrix<double>& matrix, Index i) {
        const auto columns = matrix.row_indices(i);
        const auto place = std::lower_bound(columns.begin(), columns.end(), i);
        return place == columns.end() || *place != i ? 0.0 : matrix.row_values(i)[place - columns.begin()];
    }

    void step() {
        if (!factor_.solver && method_ == EigenMethod::Filtered && !block_.exhausted()) {
            block_.improve_by_filter(filter_degree, bound_);
        } else {
            // Also after a filter whose result is dominated by the leading vectors so that no new direction remains.
            block_.improve(factor_.solver);
        }
    }

    /// The number of further steps, extrapolated from the decrease of the residuals over the last steps.
    [[nodiscard]] static double steps_to_go(const std::vector<IterationRecord>& trace, double tolerance) {
        constexpr std::size_t looked_at = 5;
        const double now = trace.back().objective;
        const double then = trace[trace.size() - looked_at].objective;
        const double fall = elementary::log(then / now) / (looked_at - 1);
        return fall > 0.0 ? elementary::log(now / tolerance) / fall : std::numeric_limits<double>::infinity();
    }

    /// Replaces the filter by a factor if the filter would take longer: the spectrum is then too dense at the wanted
    /// end. Counted in operations, not in seconds, so that every run decides alike.
    void reconsider(const Eigenpairs& pairs) {
        constexpr int patience = 10;  // the decrease of the first residuals is not representative
        constexpr double dense_per_sparse =
            15.0;  // operations that a dense factor does while a sparse product does one
        if (method_ != EigenMethod::Filtered || factor_.solver || options_.method || pairs.iterations < patience ||
            !problem_.a_entries || block_.done() || tried_) {
            return;
        }
        const double size = a_.size();
        const double step = 2.0 * filter_degree * product_entries() * block_.vectors().columns();
        if (steps_to_go(pairs.trace, options_.tolerance) * step < size * size * size / 3.0 / dense_per_sparse) {
            return;
        }
        tried_ = true;
        take_sparse_factor();
        if (!factor_.solver) {
            take_dense_factor();
        }
    }

    [[nodiscard]] double product_entries() {
        if (entries_ == 0.0) {
            entries_ = problem_.product_entries > 0.0 ? problem_.product_entries
                                                      : static_cast<double>(problem_.a_entries().entries());
        }
        return entries_;
    }

    [[nodiscard]] bool finished(Eigenpairs& pairs) {
        if (block_.done()) {
            pairs.termination = Termination::Converged;
            return true;
        }
        if (pairs.iterations >= options_.iterations) {
            pairs.termination = Termination::IterationLimit;
            return true;
        }
        if (block_.exhausted() && (factor_.solver || method_ != EigenMethod::Filtered || exhausted_before_)) {
            pairs.termination = Termination::Stalled;
            return true;
        }
        exhausted_before_ = block_.exhausted();
        if (const auto reason = context_.interruption()) {
            pairs.termination = *reason;
            return true;
        }
        return false;
    }

    const EigenProblem& problem_;
    const EigenOptions& options_;
    const RunContext& context_;
    FunctionOperator<double> a_;
    BlockIteration block_;
    EigenMethod method_ = EigenMethod::Krylov;
    ShiftedFactor factor_{};
    double bound_ = 0.0;
    double entries_ = 0.0;
    bool tried_ = false;
    bool exhausted_before_ = false;
};

bool small(const EigenProblem& problem, const EigenOptions& options) {
    constexpr Index always_dense = 200;
    const Index size = problem.a->size();
    // Dense if the span of block, step and directions is most of the space. For a pencil with entries, a dense
    // solution costs as much as a few steps.
    const bool pencil = problem.b != nullptr && problem.a_entries && problem.b_entries;
    return size <= always_dense || (pencil ? 8 : 4) * block_columns(size, options.count) >= size;
}

}  // namespace

std::string_view name(EigenMethod method) {
    switch (method) {
        case EigenMethod::Dense: return "dense";
        case EigenMethod::Krylov: return "krylov";
        case EigenMethod::Filtered: return "filtered";
        case EigenMethod::SparseFactor: return "sparse-factor";
        case EigenMethod::DenseFactor: return "dense-factor";
    }
    return "";
}

double Eigenpairs::largest_relative_residual() const {
    double largest = 0.0;
    for (std::size_t j = 0; j < residuals.size(); ++j) {
        if (residuals[j] > 0.0) {
            const bool zero = std::abs(values[j]) <= float64_rounding * size_of_a;
            const double value = zero ? size_of_a : std::abs(values[j]);
            largest =
                std::max(largest, residuals[j] / (std::max(value, std::numeric_limits<double>::min()) * scales[j]));
        }
    }
    return largest;
}

void require_count(Index count, Index size, Index deflation) {
    const Index most = size - std::min(deflation, size);
    if (count < 1 || count > most) {
        throw InvalidArgument("count", std::to_string(count),
                              "must be between 1 and " + std::to_string(most) + ", all eigenvectors there are");
    }
}

std::uint64_t eigen_bytes(Index size, Index count) {
    // Block, step and directions: vectors, products and images, and copies of them while they are combined.
    constexpr std::uint64_t blocks = 20;
    return blocks * MultiVector<double>::bytes(size, block_columns(size, count));
}

Eigenpairs solve(const EigenProblem& problem, const EigenOptions& options, const RunContext& context) {
    require_count(options.count, problem.a->size(), problem.deflation.columns());
    require_memory(context, {{"eigenvectors", eigen_bytes(problem.a->size(), options.count)}},
                   "ask for fewer dimensions, or use landmarks");
    throw_if_cancelled(context);
    const bool dense = options.method ? *options.method == EigenMethod::Dense : small(problem, options);
    Eigenpairs pairs;
    if (!dense && options.solver != nullptr && problem.a_entries) {
        pairs = options.solver->solve(problem, options, context);
    } else {
        const RunContext rest = beside(context, eigen_bytes(problem.a->size(), options.count));
        pairs = dense ? solve_dense(problem, options, context) : IterativeSolution(problem, options, rest).run();
        if (problem.end == SpectrumEnd::Largest) {
            std::transform(pairs.values.begin(), pairs.values.end(), pairs.values.begin(), std::negate<>());
        }
    }
    fix_signs(pairs.vectors);
    check(problem, pairs, context);
    return pairs;
}

}  // namespace isogon
