#include <fmt/format.h>

#include <memory>

#include "input_rows.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/methods/transform_rows.hpp"
#include "output_files.hpp"
#include "output_rows.hpp"
#include "quantity.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct Transform {
    std::string model;
    std::vector<std::string> inputs;
    std::string output;
    InputFlags reading;
};

std::uint64_t archive_bytes(const ArchiveInfo& info) {
    std::uint64_t bytes = 0;
    for (const auto& array : info.arrays) {
        const bool wide = array.scalar == "float64" || array.scalar == "uint64";
        bytes += element_count(array.shape).value_or(0) * (wide ? 8 : 4);
    }
    return bytes;
}

ExitCode exit_code(const Summary& summary) {
    switch (summary.termination) {
        case Termination::TimeLimit: return ExitCode::OverLimit;
        case Termination::Cancelled: return ExitCode::Interrupted;
        default: return ExitCode::Ok;
    }
}

/// Reads, transforms and writes block by block; the file appears if all rows came.
Summary transform_file(const Transform& verb, const Transformer& transformer, const InputRows& input,
                       Session& session) {
    // Held all the way: a first Ctrl-C ends the run within a second, and a second must not leave a temporary file.
    const auto held = session.while_writing();
    OutputRows rows(verb.output, input, transformer.output_dimension(), session.overwrite());
    Summary summary = transform_rows(transformer, *input.rows, rows, session.context());
    session.end_progress();
    if (summary.termination == Termination::Converged) {
        rows.commit();
    }
    return summary;
}

std::string result_text(const Transform& verb, const Transformer& transformer, const InputRows& input,
                        const Summary& summary, const Session& session) {
    std::string text = fmt::format("{}: {} points of {} numbers, from {}, by {} ({})\n{}, {} threads, peak memory {}\n",
                                   verb.output, input.rows->count(), transformer.output_dimension(),
                                   transformer.input_dimension(), verb.model, transformer.model().method,
                                   human_seconds(session.seconds()), summary.threads, human_bytes(peak_memory_bytes()));
    for (const auto& [what, number] : summary.counts) {
        text += fmt::format("  {:<28} {:.6g}\n", what, number);
    }
    return text;
}

Json result_json(const Transform& verb, const Transformer& transformer, const InputRows& input, const Summary& summary,
                 bool written, const Session& session) {
    Json json{
        {"verb", "transform"},
        {"version", ISOGON_VERSION},
        {"model", verb.model},
        {"method", transformer.model().method},
        {"input", input_json(verb.inputs, verb.reading, input)},
        {"output", written ? Json(verb.output) : Json(nullptr)},
        {"shape", {{"points", written ? input.rows->count() : 0}, {"dimension", transformer.output_dimension()}}}};
    add_summary(json, summary);
    json["seconds"] = session.seconds();
    json["peak_memory_bytes"] = peak_memory_bytes();
    return json;
}

Outcome run(const Transform& verb, Session& session) {
    require_outputs({verb.output}, session);
    session.reserve("the model in memory", archive_bytes(describe_archive(verb.model)),
                    "raise --memory-limit, or fit fewer points");
    const Transformer transformer(read_archive(verb.model), session.context());
    const InputRows input = open_input(verb.inputs, verb.reading, session);
    require_words(verb.output, !input.words.empty());
    const Summary summary = transform_file(verb, transformer, input, session);

    Outcome outcome;
    outcome.code = exit_code(summary);
    const bool done = outcome.code == ExitCode::Ok;
    if (done) {
        outcome.text = result_text(verb, transformer, input, summary, session);
    } else {
        outcome.failure = "stopped; nothing was written: " + summary.message;
    }
    outcome.warnings = summary.warnings;
    outcome.json = result_json(verb, transformer, input, summary, done, session);
    return outcome;
}

}  // namespace

Command add_transform(CLI::App& app) {
    const auto verb = std::make_shared<Transform>();
    app.add_option("MODEL", verb->model, "What isogon embed --model has kept")->required();
    app.add_option("INPUT", verb->inputs, "Files of points; several are stacked in their order")->required();
    app.add_option("-o,--output", verb->output, "Where the coordinates go; the name tells the format")
        ->required()
        ->type_name("FILE");
    add_input_flags(app, verb->reading);
    app.footer(
        "Each row stands alone: the same bits alone, in a batch, in any order.\n"
        "A fitted row gets the coordinates of the fit.\n"
        "Rows are read and written block by block, in the memory of one (.npy in C order, IDX, .fvecs;\n"
        "text and packed files are read whole).\n"
        "\n"
        "Examples:\n"
        "  isogon embed vectors.npy -o small.npy --model map.safetensors\n"
        "  isogon transform map.safetensors new.npy -o new-small.npy\n"
        "  isogon score new.npy new-small.npy --against vectors.npy small.npy\n"
        "\n"
        "Exit codes: 0 done, 1 not written, 2 usage, 3 bad input or model, 5 over a limit, 130 interrupted.");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
