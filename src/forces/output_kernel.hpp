#pragma once

namespace isogon {

/// The similarity of two outputs at *squared* distance s: k(s) = 1 / (1 + a s^b). With a = b = 1, the Cauchy kernel,
/// that is t-SNE's (van der Maaten and Hinton, JMLR 2008); UMAP fits a and b to a target similarity (McInnes, Healy and
/// Melville 2018, definition 11).
struct OutputKernel {
    double a = 1.0;  ///< above 0
    double b = 1.0;  ///< above 0

    [[nodiscard]] double value(double squared) const;
    /// -log k: the cost of an edge of weight 1; 0 for coincident points.
    [[nodiscard]] double cost(double squared) const;
    /// The derivative of cost by s: the attractive force of such an edge, in units of the difference of its ends. 0 for
    /// coincident points, for which it would be infinite if b < 1: their difference has no direction.
    [[nodiscard]] double pull(double squared) const;
    /// -log(1 - k), the cost of a pair without an edge, and minus its derivative by s, the repulsive force. The cost
    /// uses max(s, softening) and the derivative s + softening, so that the force of coincident points is finite.
    [[nodiscard]] double gap_cost(double squared) const;
    [[nodiscard]] double push(double squared) const;
    static constexpr double softening = 1e-3;  // umap-learn's

    [[nodiscard]] bool is_cauchy() const { return a == 1.0 && b == 1.0; }
};

/// The kernel 1 / (1 + a d^2b) that fits the target similarity best, by least squares over 300 distances d up to 3
/// spread. The target is 1 up to min_distance, then exp(-(d - min_distance) / spread) (McInnes, Healy and Melville
/// 2018, definition 11 and section 4.2). Its shape depends on min_distance / spread alone. Throws InvalidArgument
/// unless spread is above 0, at most 1e6 and at least 1e-6, and min_distance between 0 and spread.
[[nodiscard]] OutputKernel fit_output_kernel(double min_distance, double spread);

}  // namespace isogon
