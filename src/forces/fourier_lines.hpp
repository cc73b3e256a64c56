#pragma once
#include <cstddef>
#include <vector>

namespace isogon {

/// Fourier transforms of several lines at once, side by side, so that the innermost loop runs over lines and the
/// compiler's vectors are full: X_k = sum_t x_t exp(-2 pi i t k / length). Stockham's order, radix 4, 2 and 3: data go
/// back and forth between two arrays, and no reordering is needed (Van Loan, "Computational frameworks for the fast
/// Fourier transform", 1992, section 1.7).
class FourierLines {
public:
    static constexpr std::size_t lanes = 8;

    /// Lengths are those that length_for() gives. O(length) time and memory.
    explicit FourierLines(std::size_t length);

    /// The least length of at least `wanted` that is a power of two, or three times one.
    [[nodiscard]] static std::size_t length_for(std::size_t wanted);

    /// What a transform works in: number t of all lines at real(t), which their imaginary parts follow.
    struct Workspace {
        explicit Workspace(std::size_t length) : values(2 * length * lanes), others(2 * length * lanes) {}
        [[nodiscard]] double* real(std::size_t t) { return values.data() + 2 * t * lanes; }
        [[nodiscard]] double* imaginary(std::size_t t) { return real(t) + lanes; }
        std::vector<double> values;
        std::vector<double> others;
    };

    /// Transforms the workspace's numbers in place. With real and imaginary parts exchanged it is the inverse, times
    /// length. 5 length log2(length) operations a line.
    void transform(Workspace& work) const;

    [[nodiscard]] std::size_t length() const { return length_; }

private:
    std::size_t length_;
    std::vector<std::size_t> radices_;
    std::vector<double> cosines_;  // of -2 pi t / length
    std::vector<double> sines_;
};

}  // namespace isogon
