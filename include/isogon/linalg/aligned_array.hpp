#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace isogon {

/// Numbers at an address that is a multiple of 64 bytes, a cache line and the longest vector register; zero at first.
template <class T>
class AlignedArray {
public:
    AlignedArray() = default;
    /// Throws std::bad_alloc.
    explicit AlignedArray(std::size_t size) : size_(size) {
        // std::aligned_alloc requires whole multiples of the alignment.
        const std::size_t bytes = (size * sizeof(T) + alignment - 1) / alignment * alignment;
        values_.reset(static_cast<T*>(std::aligned_alloc(alignment, std::max(bytes, alignment))));
        if (!values_) {
            throw std::bad_alloc();
        }
        std::fill_n(values_.get(), size, T{});
    }
    AlignedArray(const AlignedArray& other) : AlignedArray(other.size_) { std::copy_n(other.data(), size_, data()); }
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
    static constexpr std::size_t alignment = 64;
    struct Free {
        void operator()(T* memory) const { std::free(memory); }  // NOLINT(*-no-malloc): from std::aligned_alloc
    };

    std::unique_ptr<T[], Free> values_;  // NOLINT(*-avoid-c-arrays): 64-byte aligned, which std::vector is not
    std::size_t size_ = 0;
};

}  // namespace isogon
