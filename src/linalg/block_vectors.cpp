#include "isogon/linalg/block_vectors.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/panel_product.hpp"

namespace isogon {

namespace {

constexpr std::size_t alignment_floats = 16;

std::size_t padded(Index columns) {
    return block_count(columns, alignment_floats) * alignment_floats;
}

std::size_t allocated_floats(Index rows, Index columns) {
    return std::size_t{rows} * padded(columns) + panel_width;
}

}  // namespace

void BlockVectors::Free::operator()(float* memory) const {
    std::free(memory);  // NOLINT(*-no-malloc): from std::aligned_alloc
}

std::uint64_t BlockVectors::bytes(Index rows, Index columns) {
    return allocated_floats(rows, columns) * sizeof(float);
}

BlockVectors::BlockVectors(Index rows, Index columns) : rows_(rows), columns_(columns), stride_(padded(columns)) {
    const std::size_t size = allocated_floats(rows, columns);
    values_.reset(static_cast<float*>(std::aligned_alloc(alignment_floats * sizeof(float), size * sizeof(float))));
    if (!values_) {
        throw std::bad_alloc();
    }
    std::fill_n(values_.get(), size, 0.0F);
}

BlockVectors::BlockVectors(const BlockVectors& other) : BlockVectors(other.rows_, other.columns_) {
    std::copy_n(other.values_.get(), std::size_t{rows_} * stride_, values_.get());
}

BlockVectors& BlockVectors::operator=(const BlockVectors& other) {
    if (this != &other) {
        *this = BlockVectors(other);
    }
    return *this;
}

void BlockVectors::fill_zero() {
    std::fill_n(values_.get(), std::size_t{rows_} * stride_, 0.0F);
}

}  // namespace isogon
