// Outputs for points that were not fitted as mixtures of fitted ones: locally linear weights (Saul 2022b, eq. 14), the
// baseline that placement is held against. bench FITTED COORDINATES NEW OUTPUT.
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cstdio>
#include <exception>
#include <numeric>

#include "../arguments.hpp"
#include "../timing.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/output.hpp"
#include "isogon/pairs/pair_tiles.hpp"

namespace {

using namespace isogon;
using namespace isogon::bench;

constexpr const char* help =
    "bench FITTED COORDINATES NEW OUTPUT [--neighbors 4 d] [--epsilon 1e-4]: prints the seconds that the weights and "
    "outputs took. bench/transform-quality/run calls it.\n";

PackedPoints directions(const PointsView& x, const RunContext& context) {
    std::vector<Index> all(x.count);
    std::iota(all.begin(), all.end(), Index{0});
    return pack_directions(x, norms(x), all, context);
}

/// The k largest of n cosines.
std::vector<Index> nearest(const float* cosines, Index n, Index k) {
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), Index{0});
    std::nth_element(order.begin(), order.begin() + (k - 1), order.end(),
                     [&](Index a, Index b) { return cosines[a] != cosines[b] ? cosines[a] > cosines[b] : a < b; });
    order.resize(k);
    return order;
}

/// argmin_w |x - sum_j w_j x_j|^2 + epsilon sum_j |x_j|^2 w_j^2; nothing makes the weights sum to one.
Eigen::VectorXd weights(const PointsView& fitted, const std::vector<Index>& near, std::span<const float> x,
                        double epsilon) {
    const auto k = static_cast<Eigen::Index>(near.size());
    Eigen::MatrixXf columns(fitted.dimension, k);
    for (Eigen::Index j = 0; j < k; ++j) {
        columns.col(j) = Eigen::Map<const Eigen::VectorXf>(fitted[near[j]].data(), fitted.dimension);
    }
    const Eigen::Map<const Eigen::VectorXf> point(x.data(), fitted.dimension);
    Eigen::MatrixXd gram = (columns.transpose() * columns).cast<double>();
    gram.diagonal() *= 1.0 + epsilon;
    return gram.ldlt().solve((columns.transpose() * point).cast<double>());
}

Points mixtures(const PointsView& fitted, const PointsView& coordinates, const PointsView& rows, Index k,
                double epsilon, const RunContext& context) {
    Points outputs(rows.count, coordinates.dimension);
    for_each_row_band(directions(rows, context), directions(fitted, context), context, [&](RowBand& band) {
        for (Index r = 0; r < band.rows; ++r) {
            const Index row = band.first_row + r;
            const std::vector<Index> near = nearest(band.values + r * band.stride, fitted.count, k);
            const Eigen::VectorXd share = weights(fitted, near, rows[row], epsilon);
            for (std::size_t j = 0; j < near.size(); ++j) {
                for (Index a = 0; a < coordinates.dimension; ++a) {
                    outputs[row][a] +=
                        static_cast<float>(share[static_cast<Eigen::Index>(j)]) * coordinates[near[j]][a];
                }
            }
        }
    });
    return outputs;
}

int run(const Arguments& arguments) {
    const auto& words = arguments.words();
    if (words.size() < 4) {
        std::fputs(help, stderr);
        return 2;
    }
    const RunContext context;
    const Dataset fitted = read_points(words[0]);
    const Dataset coordinates = read_points(words[1]);
    const Dataset rows = read_points(words[2]);
    if (fitted.points.count != coordinates.points.count || fitted.points.dimension != rows.points.dimension) {
        std::fprintf(stderr, "%s, %s and %s do not belong together\n", words[0].c_str(), words[1].c_str(),
                     words[2].c_str());
        return 2;
    }
    const auto k = static_cast<Index>(arguments.number("--neighbors", 4.0 * coordinates.points.dimension));
    const Stopwatch watch;
    const Points outputs =
        mixtures(fitted.points, coordinates.points, rows.points, std::clamp<Index>(k, 1, fitted.points.count),
                 arguments.number("--epsilon", 1e-4), context);
    std::printf("%.6f\n", watch.seconds());
    write_points(words[3], outputs.view(), {}, {.overwrite = true});
    return 0;
}

}  // namespace

int main(int count, char** words) {
    try {
        return run(Arguments(count, words, help));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
