#pragma once
#include <map>
#include <vector>

#include "compare/comparison.hpp"
#include "reproduce/figures.hpp"

namespace isogon::cli::published {

/// Values by d, read off the plots of L. K. Saul, "A geometrical connection between sparse and low-rank matrices and
/// its application to manifold learning", Transactions on Machine Learning Research, 2022.
using ByDimension = std::map<double, double>;

inline constexpr const char* reading_error =
    "Published values were read off the paper's plots by eye: about +-0.3 degrees and +-0.01.";

/// Digits, 14,000 images, tau = 0.75: figures 3, 4 and 9.
namespace digits {
inline constexpr double tau = 0.75;
inline const ByDimension svd_deviation{{4, 25.4}, {8, 20.0}, {16, 14.3}, {32, 9.2}, {64, 5.2}, {128, 2.5}};
inline const ByDimension tsm_deviation{{4, 16.2}, {8, 6.3}, {16, 2.5}, {32, 1.0}, {64, 0.35}, {128, 0.1}};
inline const ByDimension svd_jaccard{{4, 0.017}, {8, 0.036}, {16, 0.097}, {32, 0.25}, {64, 0.48}, {128, 0.71}};
inline const ByDimension tsm_jaccard{{4, 0.09}, {8, 0.41}, {16, 0.745}, {32, 0.88}, {64, 0.95}, {128, 0.985}};
inline const ByDimension isomap_jaccard{{4, 0.16},   {8, 0.365},  {12, 0.475}, {16, 0.50},
                                        {20, 0.465}, {24, 0.405}, {28, 0.345}, {32, 0.285}};
}  // namespace digits

/// 25,124 words of FastText, which are not available: figures 3, 4, 5 and 9.
namespace words {
inline const ByDimension svd_deviation{{4, 46}, {8, 38.5}, {16, 30.8}, {32, 22.7}, {64, 15}, {128, 7.8}};
inline const ByDimension tsm_deviation{{4, 39}, {8, 25.5}, {16, 13.7}, {32, 5.4}, {64, 1.8}, {128, 0.4}};
inline const ByDimension svd_jaccard{{4, 0.01}, {8, 0.01}, {16, 0.014}, {32, 0.02}, {64, 0.04}, {128, 0.135}};
inline const ByDimension tsm_jaccard{{4, 0.03}, {8, 0.05}, {16, 0.14}, {32, 0.44}, {64, 0.66}, {128, 0.85}};
inline const ByDimension svd_semantic{{4, 0.005}, {8, 0.03}, {16, 0.115}, {32, 0.36}, {64, 0.73}, {128, 0.875}};
inline const ByDimension tsm_semantic{{4, 0.02}, {8, 0.25}, {16, 0.60}, {32, 0.78}, {64, 0.855}, {128, 0.89}};
inline const ByDimension svd_syntactic{{4, 0.007}, {8, 0.06}, {16, 0.28}, {32, 0.62}, {64, 0.795}, {128, 0.84}};
inline const ByDimension tsm_syntactic{{4, 0.01}, {8, 0.18}, {16, 0.45}, {32, 0.68}, {64, 0.78}, {128, 0.835}};
}  // namespace words

/// 70,000 digits, TSM of 14,000 and LLX: figures 6 and 7.
namespace extension {
inline const ByDimension svd_deviation{{4, 25.6}, {8, 20.1}, {16, 14.4}, {32, 9.3}, {64, 5.2}, {128, 2.5}};
inline const ByDimension llx_deviation{{4, 16.6}, {8, 6.7}, {16, 3.3}, {32, 1.75}, {64, 0.9}, {128, 0.45}};
inline const ByDimension svd_jaccard{{4, 0.017}, {8, 0.036}, {16, 0.097}, {32, 0.25}, {64, 0.48}, {128, 0.71}};
inline const ByDimension llx_jaccard{{4, 0.08}, {8, 0.37}, {16, 0.615}, {32, 0.76}, {64, 0.87}, {128, 0.935}};
}  // namespace extension

}  // namespace isogon::cli::published

namespace isogon::cli {

/// Methods on a fold of 14,000 digits (quick: 2,800), fitted and scored in each dimension with the tau of the paper:
/// the data of figures 3, 4 and 9.
[[nodiscard]] Comparison digit_runs(FigureContext& context, const std::vector<std::int64_t>& dimensions);

/// The same for the 8,000 available words, with tau such that 99% of pairs lie below it.
[[nodiscard]] Comparison word_runs(FigureContext& context, const std::vector<std::int64_t>& dimensions);

/// Values of one measure ("jaccard", "mean_angular_deviation_degrees") of a method, by dimension.
[[nodiscard]] Curve curve_of(const Comparison& runs, const std::string& method, const std::string& title,
                             const std::string& measure);

/// "14,000 MNIST digits (fold 0), tau = 0.75", or that a quick run has fewer.
[[nodiscard]] std::string digits_note(const FigureContext& context);

/// Dimensions of the paper's plots, fewer in a quick run.
[[nodiscard]] std::vector<std::int64_t> plotted_dimensions(const FigureContext& context);

/// Step between the digits of the fold among the 70,000.
[[nodiscard]] std::int64_t fold_step(const FigureContext& context);

}  // namespace isogon::cli
