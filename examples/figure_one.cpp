// Figure 1 of Saul 2022, as the factors of a layer of rectified units: a 6 x 6 matrix of rank 6 that is max(0, L) with
// L of rank 2, and identities of any size from rank 3. Both are found again by decompose(), from the sparse matrix
// alone.
//
//     example_figure_one [PICTURE.svg]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "decomposition/decompose.hpp"
#include "decomposition/relu_factors.hpp"

namespace {

using isogon::Index;

/// A small matrix, row by row.
struct Matrix {
    Index side = 0;
    std::vector<double> values;

    [[nodiscard]] double at(Index i, Index j) const { return values[i * side + j]; }
};

/// The plane's vectors whose products are the figure's L: v1 v1 = 10, v1 v2 = -11 and so on.
isogon::ReluFactors figure_factors() {
    const std::vector<double> vectors{-3, 1, 3, -2, 3, 5, 2, -5, 8, 0, -5, 0};
    isogon::ReluFactors factors{isogon::MultiVector<double>(6, 2), isogon::MultiVector<double>(6, 2)};
    factors.left.values() = factors.right.values() = vectors;
    return factors;
}

/// n points around a circle, each seen over an edge that only itself is above: L_ij = (cos(t_i - t_j) - c) / (1 - c) is
/// 1 for i = j and negative otherwise when c lies between the cosine of a step and 1. Its rank is 3.
isogon::ReluFactors circle_factors(Index n) {
    isogon::ReluFactors factors{isogon::MultiVector<double>(n, 3), isogon::MultiVector<double>(n, 3)};
    const double edge = std::cos(std::numbers::pi / n);
    for (Index i = 0; i < n; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / n;
        const std::array<double, 3> point{std::cos(angle), std::sin(angle), 1.0};
        for (Index k = 0; k < 3; ++k) {
            factors.left.at(i, k) = point.at(k) / (1.0 - edge);
            factors.right.at(i, k) = k < 2 ? point.at(k) : -edge;
        }
    }
    return factors;
}

Matrix product(const isogon::ReluFactors& factors, isogon::Reconstruct what) {
    Matrix matrix{factors.left.rows(), std::vector<double>(std::size_t{factors.left.rows()} * factors.right.rows())};
    std::vector<Index> rows(matrix.side);
    std::iota(rows.begin(), rows.end(), Index{0});
    isogon::Reconstruction(factors, {}, what, {}).rows(rows, matrix.values);
    return matrix;
}

/// By elimination with full pivoting.
Index rank(Matrix matrix) {
    constexpr double zero = 1e-9;
    const Index n = matrix.side;
    for (Index step = 0; step < n; ++step) {
        Index row = step;
        Index column = step;
        for (Index i = step; i < n; ++i) {
            for (Index j = step; j < n; ++j) {
                if (std::abs(matrix.at(i, j)) > std::abs(matrix.at(row, column))) {
                    row = i;
                    column = j;
                }
            }
        }
        if (std::abs(matrix.at(row, column)) <= zero) {
            return step;
        }
        for (Index k = 0; k < n; ++k) {
            std::swap(matrix.values[step * n + k], matrix.values[row * n + k]);
        }
        for (Index k = 0; k < n; ++k) {
            std::swap(matrix.values[k * n + step], matrix.values[k * n + column]);
        }
        for (Index i = step + 1; i < n; ++i) {
            const double share = matrix.at(i, step) / matrix.at(step, step);
            for (Index k = step; k < n; ++k) {
                matrix.values[i * n + k] -= share * matrix.at(step, k);
            }
        }
    }
    return n;
}

isogon::CsrMatrix<double> sparse(const Matrix& matrix) {
    isogon::CsrMatrix<double> result{.rows = matrix.side, .columns = matrix.side};
    for (Index i = 0; i < matrix.side; ++i) {
        for (Index j = 0; j < matrix.side; ++j) {
            if (matrix.at(i, j) != 0.0) {
                result.indices.push_back(j);
                result.values.push_back(matrix.at(i, j));
            }
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

/// max(0, L) without the rounding of the last digit; false in `exact` if that was more.
Matrix rounded(Matrix matrix, bool& exact) {
    constexpr double digits = 1e-12;
    for (double& value : matrix.values) {
        exact = exact && std::abs(value - std::round(value)) < digits;
        value = std::round(value);
    }
    return matrix;
}

/// Says what the factors make, and how near decompose() comes from the sparse matrix alone. False if the factors do not
/// make S, or if it is not found.
bool show(const char* what, const isogon::ReluFactors& factors) {
    bool exact = true;
    const Matrix s = rounded(product(factors, isogon::Reconstruct::Output), exact);
    const Matrix l = product(factors, isogon::Reconstruct::Latent);
    const auto found = isogon::decompose(sparse(s), nullptr,
                                         {.rank = static_cast<int>(factors.rank()),
                                          .iterations = 1000,
                                          .output_tolerance = 1e-6,
                                          .stall_tolerance = 0.0},
                                         nullptr, {});
    const double error = found.summary.value("output_residual", 1.0);
    std::printf("%s: rank of S %u, rank of L %u; from S alone an error of %.1g after %zu updates\n", what, rank(s),
                rank(l), error, found.summary.trace.size());
    return exact && error < 1e-3;
}

std::string text_at(double x, double y, const std::string& text, const char* kind = "label") {
    return R"(<text class=")" + std::string(kind) + "\" x=\"" + std::to_string(std::lround(x)) + "\" y=\"" +
           std::to_string(std::lround(y)) + "\">" + text + "</text>\n";
}

/// Cells: blue above zero, red below, and the numbers where they fit.
std::string cells(const Matrix& matrix, long left, long top, long size, bool numbers) {
    std::string svg;
    for (Index i = 0; i < matrix.side; ++i) {
        for (Index j = 0; j < matrix.side; ++j) {
            const double value = matrix.at(i, j);
            const char* kind = value > 0.0 ? "above" : value < 0.0 ? "below" : "zero";
            const long x = left + size * static_cast<long>(j);
            const long y = top + size * static_cast<long>(i);
            svg += "<rect class=\"" + std::string(kind) + "\" x=\"" + std::to_string(x) + "\" y=\"" +
                   std::to_string(y) + "\" width=\"" + std::to_string(size) + "\" height=\"" + std::to_string(size) +
                   "\"/>\n";
            if (numbers) {
                svg += text_at(static_cast<double>(x) + 0.5 * static_cast<double>(size),
                               static_cast<double>(y) + 0.62 * static_cast<double>(size),
                               std::to_string(std::lround(value)), kind);
            }
        }
    }
    return svg;
}

/// Two hidden units below, six rectified units above, an edge for every weight: W h, cut at zero.
std::string network(const isogon::MultiVector<double>& weights, double left, double top) {
    std::string edges;
    std::string units;
    for (Index i = 0; i < weights.rows(); ++i) {
        const double x = left + 36.0 * i;
        for (Index k = 0; k < weights.columns(); ++k) {
            const double weight = weights.at(i, k);
            if (weight == 0.0) {
                continue;
            }
            char line[200];
            std::snprintf(
                line, sizeof line,
                "<line class=\"%s\" x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\" stroke-width=\"%.2f\"/>\n",
                weight > 0.0 ? "plus" : "minus", left + 54.0 + 72.0 * k, top + 150.0, x, top + 40.0,
                0.4 + 0.45 * std::abs(weight));
            edges += line;
        }
        units += R"(<circle class="unit" cx=")" + std::to_string(std::lround(x)) + "\" cy=\"" +
                 std::to_string(std::lround(top + 40.0)) + "\" r=\"12\"/>\n" + text_at(x, top + 44.0, "+");
    }
    for (Index k = 0; k < weights.columns(); ++k) {
        units += R"(<circle class="unit" cx=")" + std::to_string(std::lround(left + 54.0 + 72.0 * k)) + "\" cy=\"" +
                 std::to_string(std::lround(top + 150.0)) + "\" r=\"12\"/>\n";
    }
    return edges + units + text_at(left + 90.0, top + 14.0, "s = max(0, W h)") +
           text_at(left + 90.0, top + 188.0, "h: as many as the rank of L");
}

const char* const head = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 480" role="img">
<style>text { font: 13px "DejaVu Sans", sans-serif; text-anchor: middle; fill: #1f2328; }
.paper { fill: #ffffff; } .above { fill: #b6d7f5; } .below { fill: #f9c9c4; } .zero { fill: #ffffff; }
rect { stroke: #8c959f; stroke-width: 0.6; } text.above, text.below, text.zero { fill: #1f2328; }
.plus { stroke: #0f6fb5; } .minus { stroke: #c0392b; } .unit { fill: #ffffff; stroke: #1f2328; }</style>
<rect class="paper" width="860" height="480"/>
)";

void draw(const std::string& path) {
    const auto figure = figure_factors();
    const auto circle = circle_factors(12);
    std::ofstream file(path);
    file << head << text_at(128, 30, "S = max(0, L), rank 6")
         << cells(product(figure, isogon::Reconstruct::Output), 20, 42, 36, true) << text_at(388, 30, "L = W H, rank 2")
         << cells(product(figure, isogon::Reconstruct::Latent), 280, 42, 36, true) << network(figure.left, 580, 42)
         << text_at(128, 292, "identity, rank 12")
         << cells(product(circle, isogon::Reconstruct::Output), 38, 304, 14, false)
         << text_at(388, 292, "its L, rank 3")
         << cells(product(circle, isogon::Reconstruct::Latent), 298, 304, 14, false)
         << text_at(670, 380, "blue: above zero; red: below, and zero in S") << "</svg>\n";
}

}  // namespace

int main(int argc, char** argv) {
    try {
        bool good = show("figure 1", figure_factors());
        for (const Index n : {4U, 12U, 40U}) {
            good = show(("identity of " + std::to_string(n)).c_str(), circle_factors(n)) && good;
        }
        if (argc > 1) {
            draw(argv[1]);
        }
        return good ? 0 : 1;
    } catch (const isogon::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
