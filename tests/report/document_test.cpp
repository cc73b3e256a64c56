#include "report/document.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/point_sets.hpp"
#include "report/packed_array.hpp"
#include "support/report_data.hpp"

namespace isogon::document_test {

namespace {

std::vector<int> drawn(const Thumbnails& thumbnails, Index i) {
    std::vector<std::uint8_t> pixels(std::size_t{thumbnails.width()} * thumbnails.height());
    thumbnails.draw(i, pixels);
    return {pixels.begin(), pixels.end()};
}

/// Images of `values`, all alike but for the first pixel of the last, which is `odd`.
Points images(Index count, Index dimension, float value, float odd) {
    Points points(count, dimension);
    for (float& v : points.values()) {
        v = value;
    }
    points[count - 1][0] = odd;
    return points;
}

TEST(Thumbnails, AreTheImagesThemselvesWhereTheyAreFewAndSmall) {
    Points points(2, 6);
    const std::vector<float> bytes{0, 1, 127, 128, 254, 255};
    std::copy(bytes.begin(), bytes.end(), points[1].begin());
    const Thumbnails thumbnails(points.view(), {3, 2});
    EXPECT_EQ(thumbnails.levels(), 256U);
    EXPECT_EQ((std::pair{thumbnails.width(), thumbnails.height()}), (std::pair{Index{3}, Index{2}}));
    EXPECT_EQ(drawn(thumbnails, 1), (std::vector<int>{0, 1, 127, 128, 254, 255}));
    EXPECT_EQ(drawn(thumbnails, 0), std::vector<int>(6, 0));
}

TEST(Thumbnails, GreyGoesFromTheLeastNumberToTheLargest) {
    EXPECT_EQ(drawn(Thumbnails(images(2, 1, -1.0F, 3.0F).view(), {1, 1}), 0), std::vector<int>{0});
    EXPECT_EQ(drawn(Thumbnails(images(2, 1, 1.0F, -3.0F).view(), {1, 1}), 0), std::vector<int>{255});
    EXPECT_EQ(drawn(Thumbnails(images(2, 1, 0.5F, 1.0F).view(), {1, 1}), 0), std::vector<int>{128});
    EXPECT_EQ(drawn(Thumbnails(images(2, 4, 0.0F, 0.0F).view(), {2, 2}), 0), std::vector<int>(4, 0));
    EXPECT_EQ(drawn(Thumbnails(images(2, 1, 3e38F, -3e38F).view(), {1, 1}), 0), std::vector<int>{255});
}

TEST(Thumbnails, ManyHaveSixteenLevels) {
    const Points points = images(2000, 1024, 1.0F, 2.0F);
    const Thumbnails thumbnails(points.view(), {32, 32});
    EXPECT_EQ(thumbnails.levels(), 16U);
    EXPECT_EQ(drawn(thumbnails, 1999)[0], 15);
    EXPECT_EQ(drawn(thumbnails, 1999)[1], 8);
}

TEST(Thumbnails, LargeImagesAreAveraged) {
    // 66 x 40: squares of 3, the last column and row cut short.
    Points points(2, 66 * 40);
    for (Index row = 0; row < 40; ++row) {
        for (Index column = 0; column < 66; ++column) {
            points[0][row * 66 + column] = column < 33 ? 90.0F : 0.0F;
        }
    }
    points[0][39 * 66] = 255.0F;
    const Thumbnails thumbnails(points.view(), {66, 40});
    EXPECT_EQ((std::pair{thumbnails.width(), thumbnails.height()}), (std::pair{Index{22}, Index{14}}));
    const auto pixels = drawn(thumbnails, 0);
    EXPECT_EQ(pixels[0], 90);
    EXPECT_EQ(pixels[10], 90);
    EXPECT_EQ(pixels[11], 0);
    EXPECT_EQ(pixels[13 * 22], 145);  // (255 + 2 * 90) / 3
}

TEST(Thumbnails, AreWrittenAsAnArray) {
    const Points points = images(3, 6, 10.0F, 255.0F);
    JsonWriter json;
    EXPECT_FALSE(write_thumbnails(json, points.view(), {3, 2}, 100000));
    const auto written = support::Json::parse(json.json());
    EXPECT_EQ(written["width"], 3);
    EXPECT_EQ(written["height"], 2);
    EXPECT_EQ(written["levels"], 256);
    EXPECT_EQ(written["pixels"]["shape"], support::Json::parse("[3,6]"));
    const auto pixels = support::stored_numbers(written["pixels"]);
    EXPECT_EQ(pixels[0], 10.0);
    EXPECT_EQ(pixels[12], 255.0);
}

TEST(Thumbnails, ThatTakeTooMuchAreLeftOutWithASentence) {
    const Points points = images(3, 6, 10.0F, 255.0F);
    JsonWriter json;
    const auto why = write_thumbnails(json, points.view(), {3, 2}, 50);
    EXPECT_EQ(json.json(), "null");
    ASSERT_TRUE(why);
    EXPECT_NE(why->find("3 images are left out"), std::string::npos);
    EXPECT_NE(why->find("50 bytes"), std::string::npos) << *why;
}

using support::Json;
using support::numbers;

class Document : public testing::Test {
protected:
    [[nodiscard]] Json write(const ReportOrigin& origin = {}, OutputMetric metric = OutputMetric::Cosine) const {
        Summary summary;
        const Measures measures = take_measures(subject, {.threshold = 0.5, .output_metric = metric}, {}, summary);
        const ReportDocument document = write_document(subject, measures, origin, {"a warning"});
        EXPECT_EQ(document.json.find('<'), std::string::npos);
        return Json::parse(document.json);
    }

    Points x = reference::awkward_points(60, 6, 1);
    Points y = reference::truncated(x, 3);
    ReportSubject subject{.inputs = x.view(), .coordinates = y.view(), .name = "small.npy"};
};

TEST_F(Document, SaysWhatItIs) {
    const Json json = write();
    EXPECT_EQ(json["format"], "isogon-report");
    EXPECT_EQ(json["version"], 1);
    EXPECT_EQ(json["kind"], "embedding");
    EXPECT_EQ(json["title"], "small.npy: 60 points, 6 to 3 dimensions");
    EXPECT_EQ(json["warnings"], Json::parse(R"(["a warning"])"));
    EXPECT_TRUE(json["run"].is_null());
    EXPECT_EQ(json["made"], Json::object());
    EXPECT_EQ(write({.program = "isogon 1"})["made"], Json::parse(R"({"program":"isogon 1"})"));
    subject.title = "</script>";
    subject.run = ReportRun{.method = "tsm"};
    EXPECT_EQ(write()["title"], "</script>");
    EXPECT_EQ(write()["run"]["method"], "tsm");
}

TEST_F(Document, HoldsThePoints) {
    const Json points = write()["points"];
    EXPECT_EQ(points["count"], 60);
    EXPECT_EQ(points["input_dimension"], 6);
    EXPECT_EQ(points["dimension"], 3);
    EXPECT_EQ(points["coordinates"]["shape"], Json::parse("[60,3]"));
    const auto coordinates = numbers(points["coordinates"]);
    const auto lengths = numbers(points["norm"]);
    const auto isolated = numbers(points["isolated"]);
    const auto errors = support::stored_numbers(points["angle_error"]);
    for (Index i = 0; i < 60; ++i) {
        EXPECT_NEAR(coordinates[3 * i + 2], y[i][2], 1e-3);
        EXPECT_NEAR(lengths[i], norms(x.view())[i], 1e-5 * lengths[i]);
        EXPECT_EQ(errors[i] == no_number, isolated[i] == 1.0 || lengths[i] == 0.0) << i;
        EXPECT_FALSE(isolated[i] == 1.0 && lengths[i] == 0.0) << i;
    }
    EXPECT_TRUE(points["labels"].is_null());
    EXPECT_TRUE(points["words"].is_null());
    EXPECT_TRUE(points["images"].is_null());
    EXPECT_TRUE(points["images_left_out"].is_null());
    EXPECT_FALSE(points.contains("rows"));
}

TEST_F(Document, HoldsLabelsAndWordsAsTheyAre) {
    std::vector<std::string> words(60, "word");
    words[1] = "</script><img src=x onerror=alert(1)>";
    words[2] = "\"quotes' \\";
    words[3] = "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xE2\x80\xAE";
    words[4] = std::string(10000, 'w');
    words[5] = "broken \xFF";
    subject.words = words;
    subject.labels = {{"<b>one</b>", words[4]}, std::vector<std::uint32_t>(60, 1)};
    const Json points = write()["points"];
    EXPECT_EQ(points["labels"]["names"], (Json{"<b>one</b>", words[4]}));
    EXPECT_EQ(numbers(points["labels"]["index"]), std::vector<double>(60, 1.0));
    const std::string text = support::unpacked(support::from_base64(points["words"]["gzip"].get<std::string>()));
    const Json read = Json::parse(text);
    ASSERT_EQ(read.size(), 60U);
    for (const std::size_t i : {0U, 1U, 2U, 3U, 4U}) {
        EXPECT_EQ(read[i], words[i]);
    }
    EXPECT_EQ(read[5], "broken \xEF\xBF\xBD");
}

TEST_F(Document, HoldsPicturesOfImages) {
    subject.images = ImageShape{3, 2};
    const Json points = write()["points"];
    EXPECT_EQ(points["images"]["width"], 3);
    EXPECT_EQ(points["images"]["pixels"]["shape"], Json::parse("[60,6]"));
}

TEST_F(Document, HoldsWhereASampleCameFrom) {
    subject.rows.resize(60);
    for (Index i = 0; i < 60; ++i) {
        subject.rows[i] = 1000 * i;
    }
    subject.points_in_all = 60000;
    const Json points = write()["points"];
    EXPECT_EQ(numbers(points["rows"])[59], 59000.0);
    EXPECT_EQ(points["points_in_all"], 60000);
}

TEST_F(Document, HoldsNeighborsOfBothSides) {
    const Json neighbors = write()["neighbors"];
    EXPECT_EQ(neighbors["k"], 10);
    for (const char* side : {"input", "embedding"}) {
        EXPECT_EQ(neighbors[side]["index"]["shape"], Json::parse("[60,10]"));
        const auto lengths = norms(side == std::string("input") ? x.view() : y.view());
        const auto index = numbers(neighbors[side]["index"]);
        for (std::size_t place = 0; place < index.size(); ++place) {
            const bool zero = lengths[place / 10] == 0.0;
            EXPECT_EQ(index[place], zero ? 4294967295.0 : std::min(index[place], 59.0));
            for (const char* angle : {"angle_in", "angle_out"}) {
                const double code = support::stored_numbers(neighbors[side][angle])[place];
                EXPECT_EQ(code, zero ? no_number : std::min(code, 18000.0));
            }
        }
    }
}

TEST_F(Document, HoldsDistancesWhereNeighboursAreByDistance) {
    const Json by_angle = write();
    const Json json = write({}, OutputMetric::Euclidean);
    EXPECT_EQ(by_angle["neighbors"]["by"], "angle");
    EXPECT_EQ(json["neighbors"]["by"], "distance");
    EXPECT_EQ(json["neighbors"]["by_input"], "distance");
    EXPECT_EQ(json["quality"]["rows"][1]["name"], "PCA, same number of dimensions");
    for (const char* side : {"input", "embedding"}) {
        EXPECT_FALSE(json["neighbors"][side].contains("angle_in"));
        const auto index = numbers(json["neighbors"][side]["index"]);
        const auto in = numbers(json["neighbors"][side]["distance_in"]);
        const auto out = numbers(json["neighbors"][side]["distance_out"]);
        const auto farthest = *std::max_element(in.begin(), in.end());
        for (std::size_t place = 0; place < index.size(); ++place) {
            const auto i = static_cast<Index>(place / 10);
            const auto j = static_cast<Index>(index[place]);
            EXPECT_NEAR(in[place], distance_between(x[i], x[j]), 1e-4 * farthest);
            EXPECT_NEAR(out[place], distance_between(y[i], y[j]), 1e-4 * farthest);
        }
    }
    const Score score =
        isogon::score(x.view(), y.view(), {}, {.threshold = 0.5, .output_metric = OutputMetric::Euclidean});
    EXPECT_EQ(json["quality"]["rows"][0]["measures"]["recall_at_10"], score.recall);
}

TEST_F(Document, HoldsQualityAnglesAndSpectrum) {
    const Json json = write();
    EXPECT_EQ(json["quality"]["rows"][0]["name"], "small.npy");
    EXPECT_EQ(json["quality"]["rows"][1]["name"], "SVD, same number of dimensions");
    EXPECT_TRUE(json["quality"]["rows"][0]["measures"].contains("recall_at_10"));
    const Score score =
        isogon::score(x.view(), y.view(), {}, {.threshold = 0.5, .output_metric = OutputMetric::Cosine});
    EXPECT_EQ(json["quality"]["chance"]["recall_at_10"], score.chance_recall);
    EXPECT_GE(score.chance_recall, 10.0 / 59.0);
    EXPECT_TRUE(json["quality"]["pair_correlation"].is_number());
    std::size_t purposes = 0;
    for (const char* list : {"good", "fair", "outdone", "poor", "chance"}) {
        purposes += json["verdict"][list].size();
    }
    EXPECT_EQ(purposes, 4U);
    EXPECT_EQ(json["verdict"]["baseline"], "SVD to 3 dimensions");
    EXPECT_EQ(json["threshold"], 0.5);
    EXPECT_GT(json["sparsity"], 0.0);
    EXPECT_EQ(json["angles"]["edges_degrees"].size(), 181U);
    EXPECT_EQ(json["angles"]["input"].size(), 180U);
    EXPECT_EQ(json["angles"]["density"]["edges_degrees"].size(), 91U);
    double sum = 0.0;
    for (const double count : numbers(json["angles"]["density"]["counts"])) {
        sum += count;
    }
    EXPECT_EQ(sum, json["angles"]["sampled_pairs"]);
    EXPECT_EQ(json["spectrum"]["values"].size(), 3U);
    EXPECT_EQ(json["axes"]["variances"].size(), 3U);
}

}  // namespace

}  // namespace isogon::document_test
