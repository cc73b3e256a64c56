#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon::bench {

/// The expected step of UMAP's outputs in an epoch (Damrich and Hamprecht, "On UMAP's true loss function", NeurIPS
/// 2021), for k = 1 / (1 + s), s = |y_i - y_j|^2: an edge of weight w is drawn with probability w and moves both ends,
/// and its first end is pushed from m = 5 points drawn from all,
///     g_i = 2 sum_j w_ij 2 k (y_i - y_j) - m (d_i / n) sum_j 2 k / (s + 0.001) (y_i - y_j),   d_i = sum_j w_ij.
/// Written for this bench, pair by pair. `sample` draws, one edge after the other, as UMAP itself does.
class UmapUpdate {
public:
    explicit UmapUpdate(CsrMatrix<double> graph) : graph_(std::move(graph)) {}

    void gradient(const MultiVector<double>& y, MultiVector<double>& gradient) const {
        sum(y, gradient, [](double value) { return value; });
    }

    /// A step at a learning rate, each force clipped to 4 as in umap-learn.
    void move(MultiVector<double>& y, double rate) const {
        MultiVector<double> forces(y.rows(), y.columns());
        sum(y, forces, clipped);
        for (std::size_t k = 0; k < y.values().size(); ++k) {
            y.values()[k] -= rate * forces.values()[k];
        }
    }

    /// An epoch as UMAP makes it, at a learning rate: drawn edges, one after the other.
    void sample(MultiVector<double>& y, double rate, int epoch) const {
        for (Index i = 0; i < graph_.rows; ++i) {
            Random random(static_cast<std::uint64_t>(epoch), RandomStream::Test, i);
            for (Offset e = graph_.offsets[i]; e < graph_.offsets[i + 1]; ++e) {
                if (random.uniform() < graph_.values[e]) {
                    draw(y, i, graph_.indices[e], rate, random);
                }
            }
        }
    }

private:
    static constexpr int pushes = 5;  // negative samples, umap-learn's

    static void draw(MultiVector<double>& y, Index i, Index j, double rate, Random& random) {
        const double pull = 2.0 / (1.0 + squared(y, i, j));
        for (Index c = 0; c < y.columns(); ++c) {
            const double step = rate * clipped(pull * (y.at(i, c) - y.at(j, c)));
            y.at(i, c) -= step;
            y.at(j, c) += step;
        }
        for (int sample = 0; sample < pushes; ++sample) {
            const Index other = random.below(y.rows());
            const double s = squared(y, i, other);
            const double push = other == i ? 0.0 : 2.0 / ((s + 0.001) * (1.0 + s));
            for (Index c = 0; c < y.columns(); ++c) {
                y.at(i, c) += rate * clipped(push * (y.at(i, c) - y.at(other, c)));
            }
        }
    }

    static double clipped(double value) { return std::clamp(value, -4.0, 4.0); }

    template <class Clip>
    void sum(const MultiVector<double>& y, MultiVector<double>& out, const Clip& clip) const {
        parallel_blocks({}, y.rows(), 64, [&](Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                std::fill_n(out.row(i), y.columns(), 0.0);
                const double degree = attract(y, i, out.row(i), clip);
                repel(y, i, pushes * degree / static_cast<double>(y.rows()), out.row(i), clip);
            }
        });
    }

    static double squared(const MultiVector<double>& y, std::size_t i, std::size_t j) {
        double sum = 0.0;
        for (Index c = 0; c < y.columns(); ++c) {
            sum += (y.at(i, c) - y.at(j, c)) * (y.at(i, c) - y.at(j, c));
        }
        return sum;
    }

    template <class Clip>
    double attract(const MultiVector<double>& y, std::size_t i, double* out, const Clip& clip) const {
        double degree = 0.0;
        for (Offset e = graph_.offsets[i]; e < graph_.offsets[i + 1]; ++e) {
            const Index j = graph_.indices[e];
            const double force = 2.0 / (1.0 + squared(y, i, j));
            degree += graph_.values[e];
            for (Index c = 0; c < y.columns(); ++c) {
                out[c] += 2.0 * graph_.values[e] * clip(force * (y.at(i, c) - y.at(j, c)));
            }
        }
        return degree;
    }

    template <class Clip>
    static void repel(const MultiVector<double>& y, std::size_t i, double share, double* out, const Clip& clip) {
        for (std::size_t j = 0; j < y.rows(); ++j) {
            const double s = squared(y, i, j);
            const double force = j == i ? 0.0 : 2.0 / ((s + 0.001) * (1.0 + s));
            for (Index c = 0; c < y.columns(); ++c) {
                out[c] -= share * clip(force * (y.at(i, c) - y.at(j, c)));
            }
        }
    }

    CsrMatrix<double> graph_;
};

}  // namespace isogon::bench
