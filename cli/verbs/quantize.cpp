#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codes/vector_codes.hpp"
#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "program/session.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

constexpr Index judged_neighbors = 10;

struct Quantize {
    std::vector<std::string> inputs;
    std::string output;
    std::string by;  ///< codes, or a model that keeps some, whose codewords are used
    InputFlags reading;
    OptionFlags options;
};

struct Quantized {
    std::optional<VectorCodes> codes;
    Summary summary;
};

/// Learns the codes, or takes the codewords of a file, and measures what they keep.
/// `by`: other codes, whose codewords are taken; null: codewords are learned.
Quantized quantize(const Quantize& verb, const CodesOptions& options, const PointsView& points, const VectorCodes* by,
                   Session& session) {
    const RunContext& context = session.context();
    Quantized made;
    made.summary.threads = context.thread_count();
    made.summary.seed = options.seed;
    try {
        if (by == nullptr) {
            const PhaseTimer timer(made.summary, "learning");
            made.codes.emplace(points, options, context);
        } else {
            const PhaseTimer timer(made.summary, "encoding");
            require_dimension(verb.inputs.front(), points.dimension, by->dimension(), "the vectors of " + verb.by);
            made.codes.emplace(by->encode(points, context));
        }
        if (points.count > judged_neighbors) {
            const PhaseTimer timer(made.summary, "recall");
            made.summary.measure("recall_at_10", recall_of_codes(*made.codes, points, judged_neighbors, context));
        }
    } catch (const Interruption& interruption) {
        made.codes.reset();
        made.summary.termination = interruption.reason;
    }
    if (made.codes && made.codes->options().metric == Metric::Cosine) {
        const std::vector<double> lengths = norms(points);
        const auto zeros = std::count(lengths.begin(), lengths.end(), 0.0);
        if (zeros > 0) {
            made.summary.warn(
                fmt::format("{} zero vectors have no direction: their codes mean nothing by cosine", zeros));
        }
    }
    return made;
}

std::string result_text(const Quantize& verb, const PointsView& points, const Quantized& made, const Session& session) {
    const std::uint64_t before = std::uint64_t{points.dimension} * sizeof(float);
    const Index after = made.codes->code_bytes();
    std::string text = fmt::format("{}: {} vectors of {} numbers in {} {} each, of {} before\n", verb.output,
                                   points.count, points.dimension, after, after == 1 ? "byte" : "bytes", before);
    if (points.count > judged_neighbors) {
        text += fmt::format("recall@10 {:.3f}: the share of the 10 nearest by {} that a search of the codes finds\n",
                            made.summary.value("recall_at_10", 0.0), name(made.codes->options().metric));
    }
    return text + costs_text(made.summary, session, phases_text(made.summary));
}

Outcome run(const Quantize& verb, Session& session) {
    const OptionValues given = verb.options.values("quantize");
    if (!verb.by.empty() && !given.empty()) {
        throw InvalidArgument(given.begin()->first, to_text(given.begin()->second),
                              "has no effect here: --by takes the codewords of " + verb.by + "; leave one of them out");
    }
    const CodesOptions options = codes_option_table().make(given);
    require_outputs({verb.output}, all_of({verb.inputs, {verb.by}}), session);
    require_archive_output(verb.output, session);
    std::optional<VectorCodes> by;
    ColumnNames columns;
    if (!verb.by.empty()) {
        const Archive archive = read_archive_within(verb.by, session, {"inputs"});
        by.emplace(archive);
        columns = columns_of_vectors(archive, by->dimension());
    }
    const Input input = read_input(verb.inputs, with_columns(verb.reading, columns), Finite::Required, session);
    const Quantized made = quantize(verb, options, input.points, by ? &*by : nullptr, session);
    session.end_progress();

    Outcome outcome;
    outcome.code = exit_code(made.summary.termination);
    outcome.json = {{"verb", "quantize"},
                    {"version", ISOGON_VERSION},
                    {"options", to_json(codes_option_table().values(made.codes ? made.codes->options() : options))},
                    {"input", input_json(verb.inputs, verb.reading, input)},
                    {"by", json_or_null(verb.by)},
                    {"output", made.codes ? Json(verb.output) : Json(nullptr)}};
    if (made.codes) {
        Archive archive = made.codes->archive();
        add_column_names(archive, input.columns.names);
        write_output(session, [&](const WriteOptions& how) { write_archive(verb.output, archive, how); });
        outcome.text = result_text(verb, input.points, made, session);
    } else {
        outcome.failure = "stopped; no codes were written";
    }
    outcome.warnings = in_flags(made.summary.warnings);
    add_run(outcome.json, made.summary, session);
    return outcome;
}

}  // namespace

Command add_quantize(CLI::App& app) {
    const auto verb = std::make_shared<Quantize>();
    app.add_option("X", verb->inputs,
                   "Files of vectors, stacked in their order: coordinates of isogon embed, or any other")
        ->required();
    add_value(app, "-o,--output FILE", verb->output, "Where the codes go (.safetensors)")->required();
    add_value(app, "--by CODES", verb->by, "Take the codewords of these codes, for vectors that came later");
    verb->options.add(app, "verb", {{"quantize", codes_option_table().specs()}});
    add_input_flags(app, verb->reading);
    app.footer(
        "isogon neighbors searches codes, for queries as they are; isogon convert decodes them.\n"
        "\n"
        "Examples:\n"
        "  isogon quantize small.npy -o codes.safetensors --bytes 16\n"
        "  isogon quantize later.npy -o more.safetensors --by codes.safetensors\n"
        "  isogon neighbors codes.safetensors --queries queries.npy -k 10 -o near.npy\n"
        "  isogon convert codes.safetensors decoded.npy");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
