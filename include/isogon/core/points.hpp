#pragma once
#include <span>
#include <utility>
#include <vector>

#include "isogon/core/types.hpp"

namespace isogon {

/// A read-only view of `count` points of `dimension` floats each. Point i is contiguous and begins at data + i * stride
/// (numpy's C order), so arrays from Python and memory-mapped .npy files pass without a copy. The view does not own the
/// memory, which must outlive it.
struct PointsView {
    const float* data = nullptr;
    Index count = 0;
    Index dimension = 0;
    std::size_t stride = 0;  ///< floats from the start of one point to the start of the next

    PointsView() = default;
    PointsView(const float* first, Index n, Index d) : PointsView(first, n, d, d) {}
    PointsView(const float* first, Index n, Index d, std::size_t step)
        : data(first), count(n), dimension(d), stride(step) {}

    [[nodiscard]] std::span<const float> operator[](Index i) const { return {data + i * stride, dimension}; }
    [[nodiscard]] bool empty() const { return count == 0 || dimension == 0; }
};

/// Points that own their memory: `count` rows of `dimension` floats, dense, zero at the start.
class Points {
public:
    Points() = default;
    Points(Index count, Index dimension)
        : values_(std::size_t{count} * dimension), count_(count), dimension_(dimension) {}

    [[nodiscard]] Index count() const { return count_; }
    [[nodiscard]] Index dimension() const { return dimension_; }
    [[nodiscard]] bool empty() const { return values_.empty(); }
    [[nodiscard]] std::span<float> operator[](Index i) { return {values_.data() + start(i), dimension_}; }
    [[nodiscard]] std::span<const float> operator[](Index i) const { return {values_.data() + start(i), dimension_}; }
    [[nodiscard]] std::span<float> values() & { return values_; }
    [[nodiscard]] std::span<const float> values() const& { return values_; }
    /// Of points that are about to go: their memory itself, so that `for (float v : fit().coordinates.values())`, whose
    /// temporary ends before the loop begins, reads what still lives.
    [[nodiscard]] std::vector<float> values() && { return std::move(values_); }
    [[nodiscard]] PointsView view() const { return {values_.data(), count_, dimension_}; }

private:
    [[nodiscard]] std::size_t start(Index i) const { return std::size_t{i} * dimension_; }

    std::vector<float> values_;
    Index count_ = 0;
    Index dimension_ = 0;
};

/// Throws InputError that names the first row and column (both counted from 0) that hold NaN or infinity.
/// `source` is what the message calls the data, a file's name for instance, and `first` the number of its first row
/// there. O(n D) time, no memory.
void require_finite(const PointsView& points, const char* source, Index first = 0);

/// The first row that holds NaN or infinity; the number of rows if none does. O(n D) time.
[[nodiscard]] Index first_row_not_finite(const PointsView& points);

/// Euclidean length of every point, summed in float64. Zero exactly for zero vectors. O(n D) time, O(n) memory.
[[nodiscard]] std::vector<double> norms(const PointsView& points);

}  // namespace isogon
