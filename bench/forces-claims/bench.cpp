// Do the claims of Draganov and Dohn 2023 hold: gradients, PCA by forces, lemma 3, conjecture 1? See README.md.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "../digits.hpp"
#include "core/random.hpp"
#include "forces/force_layout.hpp"
#include "forces/pca_descent.hpp"
#include "forces/repulsion.hpp"
#include "forces/two_kernels.hpp"
#include "graph/barycentric_weights.hpp"
#include "graph/calibrated_affinities.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "linalg/truncated_svd.hpp"
#include "quality/known_truth.hpp"
#include "umap_update.hpp"

namespace {

using namespace isogon;
using namespace isogon::bench;

// All of an epoch's expected forces at once would throw points past each other.
constexpr int parts_of_epoch = 20;

constexpr const char* help =
    "bench [--data DIR] [--points 1000, of PCA by forces] [--conjecture 1000, points] [--epochs 200] [--neighbors "
    "15]\n";

MultiVector<double> random_outputs(Index count, Index dimension, double spread, std::uint64_t seed) {
    MultiVector<double> y(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::LayoutStart, i);
        for (Index c = 0; c < dimension; ++c) {
            y.at(i, c) = spread * random.normal();
        }
    }
    return y;
}

double dot(const MultiVector<double>& u, const MultiVector<double>& v) {
    double sum = 0.0;
    for (std::size_t k = 0; k < u.values().size(); ++k) {
        sum += u.values()[k] * v.values()[k];
    }
    return sum;
}

double cosine(const MultiVector<double>& u, const MultiVector<double>& v) {
    return dot(u, v) / std::sqrt(dot(u, u) * dot(v, v));
}

/// |gradient - central differences of `value`| over some numbers of y, as a share of the gradient's there.
double gradient_error(MultiVector<double> y, const MultiVector<double>& gradient,
                      const std::function<double(const MultiVector<double>&)>& value, double h) {
    double errors = 0.0;
    double squares = 0.0;
    for (std::size_t k = 0; k < y.values().size(); k += 17) {
        const double here = y.values()[k];
        y.values()[k] = here + h;
        const double above = value(y);
        y.values()[k] = here - h;
        const double below = value(y);
        y.values()[k] = here;
        errors += std::pow(gradient.values()[k] - (above - below) / (2.0 * h), 2);
        squares += gradient.values()[k] * gradient.values()[k];
    }
    return std::sqrt(errors / squares);
}

NeighborLists neighbors(const Points& x, Index count) {
    return find_neighbors(x.view(), {.neighbors = count, .metric = Metric::Euclidean}, {}).lists;
}

void row_of(const char* name, const MultiVector<double>& y, const MultiVector<double>& gradient,
            const std::function<double(const MultiVector<double>&)>& value, double h = 1e-5) {
    std::printf("| %s | %.1e |\n", name, gradient_error(y, gradient, value, h));
    std::fflush(stdout);
}

/// The gradient that lemma 4 prints, that of k_y in the place of k_y^2; returns the objective.
double lemma_four(const TwoKernelObjective& squares, const MultiVector<double>& y, MultiVector<double>& gradient) {
    TwoKernelObjective pulls = squares;
    pulls.repulsion = 0.0;
    const double value = pulls.gradient(y, gradient, {});
    MultiVector<double> pushes(y.rows(), y.columns());
    const double closeness = sum_over_pairs(y, 1, pushes, {});
    for (std::size_t k = 0; k < pushes.values().size(); ++k) {
        gradient.values()[k] -= 4.0 * squares.repulsion * pushes.values()[k];
    }
    return value + squares.repulsion * closeness;
}

void two_kernel_row(const char* name, const TwoKernelObjective& objective, const MultiVector<double>& y) {
    MultiVector<double> gradient(y.rows(), y.columns());
    MultiVector<double> unused = gradient;
    (void)objective.gradient(y, gradient, {});
    row_of(name, y, gradient, [&](const MultiVector<double>& at) { return objective.gradient(at, unused, {}); });
}

void gradients(const Points& x, Index k) {
    std::printf(
        "\n## Gradients, against central differences (%u digits)\n\n| objective | relative error |\n|---|---|\n",
        x.count());
    const MultiVector<double> y = random_outputs(x.count(), 2, 1.0, 1);
    MultiVector<double> gradient(x.count(), 2);
    const double largest = std::pow(truncated_svd(x.view(), 1, true, {}).singular_values[0], 2);
    const MultiVector<double> wide = random_outputs(x.count(), 2, std::sqrt(largest / x.count()), 1);
    pca_gradient(x.view(), wide, gradient, {});
    row_of(
        "PCA, -4 C (G_x - G_y) C Y", wide, gradient,
        [&](const MultiVector<double>& at) { return PcaDescent(x.view(), at, largest, 0.0, {}).objective(); }, 1.0);
    const NeighborLists lists = neighbors(x, k);
    const CsrMatrix<double> fuzzy = fuzzy_affinities(lists);
    two_kernel_row("PCA with two kernels", pca_with_two_kernels(fuzzy), y);
    const CsrMatrix<double> weights = barycentric_weights(x.view(), lists, 1e-3);
    const TwoKernelObjective lle = lle_with_two_kernels(weights, {});
    two_kernel_row("LLE with two kernels, k_y^2", lle, y);
    (void)lemma_four(lle, y, gradient);
    MultiVector<double> unused = gradient;
    row_of("LLE with two kernels, k_y: lemma 4", y, gradient,
           [&](const MultiVector<double>& at) { return lemma_four(lle, at, unused); });
    CsrMatrix<double> shares = fuzzy;
    double sum = 0.0;
    for (const double value : shares.values) {
        sum += value;
    }
    for (double& value : shares.values) {
        value /= sum;
    }
    ExactRepulsion exact;
    const CsrMatrix<float> edges = narrow(std::move(shares));
    (void)ForceLayout(edges, exact, y, tsne_schedule(x.count()), {}).gradient(1.0, gradient, {});
    for (double& value : gradient.values()) {
        value *= 4.0;  // forces are kept in quarters
    }
    row_of("t-SNE, KL(P \\|\\| Q)", y, gradient, [&](const MultiVector<double>& at) {
        return ForceLayout(edges, exact, at, tsne_schedule(at.rows()), {}).divergence({});
    });
}

/// The digits, their spectrum, and where PCA puts them.
struct PcaCase {
    explicit PcaCase(const Points& points)
        : x(points), svd(truncated_svd(points.view(), points.dimension(), true, {})) {
        largest = svd.singular_values[0] * svd.singular_values[0];
        truth = project(x.view(), truncated_svd(x.view(), 2, true, {}), {});
        start = random_outputs(x.count(), 2, 0.1 * std::sqrt(largest / x.count()), 0);
    }

    [[nodiscard]] double eigenvalue(std::size_t a) const { return svd.singular_values[a] * svd.singular_values[a]; }
    /// |G_x - G_x^k|_F^2.
    [[nodiscard]] double beyond(std::size_t rank) const {
        double sum = 0.0;
        for (std::size_t a = rank; a < svd.singular_values.size(); ++a) {
            sum += eigenvalue(a) * eigenvalue(a);
        }
        return sum;
    }
    [[nodiscard]] double error(const MultiVector<double>& y) const {
        Points points(y.rows(), y.columns());
        std::transform(y.values().begin(), y.values().end(), points.values().begin(),
                       [](double value) { return static_cast<float>(value); });
        return align(points.view(), truth.view(), {}).error;
    }
    [[nodiscard]] Points few(Index rank) const {
        return project(x.view(), truncated_svd(x.view(), rank, true, {}), {});
    }

    const Points& x;
    TruncatedSvd svd;
    double largest = 0.0;
    Points truth;
    MultiVector<double> start;
};

void convergence(const PcaCase& one) {
    const std::vector<Index> ranks{2, 5, 50};
    std::printf(
        "\n## PCA by forces: Procrustes error against PCA, %u digits, from one random start (figure 2)\n\n| iteration "
        "| "
        "whole gradient | rank 2 | rank 5 | rank 50 | objective / least |\n|---|---|---|---|---|---|\n",
        one.x.count());
    PcaDescent whole(one.x.view(), one.start, one.largest, 0.0, {});
    std::vector<Points> points;
    for (const Index rank : ranks) {
        points.push_back(one.few(rank));
    }
    std::vector<PcaDescent> few;
    few.reserve(ranks.size());
    for (const Points& x : points) {
        few.emplace_back(x.view(), one.start, one.largest, 0.0, RunContext{});
    }
    for (const int iteration : {0, 10, 20, 50, 100, 200, 500}) {
        (void)whole.run_to(iteration);
        std::printf("| %d | %.1e |", iteration, one.error(whole.outputs()));
        for (PcaDescent& descent : few) {
            (void)descent.run_to(iteration);
            std::printf(" %.1e |", one.error(descent.outputs()));
        }
        std::printf(" %.6f |\n", (one.beyond(0) + whole.objective()) / one.beyond(2));
        std::fflush(stdout);
    }
}

/// Lemma 3 along the descent by rank-k gradients: its condition as a ratio (at least 1: it holds), and the cosine.
void lemma_three(const PcaCase& one) {
    std::printf(
        "\n## Lemma 3: |G_x - G_y|^2 over (lambda_1 / lambda_k) |G_x - G_x^k|^2, and the cosine of both gradients\n\n| "
        "iteration | rank 2: ratio | cosine | rank 5: ratio | cosine | rank 50: ratio | cosine "
        "|\n|---|---|---|---|---|---|---|\n");
    const std::vector<Index> ranks{2, 5, 50};
    PcaDescent whole(one.x.view(), one.start, one.largest, 0.0, {});
    MultiVector<double> gradient(one.x.count(), 2);
    MultiVector<double> approximate(one.x.count(), 2);
    for (const int iteration : {0, 10, 50, 100, 200, 500}) {
        (void)whole.run_to(iteration);
        pca_gradient(one.x.view(), whole.outputs(), gradient, {});
        std::printf("| %d |", iteration);
        for (const Index rank : ranks) {
            const Points few = one.few(rank);
            pca_gradient(few.view(), whole.outputs(), approximate, {});
            const double bound = one.eigenvalue(0) / one.eigenvalue(rank - 1) * one.beyond(rank);
            std::printf(" %.2f |", (one.beyond(0) + whole.objective()) / bound);
            if (whole.residual() > 1e-5 || iteration == 0) {
                std::printf(" %.6f |", cosine(gradient, approximate));
            } else {
                std::printf(" at rest |");  // the rest of a gradient there is rounding
            }
        }
        std::printf("\n");
        std::fflush(stdout);
    }
}

/// Where UMAP is at an epoch: how far its expected update goes, and the cosine of that with LLE's gradient.
class Cosines {
public:
    Cosines(const Points& x, const NeighborLists& lists)
        : umap_(fuzzy_affinities(lists)),
          squares_(lle_with_two_kernels(barycentric_weights(x.view(), lists, 1e-3), {})) {}

    [[nodiscard]] const UmapUpdate& umap() const { return umap_; }

    void print(const MultiVector<double>& y) const {
        MultiVector<double> update = y;
        MultiVector<double> lle = y;
        umap_.gradient(y, update);
        const double value = lemma_four(squares_, y, lle);
        const double with_values = cosine(update, lle);
        (void)squares_.gradient(y, lle, {});
        std::printf(" %.3f | %.3f | %.2g | %.0f |", with_values, cosine(update, lle),
                    std::sqrt(dot(update, update) / y.rows()), value);
    }

private:
    UmapUpdate umap_;
    TwoKernelObjective squares_;
};

/// PCA, ten wide, as umap-learn begins.
MultiVector<double> start_of_umap(const Points& x) {
    const Points start = project(x.view(), truncated_svd(x.view(), 2, true, {}), {});
    double largest = 0.0;
    for (const float value : start.values()) {
        largest = std::max(largest, std::abs(double{value}));
    }
    MultiVector<double> y(x.count(), 2);
    std::transform(start.values().begin(), start.values().end(), y.values().begin(),
                   [&](float value) { return 10.0 * double{value} / largest; });
    return y;
}

void conjecture(const Points& x, Index k, int epochs) {
    const Cosines cosines(x, neighbors(x, k));
    std::printf(
        "\n## Conjecture 1: cosine of UMAP's expected update and LLE's gradient with two kernels (%u digits)\n\n| "
        "epoch | "
        "drawn: lemma 4 | k_y^2 | update | objective | expected: lemma 4 | k_y^2 | update | objective "
        "|\n|---|---|---|---|---|---|---|---|---|\n",
        x.count());
    MultiVector<double> drawn = start_of_umap(x);
    MultiVector<double> expected = drawn;
    for (int epoch = 0; epoch <= epochs; ++epoch) {
        const std::vector<int> shown{0, 1, 2, 5, 10, 20, 50, 100, 150, 180, 190, epochs};
        if (std::find(shown.begin(), shown.end(), epoch) != shown.end()) {
            std::printf("| %d |", epoch);
            cosines.print(drawn);
            cosines.print(expected);
            std::printf("\n");
            std::fflush(stdout);
        }
        const double rate = 1.0 - static_cast<double>(epoch) / epochs;
        cosines.umap().sample(drawn, rate, epoch);
        for (int part = 0; part < parts_of_epoch; ++part) {
            cosines.umap().move(expected, rate / parts_of_epoch);
        }
    }
}

}  // namespace

int main(int count, char** words) {
    const Arguments arguments(count, words, help);
    const RunContext context;
    const auto k = static_cast<Index>(arguments.number("--neighbors", 15.0));
    const auto points = static_cast<Index>(arguments.number("--points", 1000.0));
    const auto many = static_cast<Index>(arguments.number("--conjecture", 1000.0));
    const Digits few = digits(arguments, 300, 70000 / 300, context);
    std::printf("%s digits\n", few.kind);
    gradients(few.points, k);
    const Digits some = digits(arguments, points, 70000 / points, context);
    const PcaCase one(some.points);
    convergence(one);
    lemma_three(one);
    const Digits more = digits(arguments, many, 70000 / many, context);
    conjecture(more.points, k, static_cast<int>(arguments.number("--epochs", 200.0)));
    return 0;
}
