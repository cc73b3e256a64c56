#include "report/run_json.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace isogon {

namespace {

constexpr std::size_t most_trace_lines = 2000;

void write_option(JsonWriter& json, const OptionValue& value) {
    std::visit(
        [&](const auto& v) {
            using Value = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<Value, std::monostate>) {
                json.text("auto");
            } else if constexpr (std::is_same_v<Value, bool>) {
                json.flag(v);
            } else if constexpr (std::is_same_v<Value, std::int64_t>) {
                json.whole(v);
            } else if constexpr (std::is_same_v<Value, double>) {
                json.number(v);
            } else {
                json.text(v);
            }
        },
        value);
}

void write_named(JsonWriter& json, std::string_view key, const std::vector<std::pair<std::string, double>>& named) {
    json.key(key).begin_object();
    for (const auto& [name, value] : named) {
        json.number(name, value);
    }
    json.end_object();
}

void write_record(JsonWriter& json, const IterationRecord& record) {
    json.begin_object().whole("iteration", record.iteration).number("objective", record.objective);
    json.number("change", record.change).number("seconds", record.seconds).end_object();
}

/// Every k-th line, and the last: a curve of two thousand points has the same appearance.
void write_trace(JsonWriter& json, const std::vector<IterationRecord>& trace) {
    const std::size_t step = std::max<std::size_t>(1, (trace.size() + most_trace_lines - 1) / most_trace_lines);
    json.key("trace").begin_array();
    for (std::size_t i = 0; i < trace.size(); ++i) {
        if (i % step == 0 || i + 1 == trace.size()) {
            write_record(json, trace[i]);
        }
    }
    json.end_array();
}

void write_if_known(JsonWriter& json, std::string_view key, const std::string& text) {
    if (!text.empty()) {
        json.text(key, text);
    }
}

}  // namespace

void write_origin(JsonWriter& json, const ReportOrigin& origin) {
    json.key("made").begin_object();
    write_if_known(json, "program", origin.program);
    write_if_known(json, "date", origin.date);
    write_if_known(json, "command", origin.command);
    write_if_known(json, "machine", origin.machine);
    if (origin.memory_bytes) {
        json.whole("memory_bytes", *origin.memory_bytes);
    }
    if (origin.seconds) {
        json.number("seconds", *origin.seconds);
    }
    if (!origin.phases.empty()) {
        write_named(json, "phases", origin.phases);
    }
    json.end_object();
}

void write_run(JsonWriter& json, const ReportRun& run) {
    const Summary& summary = run.summary;
    json.key("run").begin_object().text("method", run.method).key("options").begin_object();
    for (const auto& [name, value] : run.options) {
        json.key(name);
        write_option(json, value);
    }
    json.end_object().whole("seed", summary.seed).whole("threads", summary.threads);
    json.text("termination", name(summary.termination)).text("message", summary.message);
    write_named(json, "seconds", summary.seconds);
    write_named(json, "counts", summary.counts);
    write_named(json, "measures", summary.measures);
    write_trace(json, summary.trace);
    json.end_object();
}

void write_score(JsonWriter& json, const Score& score) {
    const auto of_near_pairs = [&](double value) {
        return score.sparsity < 1.0 ? value : std::numeric_limits<double>::quiet_NaN();
    };
    json.begin_object().number("mean_angular_deviation_degrees", of_near_pairs(score.mean_angular_deviation_degrees));
    json.number("jaccard", of_near_pairs(score.jaccard)).number("norm_deviation_mean", score.norm_deviation_mean);
    json.number("norm_deviation_max", score.norm_deviation_max);
    json.number("recall_at_" + std::to_string(score.neighbors), score.recall);
    json.number("trustworthiness", score.trustworthiness).number("continuity", score.continuity);
    if (score.knn_accuracy) {
        json.number("knn_accuracy", *score.knn_accuracy);
    }
    json.end_object();
}

}  // namespace isogon
