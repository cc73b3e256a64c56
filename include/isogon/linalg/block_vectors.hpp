#pragma once
#include <memory>
#include <span>

#include "isogon/core/points.hpp"

namespace isogon {

/// A block of `columns` tall vectors of `rows` floats, stored row by row: row i lies contiguous and 64-byte aligned,
/// and is padded with zeros to a multiple of 16 floats, so that kernels read whole vectors. One more panel of floats is
/// allocated at the end, so that a kernel may read 48 columns from anywhere in the block.
class BlockVectors {
public:
    BlockVectors() = default;
    BlockVectors(Index rows, Index columns);
    BlockVectors(const BlockVectors& other);
    BlockVectors& operator=(const BlockVectors& other);
    BlockVectors(BlockVectors&&) noexcept = default;
    BlockVectors& operator=(BlockVectors&&) noexcept = default;
    ~BlockVectors() = default;

    [[nodiscard]] Index rows() const { return rows_; }
    [[nodiscard]] Index columns() const { return columns_; }
    [[nodiscard]] std::size_t stride() const { return stride_; }
    [[nodiscard]] float* row(std::size_t i) { return values_.get() + i * stride_; }
    [[nodiscard]] const float* row(std::size_t i) const { return values_.get() + i * stride_; }
    [[nodiscard]] PointsView view() const { return {values_.get(), rows_, columns_, stride_}; }
    void fill_zero();
    [[nodiscard]] static std::uint64_t bytes(Index rows, Index columns);

private:
    struct Free {
        void operator()(float* memory) const;
    };

    std::unique_ptr<float[], Free> values_;  // NOLINT(*-avoid-c-arrays): 64-byte aligned, which std::vector is not
    Index rows_ = 0;
    Index columns_ = 0;
    std::size_t stride_ = 0;
};

}  // namespace isogon
