#include <fmt/format.h>

#include <memory>

#include "input_files.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/methods/model.hpp"
#include "option_flags.hpp"
#include "output_files.hpp"
#include "quantity.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct Transform {
    std::string model;
    std::vector<std::string> inputs;
    std::string output;
    std::string by;  ///< empty: the model's own way
    InputFlags reading;
    std::unique_ptr<OptionFlags> options;
};

constexpr const char* placement = "placement";
constexpr const char* weights = "weights";

/// The way that was asked for, with its options. Throws for a way that there is not, or not for this model.
Transformed transform(const Transform& verb, const Transformer& transformer, const LandmarkWeightOptions& options,
                      const PointsView& rows, const RunContext& context) {
    if (verb.by == weights) {
        return transformer.mix(rows, options, context);
    }
    if (verb.by == placement && transformer.linear()) {
        throw InvalidArgument("--by", placement,
                              "is for models of tsm and faithful; a linear model has one way only: leave --by out");
    }
    return transformer.transform(rows, context);
}

LandmarkWeightOptions weight_options(const Transform& verb) {
    if (!verb.by.empty() && verb.by != placement && verb.by != weights) {
        throw InvalidArgument("--by", verb.by, "must be placement or weights");
    }
    return landmark_weight_option_table().make(verb.options->values(verb.by == weights ? weights : placement));
}

std::uint64_t archive_bytes(const ArchiveInfo& info) {
    std::uint64_t bytes = 0;
    for (const auto& array : info.arrays) {
        const bool wide = array.scalar == "float64" || array.scalar == "uint64";
        bytes += element_count(array.shape).value_or(0) * (wide ? 8 : 4);
    }
    return bytes;
}

ExitCode exit_code(const Transformed& result) {
    switch (result.summary.termination) {
        case Termination::TimeLimit: return ExitCode::OverLimit;
        case Termination::Cancelled: return ExitCode::Interrupted;
        default: return ExitCode::Ok;
    }
}

std::string result_text(const Transform& verb, const Transformer& transformer, const Transformed& result,
                        const Session& session) {
    std::string text =
        fmt::format("{}: {} points of {} numbers, from {}, by {} ({})\n{}, {} threads, peak memory {}\n", verb.output,
                    result.coordinates.count(), result.coordinates.dimension(), transformer.input_dimension(),
                    verb.model, transformer.model().method, human_seconds(session.seconds()), result.summary.threads,
                    human_bytes(peak_memory_bytes()));
    for (const auto& [what, number] : result.summary.counts) {
        text += fmt::format("  {:<28} {:.6g}\n", what, number);
    }
    return text;
}

Json result_json(const Transform& verb, const Transformer& transformer, const Input& input, const Transformed& result,
                 bool written, const Session& session) {
    Json json{{"verb", "transform"},
              {"version", ISOGON_VERSION},
              {"model", verb.model},
              {"method", transformer.model().method},
              {"by", transformer.linear() ? "map" : (verb.by.empty() ? placement : verb.by.c_str())},
              {"input", input_json(verb.inputs, verb.reading, input)},
              {"output", written ? Json(verb.output) : Json(nullptr)},
              {"shape", shape_json(result.coordinates.view())}};
    add_summary(json, result.summary);
    json["seconds"] = session.seconds();
    json["peak_memory_bytes"] = peak_memory_bytes();
    return json;
}

Outcome run(const Transform& verb, Session& session) {
    const LandmarkWeightOptions options = weight_options(verb);
    require_outputs({verb.output}, session);
    session.reserve("the model in memory", archive_bytes(describe_archive(verb.model)),
                    "raise --memory-limit, or fit fewer points");
    const Transformer transformer(read_archive(verb.model), session.context());
    const Input input = read_input(verb.inputs, verb.reading, Finite::Required, session);
    require_words(verb.output, !input.words.empty());
    const Transformed result = transform(verb, transformer, options, input.points, session.context());
    session.end_progress();

    Outcome outcome;
    outcome.code = exit_code(result);
    const bool done = outcome.code == ExitCode::Ok;
    if (done) {
        write_output(session, [&](const WriteOptions& how) {
            write_points(verb.output, result.coordinates.view(), {input.labels, input.words}, how);
        });
        outcome.text = result_text(verb, transformer, result, session);
    } else {
        outcome.failure = "stopped; nothing was written: " + result.summary.message;
    }
    outcome.warnings = result.summary.warnings;
    outcome.json = result_json(verb, transformer, input, result, done, session);
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
    app.add_option("--by", verb->by,
                   "How rows come among the points of tsm and faithful: placement (default), which solves their "
                   "equation for each row, or weights, which mixes the coordinates of the nearest (Saul 2022, eq. 14)")
        ->type_name("WORD");
    verb->options = std::make_unique<OptionFlags>(
        app, "way", std::vector<OptionOwner>{{placement, {}}, {weights, landmark_weight_option_table().specs()}});
    add_input_flags(app, verb->reading);
    app.footer(
        "Each row stands alone: the same bits alone, in a batch, in any order.\n"
        "A fitted row gets the coordinates of the fit; by weights, nearly so.\n"
        "\n"
        "Examples:\n"
        "  isogon embed vectors.npy -o small.npy --model map.safetensors\n"
        "  isogon transform map.safetensors new.npy -o new-small.npy\n"
        "  isogon transform map.safetensors new.npy -o mixed.npy --by weights\n"
        "  isogon score new.npy new-small.npy --against vectors.npy small.npy\n"
        "\n"
        "Exit codes: 0 done, 1 not written, 2 usage, 3 bad input or model, 5 over a limit, 130 interrupted.");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
