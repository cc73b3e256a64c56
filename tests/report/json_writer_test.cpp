#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>

#include "report/json_writer.hpp"
#include "support/report_data.hpp"

namespace isogon::json_writer_test {

namespace {

std::string json_of(std::string_view text) {
    std::string json;
    append_json_text(json, text);
    return json;
}

/// The text that a reader of the JSON gets.
std::string read(std::string_view text) {
    return nlohmann::json::parse(json_of(text)).get<std::string>();
}

std::string number(double value) {
    JsonWriter json;
    json.number(value);
    return json.take();
}

const std::string lost = "\xEF\xBF\xBD";

TEST(JsonText, RoundTrips) {
    for (const std::string text :
         {"", "plain", "\"quotes\" and \\", "tab\tline\nreturn\rbell\a\x1f\x7f", "\xC3\xA9t\xC3\xA9",
          "\xF0\x9F\x98\x80", "\xE2\x80\xAEright to left", "\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF"}) {
        EXPECT_EQ(read(text), text);
    }
    EXPECT_EQ(read(std::string("a\0b", 3)), std::string("a\0b", 3));
}

TEST(JsonText, CanEndNoScriptElement) {
    for (const std::string text : {"</script><script>alert(1)</script>", "<!--<script>", "<![CDATA["}) {
        EXPECT_EQ(json_of(text).find('<'), std::string::npos);
        EXPECT_EQ(read(text), text);
    }
}

TEST(JsonText, LineEndsOfScriptsAreEscaped) {
    EXPECT_EQ(json_of("a\xE2\x80\xA8z\xE2\x80\xA9"), "\"a\\u2028z\\u2029\"");
    EXPECT_EQ(read("a\xE2\x80\xA8z"), "a\xE2\x80\xA8z");
}

TEST(JsonText, BytesThatAreNoCharactersAreReplaced) {
    EXPECT_EQ(read("a\xFFz"), "a" + lost + "z");
    EXPECT_EQ(read("\x80"), lost);
    EXPECT_EQ(read("\xC0\xAF"), lost + lost);                        // overlong
    EXPECT_EQ(read("\xE0\x80\xAF"), lost + lost + lost);             // overlong
    EXPECT_EQ(read("\xED\xA0\x80"), lost + lost + lost);             // half of a surrogate pair
    EXPECT_EQ(read("\xF4\x90\x80\x80"), lost + lost + lost + lost);  // above U+10FFFF
    EXPECT_EQ(read("\xF5"), lost);
    EXPECT_EQ(read("\xE2\x82z"), lost + "z");  // breaks off in the middle: one for the whole beginning
    EXPECT_EQ(read("\xF0\x9F\x98"), lost);     // at the end
    EXPECT_EQ(read("\xE2\x82<"), lost + "<");
}

TEST(JsonText, AnyBytesGiveValidJson) {
    std::string bytes;
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; b += 5) {
            bytes += static_cast<char>(a);
            bytes += static_cast<char>(b);
        }
    }
    EXPECT_NO_THROW(static_cast<void>(read(bytes)));
    EXPECT_EQ(json_of(bytes).find('<'), std::string::npos);
}

TEST(JsonNumber, RoundTripsBitForBit) {
    for (const double value : {0.0, -0.0, 1.0, 0.1, 1.0 / 3.0, 1e300, 5e-324, -2.5, 123456789.0}) {
        EXPECT_EQ(nlohmann::json::parse(number(value)).get<double>(), value);
    }
}

TEST(JsonNumber, OfWhatIsNoneIsNull) {
    EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "null");
    EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "null");
}

TEST(EscapedForPage, IsTheSameDocument) {
    const std::string json = R"({"a": "</script>", "b": [1, "x < y", "\u003c"]})";
    const std::string escaped = escaped_for_page(json + " \n");
    EXPECT_EQ(escaped.find('<'), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(escaped), nlohmann::json::parse(json));
    EXPECT_EQ(escaped_for_page("\"\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xA7\""), "\"\\u2028\\u2029\xE2\x80\xA7\"");
}

TEST(JsonWriter, PutsCommasWhereTheyBelong) {
    JsonWriter json;
    json.begin_object().text("a", "x").number("b", 0.5).whole("c", -3).key("d").begin_array();
    json.whole(1).null().begin_object().end_object().begin_array().end_array().text("y").number(2.5);
    json.end_array().key("e").raw("[7]").key("f").plain_text([](std::string& text) { text += "QUJD"; });
    json.key("g").begin_object().whole("h", std::uint64_t{1}).end_object().end_object();
    EXPECT_EQ(json.json(), R"({"a":"x","b":0.5,"c":-3,"d":[1,null,{},[],"y",2.5],"e":[7],"f":"QUJD","g":{"h":1}})");
}

TEST(JsonWriter, KeysAreEscapedLikeTexts) {
    JsonWriter json;
    json.begin_object().text("a\"<\xFF", "b").end_object();
    EXPECT_EQ(nlohmann::json::parse(json.json()).begin().key(), "a\"<\xEF\xBF\xBD");
    EXPECT_EQ(json.json().find('<'), std::string::npos);
}

TEST(JsonWriter, LargeWholeNumbersKeepTheirDigits) {
    JsonWriter json;
    json.begin_array().whole(std::numeric_limits<std::uint64_t>::max()).whole(std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(json.json(), "[18446744073709551615,-9223372036854775808");
}

TEST(JsonWriter, IsEmptyAfterWhatItWroteIsTaken) {
    JsonWriter json;
    json.begin_array().end_array();
    EXPECT_EQ(json.take(), "[]");
    EXPECT_EQ(json.json(), "");
    json.whole(1);
    EXPECT_EQ(json.json(), "1");
}

using support::Json;

template <class Write>
Json written(Write write) {
    JsonWriter json;
    json.begin_object();
    write(json);
    json.end_object();
    return Json::parse(json.json());
}

ReportRun example() {
    ReportRun run{.method = "tsm"};
    run.options = {{"threshold", 0.75},      {"dimension", std::int64_t{16}}, {"seed", std::int64_t{0}},
                   {"virtual-inputs", true}, {"rule", std::string("slack")},  {"sigma", std::monostate{}}};
    run.summary.termination = Termination::Stalled;
    run.summary.message = "ten updates";
    run.summary.seconds = {{"matching", 1.5}};
    run.summary.count("isolated points", 3);
    run.summary.measure("lift", 0.25);
    run.summary.seed = std::numeric_limits<std::uint64_t>::max();
    run.summary.threads = 2;
    return run;
}

TEST(RunJson, TellsWhatWasRunAndHowItEnded) {
    ReportRun run = example();
    run.summary.trace = {{1, 0.5, 0.1, 0.01}, {2, 0.4, std::numeric_limits<double>::infinity(), 0.02}};
    const Json json = written([&](JsonWriter& writer) { write_run(writer, run); })["run"];
    EXPECT_EQ(json["method"], "tsm");
    EXPECT_EQ(json["options"], Json::parse(R"({"dimension":16,"rule":"slack","seed":0,"sigma":"auto",
                                               "threshold":0.75,"virtual-inputs":true})"));
    EXPECT_EQ(json["seed"], std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(json["threads"], 2);
    EXPECT_EQ(json["termination"], "stalled");
    EXPECT_EQ(json["message"], "ten updates");
    EXPECT_EQ(json["seconds"], Json::parse(R"({"matching":1.5})"));
    EXPECT_EQ(json["counts"], Json::parse(R"({"isolated points":3.0})"));
    EXPECT_EQ(json["measures"], Json::parse(R"({"lift":0.25})"));
    EXPECT_EQ(json["trace"], Json::parse(R"([{"iteration":1,"objective":0.5,"change":0.1,"seconds":0.01},
                                             {"iteration":2,"objective":0.4,"change":null,"seconds":0.02}])"));
}

TEST(RunJson, LongTracesAreThinnedAndKeepTheirEnds) {
    ReportRun run = example();
    for (int i = 0; i < 12345; ++i) {
        run.summary.trace.push_back({i, 1.0, 0.0, 0.0});
    }
    const Json trace = written([&](JsonWriter& writer) { write_run(writer, run); })["run"]["trace"];
    EXPECT_LE(trace.size(), 2001U);
    EXPECT_GE(trace.size(), 1500U);
    EXPECT_EQ(trace.front()["iteration"], 0);
    EXPECT_EQ(trace.back()["iteration"], 12344);
}

TEST(RunJson, OfTheOriginOnlyWhatIsKnown) {
    EXPECT_EQ(written([](JsonWriter& writer) { write_origin(writer, {}); }), Json::parse(R"({"made":{}})"));
    const ReportOrigin origin{"isogon 1", "2026-11-22T05:00:00Z", "isogon embed '<x>'", "2 cores", 5000,
                              1.5,        {{"quality", 0.5}}};
    const Json made = written([&](JsonWriter& writer) { write_origin(writer, origin); })["made"];
    EXPECT_EQ(made, Json::parse(R"({"program":"isogon 1","date":"2026-11-22T05:00:00Z","command":"isogon embed '<x>'",
                                    "machine":"2 cores","memory_bytes":5000,"seconds":1.5,
                                    "phases":{"quality":0.5}})"));
}

TEST(RunJson, ScoresHaveTheKeysOfTheVerb) {
    Score score;
    score.mean_angular_deviation_degrees = 1.5;
    score.recall = 0.5;
    score.neighbors = 7;
    JsonWriter writer;
    write_score(writer, score);
    const Json json = Json::parse(writer.json());
    EXPECT_EQ(json["mean_angular_deviation_degrees"], 1.5);
    EXPECT_EQ(json["recall_at_7"], 0.5);
    EXPECT_FALSE(json.contains("knn_accuracy"));
    for (const char* key : {"jaccard", "norm_deviation_mean", "norm_deviation_max", "trustworthiness", "continuity"}) {
        EXPECT_TRUE(json.contains(key)) << key;
    }
    score.sparsity = 1.0;  // no near pairs: what is left are points with themselves
    JsonWriter lonely;
    write_score(lonely, score);
    EXPECT_TRUE(Json::parse(lonely.json())["mean_angular_deviation_degrees"].is_null());
    EXPECT_TRUE(Json::parse(lonely.json())["jaccard"].is_null());
    EXPECT_EQ(Json::parse(lonely.json())["recall_at_7"], 0.5);
    score.knn_accuracy = 0.25;
    JsonWriter labelled;
    write_score(labelled, score);
    EXPECT_EQ(Json::parse(labelled.json())["knn_accuracy"], 0.25);
}

}  // namespace

}  // namespace isogon::json_writer_test
