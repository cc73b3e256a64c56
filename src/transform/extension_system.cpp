#include "transform/extension_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "linalg/sparse_algebra.hpp"

namespace isogon {

namespace {

constexpr std::size_t system_rows_in_block = 256;

double length_of(std::span<const float> vector) {
    double sum = 0.0;
    for (const float value : vector) {
        sum += double{value} * double{value};
    }
    return std::sqrt(sum);
}

}  // namespace

ExtensionSystem::ExtensionSystem(CsrMatrix<float> weights, const std::vector<double>& lengths,
                                 std::span<const Index> landmarks, const PointsView& landmark_outputs,
                                 const RunContext& context)
    : lengths_(lengths), place_(weights.rows), is_unknown_(weights.rows, true) {
    unit_ = *std::max_element(lengths.begin(), lengths.end());
    unit_ = unit_ > 0.0 ? unit_ : 1.0;
    for (double& length : lengths_) {
        length /= unit_;
    }
    for (std::size_t k = 0; k < landmarks.size(); ++k) {
        is_unknown_[landmarks[k]] = false;
        place_[landmarks[k]] = static_cast<Index>(k);
    }
    for (Index i = 0; i < weights.rows; ++i) {
        if (is_unknown_[i]) {
            place_[i] = static_cast<Index>(unknown_.size());
            unknown_.push_back(i);
        }
    }
    scale_columns(weights);
    matrix_ = least_squares_matrix(weights, context);
    const MultiVector<float> b = known_side(weights, known_directions(landmarks, landmark_outputs), context);
    weights = CsrMatrix<float>();
    transposed_ = transpose(matrix_);
    right_ = MultiVector<float>(size(), b.columns());
    multiply(transposed_, b, right_, context);
    product_ = MultiVector<float>(matrix_.rows, b.columns());
}

std::uint64_t ExtensionSystem::bytes(Index points, Index landmarks, Index neighbors, Index dimension) {
    constexpr std::uint64_t entry = sizeof(Index) + sizeof(float);
    const std::uint64_t matrix = std::uint64_t{points} * ((std::uint64_t{neighbors} + 1) * entry + sizeof(Offset));
    // The weights, K and its transpose; blocks of all points twice, of the landmarks and of the unknown once.
    return 3 * matrix + 2 * MultiVector<float>::bytes(points, dimension) +
           MultiVector<float>::bytes(landmarks, dimension) + MultiVector<float>::bytes(points - landmarks, dimension) +
           std::uint64_t{points} * (2 * sizeof(double) + 2 * sizeof(Index) + 1);
}

/// s: lengths of the unknown columns of diag(|x|) (I - V). Serial, so that sums have one order.
void ExtensionSystem::scale_columns(const CsrMatrix<float>& weights) {
    column_lengths_.assign(unknown_.size(), 0.0);
    for (Index i = 0; i < weights.rows; ++i) {
        const auto columns = weights.row_indices(i);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (is_unknown_[columns[k]]) {
                const double entry = lengths_[i] * double{weights.row_values(i)[k]};
                column_lengths_[place_[columns[k]]] += entry * entry;
            }
        }
        if (is_unknown_[i]) {
            column_lengths_[place_[i]] += lengths_[i] * lengths_[i];
        }
    }
    for (double& length : column_lengths_) {
        length = std::sqrt(length);
    }
}

CsrMatrix<float> ExtensionSystem::least_squares_matrix(const CsrMatrix<float>& weights,
                                                       const RunContext& context) const {
    CsrMatrix<float> k{.rows = weights.rows, .columns = size()};
    k.offsets.resize(std::size_t{k.rows} + 1);
    for (Index i = 0; i < k.rows; ++i) {
        const auto columns = weights.row_indices(i);
        const auto unknown = std::count_if(columns.begin(), columns.end(), [&](Index j) { return is_unknown_[j]; });
        k.offsets[i + 1] = k.offsets[i] + static_cast<Offset>(unknown) + (is_unknown_[i] ? 1 : 0);
    }
    k.indices.resize(k.offsets.back());
    k.values.resize(k.offsets.back());
    const auto write = [&](Index i, Index j, double value, Offset& place) {
        const Index u = place_[j];
        const double length = column_lengths_[u];
        k.indices[place] = u;
        // A column of zeros is that of a zero vector, whose output is zero.
        k.values[place] = length > 0.0 ? static_cast<float>(lengths_[i] * value / length) : 0.0F;
        ++place;
    };
    parallel_blocks(context, k.rows, system_rows_in_block, [&](Range rows) {
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            Offset place = k.offsets[i];
            bool own = is_unknown_[i];  // the diagonal's 1 has still to be written, in the order of columns
            const auto columns = weights.row_indices(i);
            for (std::size_t c = 0; c < columns.size(); ++c) {
                if (own && columns[c] > i) {
                    write(i, i, 1.0, place);
                    own = false;
                }
                if (is_unknown_[columns[c]]) {
                    write(i, columns[c], -double{weights.row_values(i)[c]}, place);
                }
            }
            if (own) {
                write(i, i, 1.0, place);
            }
        }
    });
    return k;
}

/// z of the landmarks, over the longest of them: a landmark that is a zero vector has none.
MultiVector<float> ExtensionSystem::known_directions(std::span<const Index> landmarks, const PointsView& outputs) {
    std::vector<double> inverses(landmarks.size());
    double longest = 0.0;
    for (std::size_t k = 0; k < landmarks.size(); ++k) {
        const double length = lengths_[landmarks[k]];
        inverses[k] = length > 0.0 ? 1.0 / length : 0.0;
        longest = std::max(longest, length_of(outputs[static_cast<Index>(k)]) * inverses[k]);
    }
    size_of_known_ = longest > 0.0 ? longest : 1.0;
    MultiVector<float> known(outputs.count, outputs.dimension);
    for (Index k = 0; k < outputs.count; ++k) {
        for (Index a = 0; a < outputs.dimension; ++a) {
            known.row(k)[a] = static_cast<float>(double{outputs[k][a]} * inverses[k] / size_of_known_);
        }
    }
    return known;
}

/// b_i = |x_i| (sum over landmarks j of V_ij z_j, minus z_i if i is one).
MultiVector<float> ExtensionSystem::known_side(const CsrMatrix<float>& weights, const MultiVector<float>& known,
                                               const RunContext& context) const {
    MultiVector<float> b(weights.rows, known.columns());
    parallel_blocks(context, weights.rows, system_rows_in_block, [&](Range rows) {
        std::vector<double> sums(known.columns());
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            std::fill(sums.begin(), sums.end(), 0.0);
            const auto add = [&](Index j, double factor) {
                const float* z = known.row(place_[j]);
                for (std::size_t a = 0; a < sums.size(); ++a) {
                    sums[a] += factor * double{z[a]};
                }
            };
            const auto columns = weights.row_indices(i);
            for (std::size_t c = 0; c < columns.size(); ++c) {
                if (!is_unknown_[columns[c]]) {
                    add(columns[c], double{weights.row_values(i)[c]});
                }
            }
            if (!is_unknown_[i]) {
                add(i, -1.0);
            }
            std::transform(sums.begin(), sums.end(), b.row(i),
                           [&](double sum) { return static_cast<float>(lengths_[i] * sum); });
        }
    });
    return b;
}

void ExtensionSystem::apply(const MultiVector<float>& in, MultiVector<float>& out, const RunContext& context) const {
    multiply(matrix_, in, product_, context);
    multiply(transposed_, product_, out, context);
}

void ExtensionSystem::write_outputs(const MultiVector<float>& solution, Points& outputs) const {
    for (std::size_t u = 0; u < unknown_.size(); ++u) {
        const Index i = unknown_[u];
        const double scale = column_lengths_[u];
        // lengths_ and z are relative to the longest length: only the scale of the known outputs remains.
        const double factor = scale > 0.0 ? lengths_[i] * size_of_known_ / scale : 0.0;
        for (Index a = 0; a < outputs.dimension(); ++a) {
            outputs[i][a] = static_cast<float>(double{solution.row(u)[a]} * factor);
        }
    }
}

}  // namespace isogon
