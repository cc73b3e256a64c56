#include "report/run_json.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/report_data.hpp"

namespace isogon::run_json_test {
namespace {

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
}  // namespace isogon::run_json_test
