#include "report/json_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace isogon {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view line_separator = "\xE2\x80\xA8";
constexpr std::string_view paragraph_separator = "\xE2\x80\xA9";

/// The length of a character and the range of its second byte, by its first byte (Unicode, table 3-7).
struct Lead {
    std::size_t length = 0;  ///< 0: no character begins so
    std::uint8_t low = 0x80;
    std::uint8_t high = 0xBF;
};

Lead lead_of(std::uint8_t byte) {
    if (byte < 0x80) {
        return {1};
    }
    if (byte >= 0xC2 && byte <= 0xDF) {
        return {2};
    }
    switch (byte) {
        case 0xE0: return {3, 0xA0, 0xBF};
        case 0xED: return {3, 0x80, 0x9F};  // no surrogates
        case 0xF0: return {4, 0x90, 0xBF};
        case 0xF4: return {4, 0x80, 0x8F};  // nothing above U+10FFFF
        default: break;
    }
    if (byte >= 0xE1 && byte <= 0xEF) {
        return {3};
    }
    return byte >= 0xF1 && byte <= 0xF3 ? Lead{4} : Lead{0};
}

/// The first bytes of `text` that are one character, or the beginning of an incomplete one.
struct Character {
    std::size_t bytes = 1;
    bool valid = false;
};

Character first_character(std::string_view text) {
    const Lead lead = lead_of(static_cast<std::uint8_t>(text[0]));
    if (lead.length == 0) {
        return {};
    }
    for (std::size_t k = 1; k < lead.length; ++k) {
        const auto byte = k < text.size() ? static_cast<std::uint8_t>(text[k]) : std::uint8_t{0};
        const bool fits = k == 1 ? byte >= lead.low && byte <= lead.high : byte >= 0x80 && byte <= 0xBF;
        if (!fits) {
            return {k, false};
        }
    }
    return {lead.length, true};
}

void append_code(std::string& json, unsigned code) {
    constexpr std::string_view digits = "0123456789abcdef";
    json += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) {
        json += digits[code >> shift & 15U];
    }
}

void append_ascii(std::string& json, char c) {
    switch (c) {
        case '"': json += "\\\""; return;
        case '\\': json += "\\\\"; return;
        case '\n': json += "\\n"; return;
        case '\t': json += "\\t"; return;
        default: break;
    }
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7f || c == '<') {
        append_code(json, code);
    } else {
        json += c;
    }
}

}  // namespace

void append_json_text(std::string& json, std::string_view text) {
    json += '"';
    while (!text.empty()) {
        const Character character = first_character(text);
        const std::string_view bytes = text.substr(0, character.bytes);
        if (!character.valid) {
            json += replacement;
        } else if (bytes == line_separator) {
            append_code(json, 0x2028);
        } else if (bytes == paragraph_separator) {
            append_code(json, 0x2029);
        } else if (bytes.size() == 1) {
            append_ascii(json, bytes[0]);
        } else {
            json += bytes;
        }
        text.remove_prefix(character.bytes);
    }
    json += '"';
}

std::string escaped_for_page(std::string_view json) {
    std::string escaped;
    escaped.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (json[i] == '<') {
            append_code(escaped, '<');
        } else if (json.substr(i, 3) == line_separator || json.substr(i, 3) == paragraph_separator) {
            append_code(escaped, json.substr(i, 3) == line_separator ? 0x2028 : 0x2029);
            i += 2;
        } else {
            escaped += json[i];
        }
    }
    return escaped;
}

void JsonWriter::separate() {
    if (needs_comma_) {
        json_ += ',';
    }
    needs_comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    json_ += bracket;
    needs_comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    json_ += bracket;
    needs_comma_ = true;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    separate();
    append_json_text(json_, name);
    json_ += ':';
    needs_comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
    separate();
    append_json_text(json_, value);
    return *this;
}

JsonWriter& JsonWriter::number(double value) {
    if (!std::isfinite(value)) {
        return null();
    }
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return raw({text.data(), end});
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    separate();
    json_ += json;
    return *this;
}

std::string JsonWriter::take() {
    needs_comma_ = false;
    return std::exchange(json_, {});
}

namespace {

constexpr std::size_t most_trace_lines = 2000;

void write_option(JsonWriter& json, const OptionValue& value) {
    std::visit(
        [&](const auto& v) {
            using Value = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<Value, std::monostate>) {
                json.text("auto");
            } else if constexpr (std::is_same_v<Value, bool>) {
                json.raw(v ? "true" : "false");
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
    json.number("deviation_without_self_degrees", of_near_pairs(score.deviation_without_self_degrees));
    json.number("jaccard_without_self", of_near_pairs(score.jaccard_without_self));
    json.number("recall_at_" + std::to_string(score.neighbors), score.recall);
    json.number("all_kept_at_" + std::to_string(score.neighbors), score.all_kept);
    json.number("kept_in_order_at_" + std::to_string(score.neighbors), score.kept_in_order);
    json.number("trustworthiness", score.trustworthiness).number("continuity", score.continuity);
    if (score.knn_accuracy) {
        json.number("knn_accuracy", *score.knn_accuracy);
    }
    if (score.knn_accuracy_inputs) {
        json.number("knn_accuracy_inputs", *score.knn_accuracy_inputs);
    }
    json.end_object();
}

}  // namespace isogon
