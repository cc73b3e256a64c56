#include "engines/faiss_index.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "io/files.hpp"
#include "isogon/core/error.hpp"
#include "linalg/truncated_svd.hpp"
#include "reference/point_sets.hpp"
#include "transform/projection_map.hpp"

namespace isogon::faiss_index_test {

namespace {

using reference::random_points;

std::string written(const FaissIndex& index) {
    const test::TemporaryFolder folder;
    index.write(folder / "x.faiss");
    return test::bytes_of(folder / "x.faiss");
}

std::string hex(const std::string& bytes) {
    std::string text;
    for (const char c : bytes) {
        text += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
        text += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
    }
    return text;
}

Points points_of(Index count, Index dimension, const std::vector<float>& values) {
    Points points(count, dimension);
    std::copy(values.begin(), values.end(), points.values().begin());
    return points;
}

/// Reads a file in the order of its read_index, and computes what faiss does with a query, slowly.
class SlowFaiss {
public:
    explicit SlowFaiss(std::string bytes) : bytes_(std::move(bytes)) {
        read_index();
        EXPECT_EQ(at_, bytes_.size());
    }

    /// Squared distances, or products, of a query with all vectors.
    [[nodiscard]] std::vector<double> scores(std::span<const float> query) const {
        std::vector<double> q(query.begin(), query.end());
        for (const Step& step : steps_) {
            q = step.normalises ? normalised(q) : mapped(q, step);
        }
        std::vector<double> all;
        for (std::size_t i = 0; i * stored_ < vectors_.size(); ++i) {
            double sum = 0.0;
            for (std::size_t k = 0; k < stored_; ++k) {
                const double y = vectors_[i * stored_ + k];
                sum += euclidean_ ? (q[k] - y) * (q[k] - y) : q[k] * y;
            }
            all.push_back(sum);
        }
        return all;
    }

    std::vector<std::int64_t> ids{};

private:
    struct Step {
        bool normalises = false;
        std::vector<float> matrix{};
        std::vector<float> shift{};
        std::int32_t from = 0;
        std::int32_t to = 0;
    };

    template <class Number>
    Number read() {
        Number value{};
        std::memcpy(&value, bytes_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }

    template <class Number>
    std::vector<Number> read_list() {
        std::vector<Number> list(read<std::uint64_t>());
        for (Number& value : list) {
            value = read<Number>();
        }
        return list;
    }

    std::string read_name() {
        at_ += 4;
        return bytes_.substr(at_ - 4, 4);
    }

    void read_index() {
        const std::string name = read_name();
        stored_ = static_cast<std::size_t>(read<std::int32_t>());
        const auto count = read<std::int64_t>();
        at_ += 16;
        EXPECT_EQ(read<std::uint8_t>(), 1) << name;
        euclidean_ = read<std::int32_t>() == 1;
        if (name == "IxMp") {
            read_index();
            ids = read_list<std::int64_t>();
            EXPECT_EQ(ids.size(), static_cast<std::size_t>(count));
        } else if (name == "IxPT") {
            for (auto left = read<std::int32_t>(); left > 0; --left) {
                steps_.push_back(read_step());
            }
            read_index();
        } else if (name == "IxPq") {
            read_codes();
        } else {
            EXPECT_EQ(name, euclidean_ ? "IxF2" : "IxFI");
            vectors_ = read_list<float>();
        }
        EXPECT_EQ(vectors_.size(), stored_ * static_cast<std::size_t>(count)) << name;
    }

    Step read_step() {
        Step step;
        const std::string name = read_name();
        step.normalises = name == "VNrm";
        if (step.normalises) {
            EXPECT_EQ(read<float>(), 2.0F);
        } else {
            EXPECT_EQ(name, "LTra");
            const bool shifts = read<std::uint8_t>() != 0;
            step.matrix = read_list<float>();
            step.shift = read_list<float>();
            EXPECT_EQ(shifts, !step.shift.empty());
        }
        step.from = read<std::int32_t>();
        step.to = read<std::int32_t>();
        EXPECT_EQ(read<std::uint8_t>(), 1);
        return step;
    }

    void read_codes() {
        const auto d = read<std::uint64_t>();
        const auto parts = read<std::uint64_t>();
        ASSERT_EQ(read<std::uint64_t>(), 8U);
        ASSERT_EQ(d % parts, 0U);
        const std::size_t length = d / parts;
        const auto words = read_list<float>();
        ASSERT_EQ(words.size(), 256 * d);
        const auto codes = read_list<std::uint8_t>();
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const auto word = words.begin() + static_cast<std::ptrdiff_t>((i % parts * 256 + codes[i]) * length);
            vectors_.insert(vectors_.end(), word, word + static_cast<std::ptrdiff_t>(length));
        }
        EXPECT_EQ(read<std::int32_t>(), 0);
        EXPECT_EQ(read<std::uint8_t>(), 0);
        EXPECT_EQ(read<std::int32_t>(), 0);
    }

    static std::vector<double> normalised(std::vector<double> x) {
        double squares = 0.0;
        for (const double value : x) {
            squares += value * value;
        }
        for (double& value : x) {
            value /= squares > 0.0 ? std::sqrt(squares) : 1.0;
        }
        return x;
    }

    static std::vector<double> mapped(const std::vector<double>& x, const Step& step) {
        EXPECT_EQ(x.size(), static_cast<std::size_t>(step.from));
        std::vector<double> y(static_cast<std::size_t>(step.to), 0.0);
        for (std::size_t a = 0; a < y.size(); ++a) {
            y[a] = step.shift.empty() ? 0.0 : double{step.shift[a]};
            for (std::size_t k = 0; k < x.size(); ++k) {
                y[a] += x[k] * double{step.matrix[a * x.size() + k]};
            }
        }
        return y;
    }

    std::string bytes_;
    std::size_t at_ = 0;
    std::size_t stored_ = 0;
    bool euclidean_ = false;
    std::vector<Step> steps_{};
    std::vector<float> vectors_{};
};

Archive linear_model(const PointsView& x, Index dimension, bool centered, double unit = 1.0) {
    Archive model{.kind = ArchiveKind::Model, .method = "svd"};
    model.notes.emplace("map", "linear");
    model.arrays = ProjectionMap::arrays(truncated_svd(x, dimension, centered, {}), unit);
    return model;
}

}  // namespace

// Files that faiss 1.15.1 wrote with the same calls.
TEST(FaissIndex, FilesAreThoseOfFaiss) {
    const Points x = points_of(2, 2, {1, 2, 3, 4});
    FaissIndex numbered(x.view(), Metric::Euclidean);
    const std::vector<std::int64_t> ids{7, -9};
    numbered.set_ids(ids);
    EXPECT_EQ(
        hex(written(numbered)),
        "49784d70020000000200000000000000000010000000000000001000000000000101000000497846320200000002000000000000000000"
        "1000000000000000100000000000010100000004000000000000000000803f0000004000004040000080400200000000000000070000"
        "0000000000f7ffffffffffffff");
    const Points y = points_of(2, 2, {3, 4, 0, 2});
    EXPECT_EQ(hex(written(FaissIndex(y.view(), Metric::Cosine))),
              "4978505402000000020000000000000000001000000000000000100000000000010000000001000000564e726d00000040020000"
              "00020000"
              "00014978464902000000020000000000000000001000000000000000100000000000010000000004000000000000009a99193fcd"
              "cc4c3f00"
              "0000000000803f");
}

TEST(FaissIndex, PointsHaveTheDistancesOfTheirMetric) {
    const Points x = random_points(9000, 3, 1, 2.0);  // more than one block
    const Points q = random_points(3, 3, 2);
    for (const Metric metric : {Metric::Cosine, Metric::InnerProduct, Metric::Euclidean}) {
        const SlowFaiss index(written(FaissIndex(x.view(), metric)));
        for (Index i = 0; i < q.count(); ++i) {
            const auto scores = index.scores(q[i]);
            ASSERT_EQ(scores.size(), x.count());
            const double longest = norms(q.view())[i];
            for (Index j = 0; j < x.count(); ++j) {
                double product = 0.0;
                double distance = 0.0;
                for (Index k = 0; k < 3; ++k) {
                    product += double{q[i][k]} * double{x[j][k]};
                    distance += std::pow(double{q[i][k]} - double{x[j][k]}, 2);
                }
                const double cosine = product / (longest * norms({x[j].data(), 1, 3})[0]);
                const double wanted = metric == Metric::Cosine         ? cosine
                                      : metric == Metric::InnerProduct ? product
                                                                       : distance;
                if (j % 1000 == 0 || j + 1 == x.count()) {
                    ASSERT_NEAR(scores[j], wanted, 1e-5 * (1 + std::abs(wanted)));
                }
            }
        }
    }
}

TEST(FaissIndex, CodesHaveTheDistancesOfDecodedVectors) {
    const Points x = random_points(400, 7, 3, 5.0);
    const Points q = random_points(4, 7, 4, 5.0);
    for (const Metric metric : {Metric::InnerProduct, Metric::Euclidean, Metric::Cosine}) {
        for (const int bytes : {1, 3, 7}) {  // 7 numbers in 3 bytes: parts of unequal length
            const VectorCodes codes(x.view(), {.bytes = bytes, .metric = metric, .rounds = 2}, {});
            const Points decoded = codes.decode();
            const SlowFaiss index(written(FaissIndex(codes)));
            for (Index i = 0; i < q.count(); ++i) {
                const auto scores = index.scores(q[i]);
                ASSERT_EQ(scores.size(), 400U);
                const double length = metric == Metric::Cosine ? norms(q.view())[i] : 1.0;
                for (Index j = 0; j < x.count(); ++j) {
                    double wanted = 0.0;
                    for (Index k = 0; k < 7; ++k) {
                        const double own = double{q[i][k]} / length;
                        const double other = double{decoded[j][k]};
                        wanted += metric == Metric::InnerProduct ? own * other : (own - other) * (own - other);
                    }
                    ASSERT_NEAR(scores[j], wanted, 1e-4 * (1 + std::abs(wanted))) << bytes;
                }
            }
        }
    }
}

// Fewer points than 256 have fewer codewords.
TEST(FaissIndex, ShortCodebooksAreFilledUp) {
    const Points x = random_points(20, 4, 5);
    const VectorCodes codes(x.view(), {.bytes = 2, .metric = Metric::Euclidean, .rounds = 1}, {});
    const Points decoded = codes.decode();
    const SlowFaiss index(written(FaissIndex(codes)));
    const auto scores = index.scores(decoded[7]);
    EXPECT_NEAR(scores[7], 0.0, 1e-8);
}

TEST(FaissIndex, ALinearModelFirstTakesVectorsAsTheyWere) {
    const Points x = random_points(300, 6, 6, 3.0);
    const std::vector<std::int64_t> ids(300, 5);
    for (const bool centered : {false, true}) {
        for (const double unit : {1.0, 4.0}) {
            const Archive model = linear_model(x.view(), 3, centered, unit);
            const Points y = ProjectionMap(model).transform(x.view(), {}).coordinates;
            const VectorCodes codes(y.view(), {.bytes = 3, .metric = Metric::Euclidean, .rounds = 1}, {});
            FaissIndex plain(codes);
            FaissIndex mapping(codes);
            mapping.map_first(model);
            mapping.set_ids(ids);
            EXPECT_EQ(mapping.dimension(), 6U);
            const SlowFaiss index(written(mapping));
            EXPECT_EQ(index.ids, ids);
            const auto scores = index.scores(x[11]);
            const auto wanted = SlowFaiss(written(plain)).scores(y[11]);
            for (std::size_t j = 0; j < wanted.size(); ++j) {
                ASSERT_NEAR(scores[j], wanted[j], 1e-4 * (1 + wanted[j])) << centered << unit;
            }
        }
    }
}

TEST(FaissIndex, WhatDoesNotFitIsRefusedByName) {
    const Points x = random_points(10, 4, 7);
    FaissIndex index(x.view(), Metric::Euclidean);
    const std::vector<std::int64_t> few{1, 2};
    test::expect_holds(test::message_of<InvalidArgument>([&] {
                           index.set_ids(few);
                           return 0;
                       }),
                       {"ids", "2", "10"});
    test::expect_holds(test::message_of<InvalidArgument>([&] {
                           index.map_first(linear_model(x.view(), 3, false));
                           return 0;
                       }),
                       {"model", "3", "4"});
    Archive other{.kind = ArchiveKind::Model, .method = "faithful"};
    other.notes.emplace("map", "placement");
    other.source = "m.safetensors";
    test::expect_input_error(
        [&] {
            index.map_first(other);
            return 0;
        },
        {"m.safetensors", "faithful", "not linear", "transform"});
    Points bad = random_points(3, 2, 8);
    bad[1][1] = std::numeric_limits<float>::quiet_NaN();
    test::expect_input_error([&] { return FaissIndex(bad.view(), Metric::Cosine); }, {"row 1", "NaN"});
}

TEST(FaissIndex, AFileThatExistsIsKept) {
    const test::TemporaryFolder folder;
    const Points x = random_points(10, 4, 7);
    const FaissIndex index(x.view(), Metric::Euclidean);
    const auto path = folder.file("x.faiss", "old");
    EXPECT_THROW(index.write(path), OutputError);
    EXPECT_EQ(test::bytes_of(path), "old");
    index.write(path, {.format = {}, .overwrite = true});
    EXPECT_NE(test::bytes_of(path), "old");
}

}  // namespace isogon::faiss_index_test
