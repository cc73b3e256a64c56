#include "decomposition/relu_decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "decomposition/decomposition_run.hpp"
#include "linalg/packed_points.hpp"
#include "pairs/pair_tiles.hpp"

namespace isogon {

namespace {

/// A dense symmetric matrix; by symmetry, 48 adjacent columns of its storage are a panel without repacking.
FunctionOperator<float> dense_operator(const MultiVector<float>& matrix) {
    return {matrix.rows(), [&matrix](const MultiVector<float>& in, MultiVector<float>& out, const RunContext& context) {
                parallel_blocks(context, matrix.rows(), panel_width, [&](Range rows) {
                    alignas(64) PanelTile<float> tile;  // NOLINT(*-member-init): filled below
                    for (std::size_t j = 0; j < in.columns(); j += panel_width) {
                        multiply_panels({matrix.row(0) + rows.begin, matrix.stride()}, {in.row(0) + j, in.stride()},
                                        matrix.rows(), tile.data(), panel_width);
                        const std::size_t columns = std::min<std::size_t>(panel_width, in.columns() - j);
                        for (std::size_t i = 0; i < rows.size(); ++i) {
                            std::copy_n(tile.data() + i * panel_width, columns, out.row(rows.begin + i) + j);
                        }
                    }
                });
            }};
}

}  // namespace

DenseReluDecomposition::DenseReluDecomposition(const Similarities& s, LowRank start, const DenseReluOptions& options,
                                               RunContext context)
    : s_(s),
      lower_(transpose(s.upper)),
      options_(options),
      context_(std::move(context)),
      current_(std::move(start)),
      basis_(current_.factor),
      z_(s.size(), s.size()),
      z_previous_(s.size(), s.size()) {}

double DenseReluDecomposition::sum_off_support(const PackedLowRank& packed) const {
    std::vector<double> sums(s_.size());
    for_each_row_band(packed.left, packed.right, context_, [&](RowBand& band) {
        for (Index r = 0; r < band.rows; ++r) {
            const Index i = band.first_row + r;
            const float* l = band.values + r * band.stride;
            double& sum = sums[i];
            for (Index j = 0; j < band.columns; ++j) {
                sum += double{std::min(0.0F, l[j])};
            }
            for (const auto* half : {&s_.upper, &lower_}) {
                for (const Index j : half->row_indices(i)) {
                    sum -= double{std::min(0.0F, l[j])};
                }
            }
            sum -= s_.diagonal[i] > 0.0F ? double{std::min(0.0F, l[i])} : 0.0;
        }
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// Sets Z_ij = S_ij on the support, and corrects the objective, which counted these entries as off the support.
void DenseReluDecomposition::restore_support(Index row, float* z, const float* l, double& objective) const {
    const auto restore = [&](Index j, float s) {
        const double wrong = double{l[j]} - z[j];
        const double right = double{l[j]} - s;
        objective += right * right - wrong * wrong;
        z[j] = s;
    };
    for (const auto* half : {&s_.upper, &lower_}) {
        const auto columns = half->row_indices(row);
        const auto values = half->row_values(row);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            restore(columns[k], values[k]);
        }
    }
    if (s_.diagonal[row] > 0.0F) {
        restore(row, s_.diagonal[row]);
    }
}

/// Eqs. 22 and 23, in place: Z_{t-1} becomes Z_{t+1}. Returns |L - Z_orig|^2.
double DenseReluDecomposition::update_z(const PackedLowRank& packed) {
    // Z_t - Z_{t-1} is used from the third Z on: with Z_0 = 0 it would make the second update far too large.
    const float momentum = iterations_ > 1 ? static_cast<float>(options_.momentum) : 0.0F;
    const auto lift = static_cast<float>(lift_);
    std::vector<double> objectives(s_.size());
    for_each_row_band(packed.left, packed.right, context_, [&](RowBand& band) {
        std::vector<float> original(band.columns);
        for (Index r = 0; r < band.rows; ++r) {
            const Index i = band.first_row + r;
            const float* l = band.values + r * band.stride;
            for (Index j = 0; j < band.columns; ++j) {
                original[j] = std::min(0.0F, l[j]) + lift;
                objectives[i] += (double{l[j]} - original[j]) * (double{l[j]} - original[j]);
            }
            restore_support(i, original.data(), l, objectives[i]);
            const float* now = z_.row(i);
            float* target = z_previous_.row(i);
            for (Index j = 0; j < band.columns; ++j) {
                target[j] = original[j] + momentum * (now[j] - target[j]);
            }
        }
    });
    std::swap(z_, z_previous_);
    return std::accumulate(objectives.begin(), objectives.end(), 0.0);
}

void DenseReluDecomposition::update() {
    const PackedLowRank packed = pack({{&current_, 1.0}}, context_);
    lift_ = 0.0;
    if (options_.regularize) {
        double on_support = std::accumulate(s_.diagonal.begin(), s_.diagonal.end(), 0.0);
        for (const float value : s_.upper.values) {
            on_support += 2.0 * double{value};
        }
        const double sum = on_support + sum_off_support(packed);
        // Eq. 21 with the opposite sign to the printed one, as its text requires: see ReluDecomposition.
        lift_ = std::min(0.0, s_.unthresholded_sum - sum) / std::max(1.0, s_.zeros());
    }
    objective_ = update_z(packed);

    BlockEigenOptions eigen;
    eigen.rank = std::min(options_.rank, s_.size());
    eigen.tolerance = options_.eigen_tolerance;
    eigen.max_products = options_.eigen_products;
    eigen.seed = options_.seed;
    BlockEigenpairs pairs = block_eigensolve(dense_operator(z_), eigen, &basis_, context_);
    current_ = leading_columns(pairs.vectors, pairs.values, eigen.rank, context_);
    basis_ = std::move(pairs.vectors);
    ++iterations_;
}

double DenseReluDecomposition::relative_residual() const {
    return relative_to(s_.squared_norm, objective_);
}

Termination DenseReluDecomposition::run_to(int iterations) {
    return run_updates(*this, iterations, 0.0, context_, trace_);
}

std::uint64_t DenseReluDecomposition::bytes(Index size, const DenseReluOptions& options) {
    return 2 * MultiVector<float>::bytes(size, size) + 20 * MultiVector<float>::bytes(size, options.rank + 8);
}

}  // namespace isogon
