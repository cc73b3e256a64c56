#include "linalg/multi_vector.hpp"

#include "core/parallel.hpp"
#include "core/system_memory.hpp"
#include "linalg/packed_points.hpp"

namespace isogon {

void* aligned_memory(std::size_t bytes) {
    constexpr std::size_t alignment = 64;
    constexpr std::size_t large = std::size_t{1} << 23U;
    // std::aligned_alloc requires whole multiples of the alignment.
    const std::size_t whole = std::max<std::size_t>(1, block_count(bytes, alignment)) * alignment;
    void* memory = std::aligned_alloc(alignment, whole);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    if (whole >= large) {
        request_large_pages(memory, whole);
    }
    return memory;
}

namespace {

/// Numbers from one row to the next.
template <class T>
std::size_t stride_for(Index columns) {
    constexpr std::size_t alignment_floats = 16;
    return std::same_as<T, float> ? block_count(columns, alignment_floats) * alignment_floats : columns;
}

template <class T>
std::size_t allocated_numbers(Index rows, Index columns) {
    return std::size_t{rows} * stride_for<T>(columns) + (std::same_as<T, float> ? panel_width : 0);
}

}  // namespace

template <class T>
MultiVector<T>::MultiVector(Index rows, Index columns)
    : values_(allocated_numbers<T>(rows, columns)), rows_(rows), columns_(columns), stride_(stride_for<T>(columns)) {}

template <class T>
void MultiVector<T>::fill_zero() {
    std::fill_n(values_.data(), std::size_t{rows_} * stride_, T{});
}

template <class T>
std::uint64_t MultiVector<T>::bytes(Index rows, Index columns) {
    return allocated_numbers<T>(rows, columns) * sizeof(T);
}

template class MultiVector<float>;
template class MultiVector<double>;

MultiVector<double> select_columns(const MultiVector<double>& v, std::span<const Index> chosen) {
    MultiVector<double> result(v.rows(), static_cast<Index>(chosen.size()));
    for (std::size_t i = 0; i < v.rows(); ++i) {
        for (std::size_t j = 0; j < chosen.size(); ++j) {
            result.at(i, j) = v.at(i, chosen[j]);
        }
    }
    return result;
}

MultiVector<double> concatenate_columns(std::span<const MultiVector<double>* const> blocks) {
    Index rows = 0;
    Index columns = 0;
    for (const MultiVector<double>* block : blocks) {
        rows = block->columns() == 0 ? rows : block->rows();
        columns += block->columns();
    }
    MultiVector<double> result(rows, columns);
    for (std::size_t i = 0; i < rows; ++i) {
        double* out = result.row(i);
        for (const MultiVector<double>* block : blocks) {
            if (block->columns() > 0) {
                out = std::copy_n(block->row(i), block->columns(), out);
            }
        }
    }
    return result;
}

Points to_points(const MultiVector<double>& v) {
    Points points(v.rows(), v.columns());
    std::transform(v.values().begin(), v.values().end(), points.values().begin(),
                   [](double value) { return static_cast<float>(value); });
    return points;
}

}  // namespace isogon
