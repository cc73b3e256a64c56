#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "isogon/core/random.hpp"
#include "isogon/linalg/dense_matrix.hpp"
#include "reproduce/figures.hpp"

namespace isogon::cli {

namespace {

constexpr std::size_t size = 6;
constexpr std::size_t rank = 2;

// As printed in figure 1: L has rank 2, and S = max(0, L).
using Matrix = std::array<std::array<double, size>, size>;
constexpr Matrix published_l{{{10, -11, -4, -11, -24, 15},
                              {-11, 13, -1, 16, 24, -15},
                              {-4, -1, 34, -19, 24, -15},
                              {-11, 16, -19, 29, 16, -10},
                              {-24, 24, 24, 16, 64, -40},
                              {15, -15, -15, -10, -40, 25}}};

DenseMatrix dense(const Matrix& matrix) {
    DenseMatrix result(size, size);
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
            result(i, j) = matrix[i][j];
        }
    }
    return result;
}

DenseMatrix rectified(DenseMatrix matrix) {
    std::transform(matrix.values.begin(), matrix.values.end(), matrix.values.begin(),
                   [](double value) { return std::max(0.0, value); });
    return matrix;
}

std::size_t rank_of(const DenseMatrix& matrix) {
    const auto values = symmetric_eigen(matrix, SpectrumOrder::LargestMagnitude).values;
    return static_cast<std::size_t>(std::count_if(
        values.begin(), values.end(), [&](double value) { return std::abs(value) > 1e-9 * std::abs(values.front()); }));
}

/// Eq. 6: the eigenvalues largest in magnitude.
DenseMatrix best_of_rank(const DenseMatrix& z) {
    const SmallEigen eigen = symmetric_eigen(z, SpectrumOrder::LargestMagnitude);
    DenseMatrix l(size, size);
    for (std::size_t k = 0; k < rank; ++k) {
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) {
                l(i, j) += eigen.values[k] * eigen.vectors(i, k) * eigen.vectors(j, k);
            }
        }
    }
    return l;
}

double error_of(const DenseMatrix& l, const DenseMatrix& s) {
    double worst = 0.0;
    const DenseMatrix positive = rectified(l);
    for (std::size_t k = 0; k < s.values.size(); ++k) {
        worst = std::max(worst, std::abs(positive.values[k] - s.values[k]));
    }
    return worst;
}

struct Found {
    DenseMatrix l;
    double error = 0.0;
    int updates = 0;
};

/// Alternates eqs. 5 and 6, starting from L = S and a random perturbation.
Found alternate(const DenseMatrix& s, std::uint64_t seed) {
    constexpr int most = 20000;
    constexpr double small = 1e-6;
    DenseMatrix z = s;
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            Random random(seed, RandomStream::LayoutStart, static_cast<std::uint32_t>(i * size + j));
            z(i, j) -= s(i, j) > 0.0 ? 0.0 : 20.0 * random.uniform();
            z(j, i) = z(i, j);
        }
    }
    Found found;
    for (; found.updates < most; ++found.updates) {
        found.l = best_of_rank(z);
        found.error = error_of(found.l, s);
        if (found.error < small) {
            break;
        }
        for (std::size_t k = 0; k < z.values.size(); ++k) {
            z.values[k] = s.values[k] > 0.0 ? s.values[k] : std::min(0.0, found.l.values[k]);
        }
    }
    return found;
}

ChartTable matrix_table(const std::string& title, const DenseMatrix& matrix, const std::string& note) {
    ChartTable table{title, {}, {}, note};
    for (std::size_t j = 0; j < size; ++j) {
        table.columns.push_back(std::to_string(j + 1));
        table.rows.emplace_back();
    }
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
            table.rows[i].emplace_back(std::round(1e6 * matrix(i, j)) / 1e6 + 0.0);
        }
    }
    return table;
}

}  // namespace

ChartDocument tsm_example_figure(FigureContext& context) {
    const DenseMatrix l = dense(published_l);
    const DenseMatrix s = rectified(l);
    constexpr std::uint64_t starts = 20;
    Found best = alternate(s, 0);
    std::size_t solved = best.error < 1e-6 ? 1 : 0;
    for (std::uint64_t seed = 1; seed < starts; ++seed) {
        throw_if_cancelled(context.run_context());
        Found found = alternate(s, seed);
        solved += found.error < 1e-6 ? 1 : 0;
        if (found.error < best.error) {
            best = std::move(found);
        }
    }
    ChartDocument document;
    document.tables = {matrix_table("S, as printed", s, fmt::format("rank {}", rank_of(s))),
                       matrix_table("L, as printed", l, fmt::format("rank {}, and S = max(0, L)", rank_of(l))),
                       matrix_table("L, found from S alone by eqs. 5 and 6", best.l,
                                    fmt::format("rank {}; max(0, L) differs from S by at most {:.1e}, after {} updates",
                                                rank_of(best.l), best.error, best.updates))};
    document.notes = {
        "S = max(0, L) has the entries of L that are above 0, and 0 for all others: so a sparse matrix of high rank "
        "may "
        "come of one of low rank.",
        fmt::format(
            "The alternating updates, without momentum or constraint, from {} random starts: {} solve S = max(0, L).",
            starts, solved)};
    return document;
}

}  // namespace isogon::cli
