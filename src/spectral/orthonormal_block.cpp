#include "spectral/orthonormal_block.hpp"

#include <algorithm>
#include <cmath>

#include "isogon/linalg/small_eigen.hpp"
#include "isogon/linalg/wide_arithmetic.hpp"

namespace isogon {

namespace {

BlockWithImage with_image(WideVectors vectors, const SymmetricOperator* b, const RunContext& context) {
    BlockWithImage block{std::move(vectors), {}};
    if (b != nullptr && block.vectors.columns > 0) {
        block.image = WideVectors(block.vectors.rows, block.vectors.columns);
        b->apply(block.vectors, block.image, context);
    }
    return block;
}

/// To length 1; columns no longer than `least`, or of what is not a number, stay out.
WideVectors normalised(const WideVectors& w, double least, const RunContext& context) {
    const std::vector<double> lengths = column_lengths(w, context);
    std::vector<Index> kept;
    for (std::size_t j = 0; j < lengths.size(); ++j) {
        if (lengths[j] > least && std::isfinite(lengths[j])) {
            kept.push_back(static_cast<Index>(j));
        }
    }
    WideVectors result = chosen_columns(w, kept);
    for (std::size_t i = 0; i < result.rows; ++i) {
        for (std::size_t j = 0; j < kept.size(); ++j) {
            result.at(i, j) /= lengths[kept[j]];
        }
    }
    return result;
}

void project_out(const std::vector<const BlockWithImage*>& against, WideVectors& w, const RunContext& context) {
    for (const BlockWithImage* basis : against) {
        if (basis->vectors.columns > 0) {
            subtract_combination(basis->vectors, cross_product(basis->through_b(), w, context), w, context);
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

BlockWithImage orthonormal_to(const std::vector<const BlockWithImage*>& against, const WideVectors& w,
                              const SymmetricOperator* b, const RunContext& context) {
    BlockWithImage block{normalised(w, 0.0, context), {}};
    // What is left of a vector that lies almost in the others' span is inexact after one pass, and exact after two; a
    // third makes up for columns that were nearly dependent on each other.
    constexpr int passes = 3;
    constexpr double rounding = 1e-13;  // what is left of a vector of length 1 in the others' span
    for (int pass = 0; pass < passes && block.vectors.columns > 0; ++pass) {
        project_out(against, block.vectors, context);
        const BlockWithImage projected = with_image(normalised(block.vectors, rounding, context), b, context);
        const DenseMatrix gram = cross_product(projected.vectors, projected.through_b(), context);
        block.vectors = combination(projected.vectors, orthonormalising(gram), context);
    }
    return with_image(std::move(block.vectors), b, context);
}

}  // namespace isogon
