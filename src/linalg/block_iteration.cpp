#include "linalg/block_iteration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"

namespace isogon {

namespace {

constexpr std::size_t numbers_in_block = 1 << 14;

/// A block of vectors times a factor.
struct Term {
    const MultiVector<double>& block;
    double factor;
};

/// out := a + b + c, entry by entry; `out` may be one of the blocks.
void add_terms(const Term& a, const Term& b, const Term& c, MultiVector<double>& out, const RunContext& context) {
    parallel_blocks(context, out.values().size(), numbers_in_block, [&](Range range) {
        for (std::size_t k = range.begin; k < range.end; ++k) {
            out.values()[k] =
                a.block.values()[k] * a.factor + b.block.values()[k] * b.factor + c.block.values()[k] * c.factor;
        }
    });
}

}  // namespace

MultiVector<double> chebyshev_filter(const LinearOperator<double>& a, MultiVector<double> x,
                                     const ChebyshevPolynomial& p, const RunContext& context) {
    const double half_width = (p.upper - p.lower) / 2.0;
    const double center = (p.upper + p.lower) / 2.0;
    const double first = half_width / (p.wanted - center);
    double sigma = first;
    MultiVector<double> image(x.rows(), x.columns());
    a.apply(x, image, context);
    MultiVector<double> next(x.rows(), x.columns());
    add_terms({image, sigma / half_width}, {x, -center * sigma / half_width}, {x, 0.0}, next, context);
    for (int step = 2; step <= p.degree; ++step) {
        throw_if_cancelled(context);
        const double following = 1.0 / (2.0 / first - sigma);
        a.apply(next, image, context);
        add_terms({image, 2.0 * following / half_width}, {next, -2.0 * following * center / half_width},
                  {x, -sigma * following}, x, context);
        std::swap(x, next);
        sigma = following;
    }
    return next;
}

double spectral_bound(const LinearOperator<double>& a, std::uint64_t seed, const RunContext& context) {
    constexpr std::size_t most_steps = 12;
    const std::size_t steps = std::min<std::size_t>(most_steps, a.size());
    MultiVector<double> v(a.size(), 1);
    for (Index i = 0; i < a.size(); ++i) {
        v.at(i, 0) = Random(seed, RandomStream::SpectralBound, i).normal();
    }
    const double length = column_norms(v, context)[0];
    for (double& value : v.values()) {
        value /= length;
    }
    MultiVector<double> before(a.size(), 1);
    MultiVector<double> image(a.size(), 1);
    DenseMatrix projected(steps, steps);
    double beta = 0.0;
    for (std::size_t j = 0; j < steps; ++j) {
        a.apply(v, image, context);
        const double alpha = gram(v, image, context)(0, 0);
        projected(j, j) = alpha;
        add_terms({image, 1.0}, {v, -alpha}, {before, -beta}, image, context);
        beta = column_norms(image, context)[0];
        if (j + 1 == steps || !(beta > 0.0)) {
            break;
        }
        projected(j + 1, j) = beta;
        projected(j, j + 1) = beta;
        before = v;
        add_terms({image, 1.0 / beta}, {v, 0.0}, {v, 0.0}, v, context);
    }
    return std::abs(symmetric_eigen(projected, SpectrumOrder::LargestMagnitude).values[0]) + beta;
}

namespace {

BlockWithImage with_image(MultiVector<double> vectors, const LinearOperator<double>* b, const RunContext& context) {
    BlockWithImage block{std::move(vectors), {}};
    if (b != nullptr && block.vectors.columns() > 0) {
        block.image = MultiVector<double>(block.vectors.rows(), block.vectors.columns());
        b->apply(block.vectors, block.image, context);
    }
    return block;
}

/// Normalises columns; those of length at most `least` or not finite are dropped.
MultiVector<double> normalised(const MultiVector<double>& w, double least, const RunContext& context) {
    const std::vector<double> lengths = column_norms(w, context);
    std::vector<Index> kept;
    for (std::size_t j = 0; j < lengths.size(); ++j) {
        if (lengths[j] > least && std::isfinite(lengths[j])) {
            kept.push_back(static_cast<Index>(j));
        }
    }
    MultiVector<double> result = select_columns(w, kept);
    for (std::size_t i = 0; i < result.rows(); ++i) {
        for (std::size_t j = 0; j < kept.size(); ++j) {
            result.at(i, j) /= lengths[kept[j]];
        }
    }
    return result;
}

void project_out(const std::vector<const BlockWithImage*>& against, MultiVector<double>& w, const RunContext& context) {
    for (const BlockWithImage* basis : against) {
        if (basis->vectors.columns() > 0) {
            subtract_product(basis->vectors, gram(basis->through_b(), w, context), w, context);
        }
    }
}

/// The combinations of columns that are orthonormal in the inner product whose Gram matrix is given (Stathopoulos and
/// Wu, "A block orthogonalization procedure with constant synchronization requirements", SISC 2002); those of nearly no
/// length are left out.
DenseMatrix orthonormalising(const DenseMatrix& gram) {
    constexpr double nothing = 1e-13;
    const std::size_t size = gram.rows;
    DenseMatrix scaled(size, size);
    std::vector<double> scale(size, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
        scale[i] = gram(i, i) > 0.0 ? 1.0 / std::sqrt(gram(i, i)) : 0.0;
    }
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
            scaled(i, j) = scale[i] * gram(i, j) * scale[j];
        }
    }
    const SmallEigen eigen = symmetric_eigen(scaled, SpectrumOrder::Largest);
    std::size_t rank = 0;
    while (rank < size && eigen.values[rank] > nothing * eigen.values[0]) {
        ++rank;
    }
    DenseMatrix result(size, rank);
    for (std::size_t j = 0; j < rank; ++j) {
        for (std::size_t i = 0; i < size; ++i) {
            result(i, j) = scale[i] * eigen.vectors(i, j) / std::sqrt(eigen.values[j]);
        }
    }
    return result;
}

}  // namespace

BlockWithImage orthonormal_to(const std::vector<const BlockWithImage*>& against, const MultiVector<double>& w,
                              const LinearOperator<double>* b, const RunContext& context) {
    BlockWithImage block{normalised(w, 0.0, context), {}};
    // The remainder of a vector that lies almost in the span of the others is inexact after one pass and exact after
    // two; a third pass corrects columns that were nearly dependent on each other.
    constexpr int passes = 3;
    constexpr double rounding = 1e-13;  // remainder of a unit vector in the span of the others
    for (int pass = 0; pass < passes && block.vectors.columns() > 0; ++pass) {
        project_out(against, block.vectors, context);
        const BlockWithImage projected = with_image(normalised(block.vectors, rounding, context), b, context);
        const DenseMatrix products = gram(projected.vectors, projected.through_b(), context);
        block.vectors = multiply(projected.vectors, orthonormalising(products), context);
    }
    return with_image(std::move(block.vectors), b, context);
}

namespace {

/// Orthonormal coefficients of the step that leads from the old block to the new one: what `chosen`, the new block's
/// coefficients, has outside the first `kept` basis vectors, made orthogonal to it.
DenseMatrix step_coefficients(const DenseMatrix& chosen, std::size_t kept, const std::vector<Index>& moving,
                              const RunContext& context) {
    const BlockWithImage block{to_multi_vector(chosen), {}};
    MultiVector<double> step = select_columns(block.vectors, moving);
    std::fill_n(step.row(0), kept * step.columns(), 0.0);
    return to_dense(orthonormal_to({&block}, step, nullptr, context).vectors);
}

}  // namespace

BlockIteration::BlockIteration(const LinearOperator<double>& a, const EigenProblem& problem, Index columns,
                               const EigenOptions& options, const RunContext& context)
    : a_(a), b_(problem.b), options_(options), context_(context) {
    if (problem.deflation.columns() > 0) {
        deflation_ = orthonormal_to({}, problem.deflation, b_, context);
    }
    block_ = orthonormal_to({&deflation_}, random_normal(a.size(), columns, options.seed, RandomStream::SpectralStart),
                            b_, context);
    product_ = multiplied(block_.vectors);
    take_directions({});
}

MultiVector<double> BlockIteration::multiplied(const MultiVector<double>& in) {
    MultiVector<double> out(in.rows(), in.columns());
    if (in.columns() > 0) {
        a_.apply(in, out, context_);
        ++products_;
    }
    return out;
}

void BlockIteration::improve(const Preconditioner& preconditioner) {
    const std::vector<Index> moving = unfinished();
    MultiVector<double> directions = select_columns(residual_, moving);
    for (std::size_t i = 0; i < directions.rows(); ++i) {
        for (std::size_t j = 0; j < moving.size(); ++j) {
            directions.at(i, j) /= std::max(residual_lengths_[moving[j]], 1e-300);
        }
    }
    if (preconditioner) {
        preconditioner(directions, context_);
    }
    take_directions(directions);
}

double BlockIteration::cut(double bound) const {
    constexpr double most = 0.9;  // a random start's values may lie anywhere
    return std::min(values_.back(), most * bound);
}

void BlockIteration::improve_by_filter(int degree, double bound) {
    const std::vector<Index> moving = unfinished();
    const ChebyshevPolynomial p{degree, cut(bound), bound, std::min(values_.front(), 0.0)};
    const MultiVector<double> filtered = chebyshev_filter(a_, select_columns(block_.vectors, moving), p, context_);
    products_ += degree;
    take_directions(filtered);
}

/// Rayleigh-Ritz in the span of block, step and directions.
void BlockIteration::take_directions(const MultiVector<double>& directions) {
    const std::vector<Index> moving = values_.empty() ? std::vector<Index>{} : unfinished();
    BlockWithImage added;
    if (directions.columns() > 0) {
        added = orthonormal_to({&deflation_, &block_, &step_}, directions, b_, context_);
        exhausted_ = added.vectors.columns() == 0;
    }
    const MultiVector<double> added_product = multiplied(added.vectors);

    const MultiVector<double> basis =
        concatenate_columns(std::array<const MultiVector<double>*, 3>{&block_.vectors, &step_.vectors, &added.vectors});
    const MultiVector<double> product =
        concatenate_columns(std::array<const MultiVector<double>*, 3>{&product_, &step_product_, &added_product});
    DenseMatrix projected = gram(basis, product, context_);
    symmetrise(projected);
    SmallEigen eigen = symmetric_eigen(projected, SpectrumOrder::Smallest);

    const std::size_t columns = block_.vectors.columns();
    eigen.keep(columns);
    const DenseMatrix& chosen = eigen.vectors;
    const DenseMatrix step = step_coefficients(chosen, columns, moving, context_);
    values_ = eigen.values;
    if (b_ != nullptr) {
        const MultiVector<double> image =
            concatenate_columns(std::array<const MultiVector<double>*, 3>{&block_.image, &step_.image, &added.image});
        block_.image = multiply(image, chosen, context_);
        step_.image = multiply(image, step, context_);
    }
    block_.vectors = multiply(basis, chosen, context_);
    step_.vectors = multiply(basis, step, context_);
    product_ = multiply(product, chosen, context_);
    step_product_ = multiply(product, step, context_);
    measure();
}

void BlockIteration::measure() {
    residual_ = product_;
    const MultiVector<double>& image = block_.through_b();
    for (std::size_t i = 0; i < residual_.rows(); ++i) {
        for (std::size_t j = 0; j < values_.size(); ++j) {
            residual_.at(i, j) -= values_[j] * image.at(i, j);
        }
    }
    residual_lengths_ = column_norms(residual_, context_);
    scales_ = column_norms(image, context_);
    const std::vector<double> lengths = column_norms(product_, context_);
    for (std::size_t j = 0; j < lengths.size(); ++j) {
        size_of_a_ = std::max(size_of_a_, lengths[j] / scales_[j]);
    }
}

double BlockIteration::relative(std::size_t j) const {
    constexpr double rounding = 1e-13;
    if (residual_lengths_[j] == 0.0) {
        return 0.0;
    }
    const double allowed = std::max(options_.tolerance * std::abs(values_[j]), rounding * size_of_a_) * scales_[j];
    return options_.tolerance * residual_lengths_[j] / allowed;
}

Index BlockIteration::found() const {
    Index count = 0;
    while (count < options_.count && relative(count) <= options_.tolerance) {
        ++count;
    }
    return count;
}

double BlockIteration::largest_relative_residual() const {
    double largest = 0.0;
    for (std::size_t j = 0; j < options_.count; ++j) {
        largest = std::max(largest, relative(j));
    }
    return largest;
}

std::vector<Index> BlockIteration::unfinished() const {
    std::vector<Index> columns;
    for (Index j = 0; j < values_.size(); ++j) {
        if (relative(j) > options_.tolerance) {
            columns.push_back(j);
        }
    }
    return columns;
}

}  // namespace isogon
