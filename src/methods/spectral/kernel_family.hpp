#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "linalg/dense_matrix.hpp"
#include "methods/spectral/spectral_family.hpp"
#include "spectral/dense_kernel.hpp"

namespace isogon {

/// The methods that diagonalise a centred kernel of all pairs: max tr(X^T J K J X) subject to X^T X = I, scaled by the
/// roots of eigenvalues. What they differ in is K.
class KernelFamily : public SpectralFamily {
public:
    /// `reduced`: only ever solved on landmarks, for which K need not be kept.
    explicit KernelFamily(bool reduced) : reduced_(reduced) {}

    [[nodiscard]] SpectralProblem whole(Summary& summary, const RunContext& context) override;
    [[nodiscard]] SpectralProblem among(const std::vector<Index>& landmarks, Summary& summary,
                                        const RunContext& context) override;
    /// x(y) = sum over landmarks l of (K(y, l) - m_l) x_l / lambda, with m_l the mean of K(., l) over landmarks: what
    /// landmark MDS (de Silva and Tenenbaum, "Sparse multidimensional scaling using landmark points", 2004) and kernel
    /// PCA do with new points.
    [[nodiscard]] MultiVector<double> nystrom(const std::vector<Index>& landmarks, const SpectralSolution& solution,
                                              Summary& summary, const RunContext& context) override;

    /// The bytes while K is made are stated then, when it is known whether and in which form K is kept.
    [[nodiscard]] ProblemBytes bytes() const override { return {0, held_}; }

protected:
    [[nodiscard]] bool reduced() const { return reduced_; }
    /// Computes all that rows() needs.
    virtual void prepare(Summary& summary, const RunContext& context) = 0;
    /// The number of points of K, after prepare().
    [[nodiscard]] virtual Index size() const = 0;
    /// Writes values[s * size + j] = K(sources[s], j), after prepare().
    virtual void rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const = 0;
    /// The matrix, where there is a better form than its rows, which need no preparation then; else null.
    [[nodiscard]] virtual std::unique_ptr<const SpectralMatrix> factored(Summary& /*summary*/,
                                                                         const RunContext& /*context*/) {
        return nullptr;
    }
    /// Bytes that the factored form takes.
    [[nodiscard]] virtual std::uint64_t factored_bytes() const { return 0; }

private:
    /// Rows of K for these sources one block after the other, some 32 MB at a time.
    template <class Visit>
    void for_each_block(const std::vector<Index>& sources, const RunContext& context, const Visit& visit) const;

    bool reduced_;
    std::uint64_t held_ = 0;
    DenseMatrix among_{};  ///< K among the landmarks
};

/// K from a square table that is given instead of points: an entry of it is a function of the table's entry.
class TableFamily : public KernelFamily {
public:
    using Entry = double (*)(double);
    /// Entry for classical scaling of distances: -1/2 d^2.
    static double of_distance(double distance) { return -0.5 * distance * distance; }
    /// Entry for values of the kernel itself.
    static double of_kernel(double value) { return value; }

    /// The table must have passed require_distance_table() or require_kernel_table().
    TableFamily(const PointsView& table, Entry entry, bool reduced)
        : KernelFamily(reduced), table_(table), entry_(entry) {}

protected:
    void prepare(Summary& /*summary*/, const RunContext& /*context*/) override {}
    [[nodiscard]] Index size() const override { return table_.count; }
    void rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const override;

private:
    PointsView table_;
    Entry entry_;
};

/// A table has no points to choose landmarks by or to mix. Throws InvalidArgument unless landmarks, if there are any,
/// are chosen at random and go by nystrom. `what` the table is of: "distances".
void require_landmarks_of_table(const LandmarkOptions* landmarks, const std::string& what);

/// Methods whose K is a kernel between points: kpca and mds.
class PointKernelFamily : public KernelFamily {
public:
    /// `shape` is asked for when the points are known to be good, and may tell the summary what it chose.
    PointKernelFamily(const PointsView& x, std::function<KernelShape(Summary&)> shape, bool reduced)
        : KernelFamily(reduced), x_(x), choose_(std::move(shape)) {}

    /// Largest value of the kernel, after a fit.
    [[nodiscard]] double largest_value() const { return kernel_ ? kernel_->largest_value() : 0.0; }
    /// Unit of the values that were fitted (PointKernel::unit()).
    [[nodiscard]] double unit() const { return kernel_ ? kernel_->unit() : 1.0; }

protected:
    void prepare(Summary& summary, const RunContext& context) override;
    [[nodiscard]] Index size() const override { return x_.count; }
    void rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const override;
    [[nodiscard]] std::unique_ptr<const SpectralMatrix> factored(Summary& summary, const RunContext& context) override;
    [[nodiscard]] std::uint64_t factored_bytes() const override {
        return MultiVector<double>::bytes(x_.count, x_.dimension);
    }

private:
    void choose_shape(Summary& summary);

    PointsView x_;
    std::function<KernelShape(Summary&)> choose_;
    std::optional<KernelShape> shape_{};
    std::optional<PointKernel> kernel_{};
};

}  // namespace isogon
