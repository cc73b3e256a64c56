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

}  // namespace isogon
