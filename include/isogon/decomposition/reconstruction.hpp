#pragma once
#include <span>
#include <vector>

#include "isogon/decomposition/relu_factors.hpp"
#include "isogon/linalg/wide_panels.hpp"

namespace isogon {

enum class Reconstruct {
    Output,  ///< max(0, W H), what S is compared with
    Latent   ///< W H itself
};

/// Rows of what factors stand for, some at a time, so that the whole is never held. The same bits for a row alone or
/// among others.
class Reconstruction {
public:
    /// `columns`: those wanted, in that order; none: all. The factors must outlive this. Memory: H of the columns once
    /// more. Throws InvalidArgument for a column that is not there.
    Reconstruction(const ReluFactors& factors, std::span<const Index> columns, Reconstruct what,
                   const RunContext& context);

    [[nodiscard]] Index columns() const { return right_.rows(); }
    /// Fills `out` with the rows listed, one after the other, columns() numbers each. O(rows columns r) time. Throws
    /// InvalidArgument for a row that is not there, InputError naming the first row of which a number is beyond
    /// float64.
    void rows(std::span<const Index> rows, std::span<double> out) const;

private:
    const ReluFactors& factors_;
    RunContext context_;
    Reconstruct what_;
    WidePanels right_;
};

}  // namespace isogon
