#include "registry/input_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/model.hpp"
#include "reference/point_sets.hpp"
#include "support/messages.hpp"
#include "support/sparse_matrices.hpp"

namespace isogon::sparse_rows_test {
namespace {

using support::Matrix;

const std::vector<std::string> on_graphs{"faithful", "umap", "tsne", "isomap", "laplacian"};

/// Three groups of rows with columns of their own; values of quarters, which float32 holds.
Matrix grouped_rows(Index rows, Index columns, std::uint64_t seed) {
    Matrix dense = support::random_sparse(rows, columns, 0.2, seed);
    for (Index i = 0; i < rows; ++i) {
        for (Index c = 0; c < columns; ++c) {
            dense(i, c) = (dense(i, c) != 0.0 && c % 3 == i % 3) || c % 10 == 0
                              ? std::round(8.0 * std::abs(dense(i, c)) + 1.0) / 4.0
                              : 0.0;
        }
    }
    return dense;
}

CsrMatrix<double> sparse(const Matrix& dense) {
    return widen(support::to_sparse(dense));
}

OptionValues quick(const std::string& method, Index dimension = 2) {
    OptionValues values{{"dimension", std::int64_t{dimension}}};
    if (method == "tsne" || method == "umap") {
        values["iterations"] = std::int64_t{60};
    }
    if (method == "isomap" || method == "laplacian") {
        values["neighbors"] = std::int64_t{20};
    }
    return values;
}

Embedding fit(const std::string& method, const CsrMatrix<double>& x, const OptionValues& values,
              const RunContext& context = {}, FitExtras extras = {}) {
    extras.sparse = &x;
    return find_method(method).embed(PointsView(nullptr, x.rows, 0), values, context, extras);
}

float largest_difference(const Points& a, const Points& b) {
    float largest = 0.0F;
    for (std::size_t k = 0; k < a.values().size(); ++k) {
        largest = std::max(largest, std::abs(a.values()[k] - b.values()[k]));
    }
    return largest;
}

TEST(SparseRows, HaveThePrincipalComponentsOfDenseOnes) {
    const Matrix dense = grouped_rows(120, 30, 1);
    for (const char* method : {"pca", "svd"}) {
        const Embedding found = fit(method, sparse(dense), quick(method, 5));
        const Embedding known = find_method(method).embed(support::to_points(dense).view(), quick(method, 5));
        ASSERT_EQ(found.coordinates.count(), 120);
        EXPECT_LT(largest_difference(found.coordinates, known.coordinates), 1e-4F) << method;
        EXPECT_NEAR(found.summary.value("share_of_squares_kept"), known.summary.value("share_of_squares_kept"), 1e-6);
        const Transformer map(make_model(method, PointsView(nullptr, 120, 0), found), {});
        const Points placed = map.map().transform(support::to_points(dense).view(), {}).coordinates;
        EXPECT_LT(largest_difference(placed, found.coordinates), 1e-4F) << method;
    }
}

TEST(SparseRows, KeepTheNeighborsThatDenseOnesKeep) {
    const Matrix dense = grouped_rows(150, 60, 2);
    for (const char* metric : {"cosine", "euclidean", "correlation", "manhattan"}) {
        OptionValues values = quick("faithful", 12);
        values["metric"] = std::string(metric);
        const Embedding found = fit("faithful", sparse(dense), values);
        const Embedding known = find_method("faithful").embed(support::to_points(dense).view(), values);
        EXPECT_NEAR(found.summary.value("kept_neighbors"), known.summary.value("kept_neighbors"), 0.05) << metric;
        EXPECT_GT(found.summary.value("kept_neighbors"), 0.5) << metric;
        EXPECT_EQ(to_text(found.options.at("metric")), metric);
    }
}

TEST(SparseRows, AreFittedOnceAndLieInOnePlace) {
    Matrix dense = grouped_rows(150, 60, 3);
    for (Index copy = 100; copy < 125; ++copy) {
        dense.row(copy) = dense.row(7);
    }
    dense.row(30).setZero();
    const CsrMatrix<double> x = sparse(dense);
    for (const std::string& method : on_graphs) {
        OptionValues values = quick(method);
        values["metric"] = std::string("cosine");
        const Embedding found = fit(method, x, values);
        ASSERT_EQ(found.coordinates.count(), 150) << method;
        EXPECT_EQ(found.summary.value("duplicates"), 25.0) << method;
        EXPECT_EQ(found.summary.value("zero_vectors"), 1.0) << method;
        for (Index copy = 100; copy < 125; ++copy) {
            EXPECT_TRUE(std::ranges::equal(found.coordinates[copy], found.coordinates[7])) << method;
        }
        std::vector<double> mean(2);
        for (Index i = 0; i < 150; ++i) {
            for (Index c = 0; i != 30 && c < 2; ++c) {
                mean[c] += double{found.coordinates[i][c]} / 149.0;
            }
        }
        EXPECT_NEAR(found.coordinates[30][0], mean[0], 1e-3 * (1.0 + std::abs(mean[0]))) << method;
    }
}

TEST(SparseRows, HaveTheSameBitsForAnyNumberOfThreads) {
    const CsrMatrix<double> x = sparse(grouped_rows(150, 60, 4));
    for (const char* method : {"pca", "svd", "faithful", "umap", "tsne"}) {
        const Embedding one = fit(method, x, quick(method), reference::on_threads(1));
        const Embedding four = fit(method, x, quick(method), reference::on_threads(4));
        EXPECT_TRUE(std::ranges::equal(one.coordinates.values(), four.coordinates.values())) << method;
    }
}

TEST(SparseRows, TakeLabelsAndAStart) {
    Matrix dense = grouped_rows(90, 60, 5);
    dense.row(8) = dense.row(2);
    const CsrMatrix<double> x = sparse(dense);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < 90; ++i) {
        labels.push_back(i % 3);
    }
    FitExtras extras;
    extras.labels = labels;
    OptionValues values = quick("umap");
    EXPECT_EQ(fit("umap", x, values, {}, extras).summary.value("labelled"), 89.0);
    const Points start = reference::random_points(90, 2, 1);
    FitExtras held;
    held.start = start.view();
    values["hold"] = 1.0;
    const Embedding kept = fit("umap", x, values, {}, held);
    EXPECT_TRUE(std::ranges::equal(kept.coordinates[50], start[50]));
}

TEST(SparseRows, AreRefusedWithWhatToDo) {
    const CsrMatrix<double> x = sparse(grouped_rows(60, 30, 6));
    const auto message = [&](const std::string& method, const OptionValues& values, const CsrMatrix<double>& rows) {
        return support::message_of<InvalidArgument>([&] { (void)fit(method, rows, values); });
    };
    EXPECT_TRUE(support::says(message("lle", {}, x), "faithful"));
    EXPECT_TRUE(support::says(message("pca", {{"dimension", std::int64_t{31}}}, x), "30, the dimension of the input"));
    EXPECT_TRUE(support::says(message("faithful", {{"dimension", OptionValue()}}, x), "must be a number"));
    CsrMatrix<double> broken = x;
    broken.indices[1] = broken.indices[0];
    EXPECT_TRUE(support::says(message("umap", {}, broken), "ascend"));
    CsrMatrix<double> large = x;
    large.values[0] = 1e200;
    for (const char* method : {"pca", "umap"}) {
        EXPECT_THROW((void)fit(method, large, quick(method)), InputError) << method;
    }
    const std::vector<std::int64_t> few_labels(7);
    FitExtras few;
    few.labels = few_labels;
    EXPECT_THROW((void)fit("umap", x, quick("umap"), {}, few), InvalidArgument);
    const Points short_start = reference::random_points(7, 2, 1);
    FitExtras shorter;
    shorter.start = short_start.view();
    EXPECT_THROW((void)fit("umap", x, quick("umap"), {}, shorter), InvalidArgument);
    const CsrMatrix<double> none = sparse(Matrix::Zero(20, 30));
    for (const char* method : {"pca", "svd", "umap", "tsne", "faithful"}) {
        EXPECT_THROW((void)fit(method, none, quick(method)), InputError) << method;
    }
    EXPECT_THROW((void)fit("umap", x, quick("umap"), {.memory_limit = 1000}), LimitExceeded);
    EXPECT_THROW((void)fit("pca", x, quick("pca"), {.memory_limit = 1000}), LimitExceeded);
    std::stop_source stop;
    stop.request_stop();
    const RunContext ended{.stop = stop.get_token()};
    EXPECT_EQ(fit("umap", x, quick("umap"), ended).summary.termination, Termination::Cancelled);
}

}  // namespace
}  // namespace isogon::sparse_rows_test
