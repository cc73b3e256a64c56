#pragma once

namespace isogon {

/// How close two outputs count whose *squared* distance is s: k(s) = 1 / (1 + a s^b). With a = b = 1, the Cauchy
/// kernel, that is t-SNE's (van der Maaten and Hinton, JMLR 2008); UMAP fits a and b to the closeness that is wished
/// for (McInnes, Healy and Melville 2018, definition 11).
struct OutputKernel {
    double a = 1.0;  ///< above 0
    double b = 1.0;  ///< above 0

    [[nodiscard]] double value(double squared) const;
    /// -log k: what an edge of weight 1 costs, 0 for points in one place.
    [[nodiscard]] double cost(double squared) const;
    /// The derivative of cost by s: what such an edge pulls with, in units of the difference of its ends. 0 for points
    /// in one place, where b < 1 would have it infinite: they have no direction to be pulled in.
    [[nodiscard]] double pull(double squared) const;
    /// -log(1 - k): what two points cost that are not to be near, and minus its derivative by s: what they push with.
    /// Squared distances count as `softening` at least, in the derivative as so much more: points in one place push
    /// hard, not infinitely hard.
    [[nodiscard]] double gap_cost(double squared) const;
    [[nodiscard]] double push(double squared) const;
    static constexpr double softening = 1e-3;  // umap-learn's

    [[nodiscard]] bool is_cauchy() const { return a == 1.0 && b == 1.0; }
};

/// The kernel 1 / (1 + a d^2b) that comes nearest, by least squares over 300 distances d up to 3 spread, to the
/// closeness that is wished for: 1 up to min_distance, then exp(-(d - min_distance) / spread) (McInnes, Healy and
/// Melville 2018, definition 11 and section 4.2). Only min_distance / spread makes its form. Throws InvalidArgument
/// unless spread is above 0, at most 1e6 and at least 1e-6, and min_distance between 0 and spread.
[[nodiscard]] OutputKernel fit_output_kernel(double min_distance, double spread);

}  // namespace isogon
