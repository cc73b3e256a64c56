#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "isogon/core/points.hpp"

// Blocks of vectors, and the aligned memory that they and other operands of vector instructions lie in.
namespace isogon {

/// Memory at an address that is a multiple of 64 bytes, a cache line and the longest vector register, to be given to
/// std::free. Large blocks get pages of 2 MB where the system has them on request: a look at rows all over a block
/// then seldom waits for the address of a page. Throws std::bad_alloc.
[[nodiscard]] void* aligned_memory(std::size_t bytes);

/// Numbers in aligned_memory(); zero at first.
template <class T>
class AlignedArray {
public:
    AlignedArray() = default;
    /// Throws std::bad_alloc.
    explicit AlignedArray(std::size_t size) : values_(static_cast<T*>(aligned_memory(size * sizeof(T)))), size_(size) {
        std::uninitialized_fill_n(values_.get(), size, T{});
    }
    AlignedArray(const AlignedArray& other)
        : values_(static_cast<T*>(aligned_memory(other.size_ * sizeof(T)))), size_(other.size_) {
        std::uninitialized_copy_n(other.data(), size_, data());
    }
    AlignedArray& operator=(const AlignedArray& other) {
        if (this != &other) {
            *this = AlignedArray(other);
        }
        return *this;
    }
    AlignedArray(AlignedArray&&) noexcept = default;
    AlignedArray& operator=(AlignedArray&&) noexcept = default;
    ~AlignedArray() = default;

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T* data() { return values_.get(); }
    [[nodiscard]] const T* data() const { return values_.get(); }

private:
    struct Free {
        void operator()(T* memory) const { std::free(memory); }  // NOLINT(*-no-malloc): aligned_memory() says so
    };

    std::unique_ptr<T[], Free> values_;  // NOLINT(*-avoid-c-arrays): 64-byte aligned, which std::vector is not
    std::size_t size_ = 0;
};

/// A block of `columns` tall vectors of `rows` numbers each, stored row by row. float32 suffices for a precision of
/// 1e-6; float64, at twice the bytes, is for eigenproblems whose wanted eigenvalues are a millionth of the largest.
///
/// The layouts differ, as their kernels do. float32: row i lies 64-byte aligned and is padded with zeros to a
/// multiple of 16 floats, so that kernels read whole vectors; one more panel of floats is allocated at the end, so
/// that a kernel may read 48 columns from anywhere in the block. float64: rows lie without gaps in a std::vector,
/// which Eigen reads as one matrix, and which archives and arrays of NumPy take and give without a copy.
template <class T>
class MultiVector {
    static_assert(std::same_as<T, float> || std::same_as<T, double>);

public:
    using Values = std::conditional_t<std::same_as<T, float>, AlignedArray<float>, std::vector<double>>;

    MultiVector() = default;
    /// All zero.
    MultiVector(Index rows, Index columns);
    /// Takes these numbers, row after row. A template, like view(), because an explicit instantiation has all other
    /// members.
    template <class Number = T>
    requires std::same_as<Number, double> MultiVector(Index rows, Index columns, std::vector<Number> values)
        : values_(std::move(values)), rows_(rows), columns_(columns), stride_(columns) {}

    [[nodiscard]] Index rows() const { return rows_; }
    [[nodiscard]] Index columns() const { return columns_; }
    /// Numbers from one row to the next; in float64 the number of columns.
    [[nodiscard]] std::size_t stride() const { return stride_; }
    [[nodiscard]] T* row(std::size_t i) { return values_.data() + i * stride_; }
    [[nodiscard]] const T* row(std::size_t i) const { return values_.data() + i * stride_; }
    [[nodiscard]] T& at(std::size_t i, std::size_t j) { return row(i)[j]; }
    [[nodiscard]] T at(std::size_t i, std::size_t j) const { return row(i)[j]; }
    /// All numbers, row after row, with the padding of float32. Their count must stay.
    [[nodiscard]] Values& values() { return values_; }
    [[nodiscard]] const Values& values() const { return values_; }
    template <class Number = T>
    requires std::same_as<Number, float>
    [[nodiscard]] PointsView view() const { return {values_.data(), rows_, columns_, stride_}; }
    void fill_zero();
    [[nodiscard]] static std::uint64_t bytes(Index rows, Index columns);

private:
    Values values_{};
    Index rows_ = 0;
    Index columns_ = 0;
    std::size_t stride_ = 0;
};

extern template class MultiVector<float>;
extern template class MultiVector<double>;

/// The columns that `chosen` lists, in that order.
[[nodiscard]] MultiVector<double> select_columns(const MultiVector<double>& v, std::span<const Index> chosen);

/// The columns of all blocks side by side; blocks without columns may have any number of rows.
[[nodiscard]] MultiVector<double> concatenate_columns(std::span<const MultiVector<double>* const> blocks);

/// The rows as points, rounded to float32.
[[nodiscard]] Points to_points(const MultiVector<double>& v);

}  // namespace isogon
