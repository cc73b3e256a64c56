#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

#include "isogon/core/error.hpp"
#include "isogon/report/report.hpp"
#include "reference/point_sets.hpp"
#include "support/report_data.hpp"

namespace isogon::report_test {

namespace {

using reference::on_threads;
using support::Json;

class Reports : public testing::Test {
protected:
    [[nodiscard]] Json document(const ReportOptions& options = {}) const {
        return Json::parse(make_report(subject, options, on_threads(2)).document);
    }
    void expect_refusal(const std::string& field) const {
        try {
            static_cast<void>(make_report(subject));
            ADD_FAILURE() << "no refusal of " << field;
        } catch (const InvalidArgument& error) {
            EXPECT_EQ(error.field(), field);
        }
    }

    Points x = reference::random_points(150, 6, 1, 0.3);
    Points y = reference::truncated(x, 2);
    std::vector<std::string> words = std::vector<std::string>(150, "word");
    ReportSubject subject{.inputs = x.view(), .coordinates = y.view(), .words = words};
};

TEST_F(Reports, SayWhatWasMeasured) {
    const Report report = make_report(subject, {}, on_threads(2));
    EXPECT_EQ(report.points, 150U);
    EXPECT_EQ(report.summary.termination, Termination::Converged);
    EXPECT_GT(report.score.recall, 0.0);
    EXPECT_TRUE(report.svd);
    const Json json = Json::parse(report.document);
    EXPECT_EQ(json["quality"]["rows"][0]["measures"]["jaccard"], report.score.jaccard);
    EXPECT_EQ(json["warnings"], Json(report.warnings));
    const auto phases = report.summary.seconds;
    for (const std::string phase : {"quality", "neighbors", "writing"}) {
        EXPECT_TRUE(std::any_of(phases.begin(), phases.end(), [&](const auto& p) { return p.first == phase; }))
            << phase;
    }
}

TEST_F(Reports, HaveTheSameBitsForAnyNumberOfThreads) {
    const std::string one = make_report(subject, {}, on_threads(1)).document;
    EXPECT_EQ(one, make_report(subject, {}, on_threads(2)).document);
    EXPECT_EQ(one, make_report(subject, {}, on_threads(3)).document);
}

TEST_F(Reports, OfManyPointsShowASample) {
    subject.labels = {{"a", "b"}, std::vector<std::uint32_t>(150, 1)};
    const ReportOptions options{.points = 40, .seed = 3};
    const Json json = document(options);
    EXPECT_EQ(json["points"]["count"], 40);
    EXPECT_EQ(json["points"]["points_in_all"], 150);
    const auto rows = support::numbers(json["points"]["rows"]);
    const auto expected = reported_rows(150, options);
    EXPECT_EQ(rows, std::vector<double>(expected.begin(), expected.end()));
    const auto coordinates = support::numbers(json["points"]["coordinates"]);
    EXPECT_NEAR(coordinates[2 * 7], y[expected[7]][0], 1e-3);
    EXPECT_NE(json["warnings"].dump().find("40 points of 150"), std::string::npos);
}

// A sample of points that are themselves every third row of a file.
TEST_F(Reports, NameTheWorstPointsByTheirNumbersInTheSource) {
    for (Index i = 0; i < 150; ++i) {
        subject.rows.push_back(3 * i + 1);
    }
    const ReportOptions options{.points = 40, .seed = 3};
    const std::vector<Index> chosen = reported_rows(150, options);
    const Points inputs = read_rows(ViewRows(subject.inputs), chosen);
    const Points outputs = read_rows(ViewRows(subject.coordinates), chosen);
    const Report report = make_report(subject, options);
    const Score direct = score(inputs.view(), outputs.view(), {}, {.threshold = report.score.threshold});
    const auto worst = report.score.kept.worst();
    const auto expected = direct.kept.worst();
    const Json shown = Json::parse(report.document)["quality"]["worst_points"];
    ASSERT_FALSE(expected.empty());
    ASSERT_EQ(worst.size(), expected.size());
    ASSERT_EQ(shown.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(worst[i].point, 3 * chosen[expected[i].point] + 1);
        EXPECT_EQ(worst[i].share, expected[i].share);
        EXPECT_EQ(shown[i]["point"], worst[i].point);
        EXPECT_EQ(shown[i]["kept"], worst[i].share);
    }
}

TEST_F(Reports, HaveColumnsOfTheSample) {
    std::vector<PointColumn> columns{{"n", {}}, {"none", std::vector<std::string>(150)}};
    for (Index i = 0; i < 150; ++i) {
        columns[0].values.push_back(std::to_string(i));
    }
    subject.columns = columns;
    const Json json = document({.points = 40, .seed = 3});
    ASSERT_EQ(json["points"]["columns"].size(), 1U);
    EXPECT_EQ(support::numbers(json["points"]["columns"][0]["values"]), support::numbers(json["points"]["rows"]));
    EXPECT_NE(json["warnings"].dump().find("none"), std::string::npos);
    columns[0].values.pop_back();
    expect_refusal("columns");
    columns = {{"n", words}, {"n", words}};
    subject.columns = columns;
    expect_refusal("columns");
    columns[1].name = "";
    expect_refusal("columns");
}

TEST_F(Reports, EveryOptionCounts) {
    const Json plain = document();
    EXPECT_EQ(document({.threshold = 0.625})["threshold"], 0.625);
    EXPECT_EQ(document({.neighbors = 3})["neighbors"]["k"], 3);
    EXPECT_EQ(document({.rank_rows = 20})["quality"]["rank_rows"], 20);
    EXPECT_EQ(plain["quality"]["rank_rows"], 150);
    EXPECT_NE(document({.points = 20, .seed = 1})["points"]["rows"], document({.points = 20})["points"]["rows"]);
}

TEST_F(Reports, OfTwoPointsAndOfPointsThatAreAllAlike) {
    const Points two = reference::random_points(2, 3, 2);
    EXPECT_EQ(Json::parse(make_report({.inputs = two.view(), .coordinates = two.view()}).document)["neighbors"]["k"],
              1);
    for (const Points& points : {reference::equal_points(20, 3), Points(20, 3)}) {
        const Report report = make_report({.inputs = points.view(), .coordinates = points.view()});
        EXPECT_EQ(report.document.find("nan"), std::string::npos);
        EXPECT_TRUE(Json::accept(report.document));
    }
}

TEST_F(Reports, RefuseWhatDoesNotBelongTogether) {
    subject.words = std::span(words).first(149);
    expect_refusal("words");
    subject.words = {};
    subject.labels = {{"a"}, {0, 0}};
    expect_refusal("labels");
    subject.labels = {};
    subject.rows = {1, 2};
    expect_refusal("rows");
    subject.rows = {};
    subject.images = ImageShape{4, 2};
    expect_refusal("images");
    subject.images = ImageShape{0, 0};
    expect_refusal("images");
    subject.images = {};
    subject.coordinates.count = 149;
    expect_refusal("coordinates");
    subject.coordinates.dimension = 0;
    subject.coordinates.count = 150;
    expect_refusal("coordinates");
    subject.inputs.count = 1;
    expect_refusal("inputs");
}

TEST_F(Reports, RefuseBadOptionsAndBadNumbers) {
    EXPECT_THROW(static_cast<void>(make_report(subject, {.threshold = 1.0})), InvalidArgument);
    EXPECT_THROW(static_cast<void>(make_report(subject, {.neighbors = -1})), InvalidArgument);
    EXPECT_THROW(static_cast<void>(make_report(subject, {.points = 1})), InvalidArgument);
    EXPECT_THROW(static_cast<void>(make_report(subject, {.rank_rows = 0})), InvalidArgument);
    y[3][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(make_report(subject)), InputError);
}

TEST_F(Reports, AStoppedRunHasNoDocument) {
    std::stop_source stop;
    stop.request_stop();
    RunContext context;
    context.stop = stop.get_token();
    const Report report = make_report(subject, {}, context);
    EXPECT_EQ(report.summary.termination, Termination::Cancelled);
    EXPECT_TRUE(report.document.empty());
}

TEST_F(Reports, StateTheirMemory) {
    RunContext context;
    context.memory_limit = 1000;
    EXPECT_THROW(static_cast<void>(make_report(subject, {}, context)), LimitExceeded);
    EXPECT_THROW(static_cast<void>(make_report(subject, {.points = 40}, context)), LimitExceeded);
}

using Names = std::vector<std::string>;
using Places = std::vector<std::uint32_t>;

TEST(Classes, OfNumbersComeInTheirOrder) {
    const std::vector<std::int64_t> labels{10, -3, 2, 10};
    const Classes classes = classes_of(labels);
    EXPECT_EQ(classes.names, (Names{"2", "10", "unknown"}));
    EXPECT_EQ(classes.index, (Places{1, 2, 0, 1}));
    EXPECT_EQ(classes.unknown, 2U);
    EXPECT_FALSE(classes_of(std::vector<std::int64_t>{0, 1}).unknown);
}

TEST(Classes, OfTextsComeInTheOrderOfTheirBytes) {
    const Names names{"b", "10", "2", "02"};
    const std::vector<std::int64_t> labels{0, 1, -1, 0, 3};
    const Classes classes = classes_of(labels, names);
    EXPECT_EQ(classes.names, (Names{"02", "10", "b", "unknown"}));
    EXPECT_EQ(classes.index, (Places{2, 1, 3, 2, 0}));
    EXPECT_EQ(classes.unknown, 3U);
    EXPECT_THROW(static_cast<void>(classes_of(std::vector<std::int64_t>{4}, names)), InvalidArgument);
}

TEST(Classes, OfChosenPointsKeepAllNames) {
    const Classes all{{"a", "b", "c"}, {0, 1, 2, 1}, 2U};
    const Classes some = classes_of(all, Places{3, 0});
    EXPECT_EQ(some.names, all.names);
    EXPECT_EQ(some.index, (Places{1, 0}));
    EXPECT_EQ(some.unknown, 2U);
}

TEST(Classes, OfNoPointsAreNone) {
    EXPECT_TRUE(classes_of(std::vector<std::int64_t>{}).empty());
    EXPECT_TRUE(classes_of(std::vector<std::int64_t>{}).names.empty());
}

constexpr std::string_view begin_of_data = R"(<script id="isogon-data" type="application/json">)";

/// The data element that the page's script finds.
std::string data_in(std::string_view page) {
    const std::size_t begin = page.find(begin_of_data) + begin_of_data.size();
    return std::string(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(ReportPage, WithoutDataIsWholeAndHasOnePlaceForThem) {
    const std::string_view page = empty_report_page();
    EXPECT_TRUE(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"));
    EXPECT_NE(page.find("</html>"), std::string_view::npos);
    EXPECT_EQ(data_in(page), "null");
    EXPECT_EQ(page.find(begin_of_data), page.rfind(begin_of_data));
}

TEST(ReportPage, NamesNoOtherFileAndNoNetwork) {
    const std::string_view page = empty_report_page();
    for (const std::string_view outside : {"src=\"http", "href=\"http", "src=\"/", "href=\"/", "@import", "url(http"}) {
        EXPECT_EQ(page.find(outside), std::string_view::npos) << outside;
    }
}

TEST(ReportPage, HoldsTheDocumentAndElseIsAsItWas) {
    const std::string document = R"({"title":"a"})";
    const std::string page = report_page(document);
    EXPECT_EQ(data_in(page), document);
    EXPECT_EQ(page.size(), empty_report_page().size() + document.size() - 4);
    std::string restored = page;
    restored.replace(restored.find(document), document.size(), "null");
    EXPECT_EQ(restored, empty_report_page());
}

TEST(ReportPage, NoTextInADocumentEndsItsElement) {
    const std::string document = R"({"title":"</script><script>alert('x')</script><!--"})";
    EXPECT_EQ(nlohmann::json::parse(data_in(report_page(document))), nlohmann::json::parse(document));
}

TEST(ReportPage, OfNothingIsRefused) {
    EXPECT_THROW(static_cast<void>(report_page("")), InvalidArgument);
}

}  // namespace

}  // namespace isogon::report_test
