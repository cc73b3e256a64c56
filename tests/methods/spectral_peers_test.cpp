// laplacian, lle and isomap against scikit-learn, whose results of a swiss roll tests/golden/make_spectral.py wrote.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "isogon/registry/registry.hpp"
#include "reference/point_sets.hpp"
#include "synthetic/point_clouds.hpp"

namespace isogon::spectral_peers_test {
namespace {

using reference::on_threads;

struct Golden {
    int neighbors = 0;
    Eigen::MatrixXd coordinates{};  ///< a row for each of the first points of the roll
};

std::map<std::string, Golden> read_golden() {
    std::ifstream file(std::filesystem::path(ISOGON_GOLDEN_DIR) / "spectral.txt");
    std::map<std::string, Golden> result;
    std::string method;
    Eigen::Index count = 0;
    Eigen::Index dimension = 0;
    int neighbors = 0;
    while (file >> method >> count >> dimension >> neighbors) {
        Golden golden{.neighbors = neighbors, .coordinates = Eigen::MatrixXd(count, dimension)};
        for (Eigen::Index i = 0; i < count; ++i) {
            for (Eigen::Index j = 0; j < dimension; ++j) {
                file >> golden.coordinates(i, j);
            }
        }
        result[method] = golden;
    }
    return result;
}

Eigen::MatrixXd embedded(const std::string& method, const Golden& golden, OptionValues options) {
    const Generated roll = swiss_roll(static_cast<Index>(golden.coordinates.rows()));
    options["dimension"] = std::int64_t{golden.coordinates.cols()};
    options["neighbors"] = std::int64_t{golden.neighbors};
    const Embedding result = find_method(method).embed(roll.points.view(), options, on_threads(2));
    EXPECT_EQ(result.summary.termination, Termination::Converged);
    Eigen::MatrixXd coordinates(golden.coordinates.rows(), golden.coordinates.cols());
    for (Index i = 0; i < result.coordinates.count(); ++i) {
        for (Eigen::Index j = 0; j < coordinates.cols(); ++j) {
            coordinates(i, j) = double{result.coordinates[i][static_cast<std::size_t>(j)]};
        }
    }
    return coordinates;
}

Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& x) {
    const Eigen::HouseholderQR<Eigen::MatrixXd> factors(x);
    return factors.householderQ() * Eigen::MatrixXd::Identity(x.rows(), x.cols());
}

/// The cosine of the largest principal angle between the spans of the columns.
double smallest_cosine(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y) {
    return Eigen::JacobiSVD<Eigen::MatrixXd>(orthonormal(x).transpose() * orthonormal(y)).singularValues().minCoeff();
}

class SpectralPeer : public testing::TestWithParam<std::string> {
protected:
    Golden golden = read_golden()[GetParam()];

    [[nodiscard]] Eigen::MatrixXd coordinates(const Golden& requested) const {
        OptionValues options;
        if (GetParam() == "laplacian") {
            options["kernel"] = std::string("connectivity");
        }
        return embedded(GetParam(), requested, options);
    }
};

INSTANTIATE_TEST_SUITE_P(ScikitLearn, SpectralPeer, testing::Values("lle", "laplacian", "isomap"),
                         [](const auto& test) { return test.param; });

TEST_P(SpectralPeer, SpansTheSame) {
    ASSERT_GT(golden.coordinates.rows(), 500);
    EXPECT_GT(smallest_cosine(coordinates(golden), golden.coordinates), 1.0 - 1e-6);
}

TEST_P(SpectralPeer, OneMoreNeighborWouldShow) {
    Golden other = golden;
    ++other.neighbors;
    EXPECT_LT(smallest_cosine(coordinates(other), golden.coordinates), 1.0 - 1e-5);
}

TEST(IsomapPeer, HasTheSameLengths) {
    // Isomap's unit of length is that of the data, so its columns agree but for their signs.
    const Golden golden = read_golden()["isomap"];
    const Eigen::MatrixXd ours = embedded("isomap", golden, {});
    for (Eigen::Index j = 0; j < ours.cols(); ++j) {
        const double sign = ours.col(j).dot(golden.coordinates.col(j)) < 0.0 ? -1.0 : 1.0;
        EXPECT_LT((ours.col(j) - sign * golden.coordinates.col(j)).norm(), 1e-5 * golden.coordinates.col(j).norm());
    }
}

}  // namespace
}  // namespace isogon::spectral_peers_test
