#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <utility>

#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/codes/vector_codes.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/io/file_set.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "report/run_result.hpp"
#include "transform/shards.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct Transform {
    std::string model;
    std::vector<std::string> inputs;
    std::string output;
    std::string by;  ///< empty: the default of the model
    bool inverse = false;
    std::string search;
    bool codes = false;
    InputFlags reading;
    ShardFlags shards;
    std::unique_ptr<OptionFlags> options;
};

constexpr const char* placement = "placement";
constexpr const char* weights = "weights";
constexpr const char* query_map = "map";

/// Codes and inputs are no coordinates.
bool has_record(const Transform& verb) {
    return !verb.codes && !verb.inverse;
}

std::string placement_name(const Transform& verb, const Transformer& transformer) {
    return verb.inverse ? "inverse" : transformer.has_map() ? "map" : (verb.by.empty() ? placement : verb.by);
}

/// Throws UsageError for flags that do not go together.
Placing placing_of(const Transform& verb) {
    const std::vector<std::string> words{"auto", "exact", "approximate"};
    const std::string search = verb.search.empty() ? words.front() : parse_choice("--search", verb.search, words);
    if (!verb.search.empty() && (verb.by == weights || verb.by == query_map)) {
        throw UsageError("--search has no effect with --by " + verb.by + "; leave it out");
    }
    if (verb.inverse) {
        if (!verb.by.empty() || !verb.search.empty()) {
            throw UsageError("--inverse goes with none of --by and --search, which place inputs");
        }
        return Placing::Inverse;
    }
    if (verb.by == query_map) {
        return Placing::QueryMap;
    }
    return search == "exact" ? Placing::Exact : search == "approximate" ? Placing::Approximate : Placing::Auto;
}

/// Mixing by weights, where that is asked for. Throws if the model does not support the chosen way.
void choose_way(const Transform& verb, const LandmarkWeightOptions& options, Transformer& transformer) {
    if (verb.by == weights) {
        transformer.use_weights(options);
    } else if (verb.by == placement && transformer.has_map()) {
        throw InvalidArgument("--by", placement,
                              "is for models of tsm and faithful; this model has one way only: leave --by out");
    }
}

/// What the run says: rows placed among all fitted points, or by indexes.
std::string search_name(const Transformer& transformer) {
    return transformer.map().is_approximate() ? "approximate" : "exact";
}

LandmarkWeightOptions weight_options(const Transform& verb) {
    if (!verb.by.empty()) {
        static_cast<void>(parse_choice("--by", verb.by, {placement, weights, query_map}));
    }
    return landmark_weight_option_table().make(verb.options->values(verb.by == weights ? weights : placement));
}

/// The columns of what was fitted, on whichever side of the map they are.
ColumnNames fitted_columns(const Transform& verb, const Transformer& transformer) {
    return column_names_in(transformer.model(),
                           verb.inverse ? transformer.output_dimension() : transformer.input_dimension());
}

/// What the rows of a run came to.
struct PlacedRows {
    Summary summary;
    std::vector<FarRow> farthest{};  ///< by their numbers in the output
};

/// Reads, transforms and writes block by block; the file appears if all rows are complete.
PlacedRows transform_file(const Transform& verb, const Transformer& transformer, const InputRows& input,
                          Session& session) {
    // Held during the whole run: a first Ctrl-C ends it within a second, and a second one must not leave a temporary
    // file.
    const auto held = session.while_writing();
    const ColumnNames columns = verb.inverse ? fitted_columns(verb, transformer) : ColumnNames{};
    OutputRows rows(verb.output, input, transformer.output_dimension(), session.overwrite(), columns.names);
    PlacedRows placed;
    placed.summary = transform_rows(transformer.map(), *input.rows, rows, session.context(), {}, &placed.farthest);
    session.end_progress();
    if (placed.summary.termination == Termination::Converged) {
        rows.commit();
    }
    return placed;
}

/// Codes of coordinates, block by block.
class CodedRows final : public RowSink {
public:
    CodedRows(VectorCodes known, std::uint64_t count, const RunContext& context)
        : known_(std::move(known)), context_(uninterrupted(context)) {
        context_.on_iteration = nullptr;
        codes_.reserve(count * known_.code_bytes());
    }

    void write(const PointsView& rows) override {
        const VectorCodes more = known_.encode(rows, context_);
        codes_.insert(codes_.end(), more.codes().begin(), more.codes().end());
    }
    [[nodiscard]] Archive archive() && {
        Archive archive = known_.archive();
        const std::uint64_t bytes = known_.code_bytes();
        archive.arrays.insert_or_assign("codes", Array{{codes_.size() / bytes, bytes}, std::move(codes_)});
        return archive;
    }

private:
    VectorCodes known_;
    RunContext context_;
    std::vector<std::uint8_t> codes_;
};

PlacedRows write_codes(const Transform& verb, const Transformer& transformer, const InputRows& input,
                       Session& session) {
    VectorCodes known(transformer.model());
    if (known.dimension() != transformer.output_dimension()) {
        throw InputError(verb.model, "array codes.rotation",
                         fmt::format("is for vectors of {} numbers, and the model gives {}", known.dimension(),
                                     transformer.output_dimension()));
    }
    // Those of the fitted points are copied with the codewords.
    const std::uint64_t rows_and_fitted = input.rows->count() + 2 * std::uint64_t{known.count()};
    session.reserve("the codes", rows_and_fitted * known.code_bytes(), "raise --memory-limit, or transform fewer rows");
    CodedRows rows(std::move(known), input.rows->count(), session.context());
    PlacedRows placed;
    placed.summary = transform_rows(transformer.map(), *input.rows, rows, session.context(), {}, &placed.farthest);
    session.end_progress();
    if (placed.summary.termination == Termination::Converged) {
        const Archive codes = std::move(rows).archive();
        write_output(session, [&](const WriteOptions& how) { write_archive(verb.output, codes, how); });
    }
    return placed;
}

/// Whether the rows were placed by distance.
bool knows_distances(const Summary& summary) {
    return summary.value(beyond_fit, -1.0) >= 0.0;
}

Json farthest_json(const std::vector<FarRow>& farthest) {
    Json json = Json::array();
    for (const FarRow& far : farthest) {
        json.push_back({{"row", far.row}, {"distance", far.distance}});
    }
    return json;
}

/// The first three.
std::string farthest_text(const std::vector<FarRow>& farthest) {
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, farthest.size()); ++i) {
        text += fmt::format("{}row {} ({:.4g})", i == 0 ? "" : ", ", farthest[i].row, farthest[i].distance);
    }
    return text;
}

std::string result_text(const Transform& verb, const Transformer& transformer, const InputRows& input,
                        const PlacedRows& placed, const Session& session) {
    const Summary& summary = placed.summary;
    std::string text =
        fmt::format("{}: {}{} points of {} numbers, from {}, by {} ({})\n{}, {} threads, peak memory {}\n", verb.output,
                    verb.codes ? "codes of " : "", input.rows->count(), transformer.output_dimension(),
                    transformer.input_dimension(), verb.model, transformer.model().method,
                    human_seconds(session.seconds()), summary.threads, human_bytes(peak_memory_bytes()));
    for (const auto& [what, number] : summary.counts) {
        text += fmt::format("  {:<28} {:.6g}\n", what, number);
    }
    if (summary.value(beyond_fit) > 0.0) {
        text += fmt::format("  {:<28} {}\n", "farthest_rows", farthest_text(placed.farthest));
    }
    if (transformer.map().is_approximate()) {
        text += fmt::format("  {:<28} {}\n", "search", search_name(transformer));
    }
    for (const auto& [what, number] : summary.measures) {
        text += fmt::format("  {:<28} {:.6g}\n", what, number);
    }
    return text;
}

Json result_json(const Transform& verb, const Transformer& transformer, const InputRows& input,
                 const PlacedRows& placed, bool written, const Session& session) {
    Json json{
        {"verb", "transform"},
        {"version", ISOGON_VERSION},
        {"model", verb.model},
        {"method", transformer.model().method},
        {"options", to_json(transformer.model().options)},
        {"by", placement_name(verb, transformer)},
        {"codes", verb.codes},
        {"search", placement_name(verb, transformer) == placement ? Json(search_name(transformer)) : Json(nullptr)},
        {"input", input_json(verb.inputs, verb.reading, input)},
        {"output", written ? Json(verb.output) : Json(nullptr)},
        {"shape", {{"points", written ? input.rows->count() : 0}, {"dimension", transformer.output_dimension()}}}};
    add_summary(json, placed.summary);
    if (knows_distances(placed.summary)) {
        json["farthest_rows"] = farthest_json(placed.farthest);
    }
    json["seconds"] = session.seconds();
    json["peak_memory_bytes"] = peak_memory_bytes();
    return json;
}

/// The placement of rows, with all of its options.
std::map<std::string, std::string> placement_of(const Transform& verb, const LandmarkWeightOptions& options,
                                                const Transformer& transformer) {
    std::map<std::string, std::string> placement_options{{"by", placement_name(verb, transformer)}};
    if (transformer.map().is_approximate()) {  // other bits than those of an exact placement
        placement_options["search"] = search_name(transformer);
    }
    if (verb.by == weights) {
        for (const auto& [name, value] : landmark_weight_option_table().values(options)) {
            placement_options[name] = to_text(value);
        }
    }
    return placement_options;
}

std::vector<std::string> expand_all(const std::vector<std::string>& patterns) {
    std::vector<std::string> files;
    for (const std::string& pattern : patterns) {
        const auto more = expand_pattern(pattern);
        files.insert(files.end(), more.begin(), more.end());
    }
    return files;
}

Outcome run(Transform& verb, Session& session) {
    const LandmarkWeightOptions options = weight_options(verb);
    const bool folder = wants_folder(verb.output, verb.shards);
    if (verb.codes && (folder || verb.inverse)) {
        throw UsageError(std::string("--codes has no effect ") +
                         (folder ? "with a folder for output" : "with --inverse") + "; leave one of them out");
    }
    if (!folder) {
        verb.inputs = expand_all(verb.inputs);
        require_outputs({verb.output, has_record(verb) ? record_path(verb.output) : ""},
                        all_of({{verb.model}, verb.inputs}), session);
    }
    if (verb.codes) {
        require_output(
            [&] { require_writable_archive(verb.output, {.format = {}, .overwrite = session.overwrite()}); });
    }
    const Placing placing = placing_of(verb);
    // Inputs are looked at where they lie: only an exact placement copies them, into the layout of its kernels.
    Transformer transformer(read_archive_within(verb.model, session, {"inputs"}), session.context(), placing);
    choose_way(verb, options, transformer);
    const InputFlags reading =
        verb.inverse ? verb.reading : with_columns(verb.reading, fitted_columns(verb, transformer));
    if (folder) {
        const ShardJob job{verb.model,  verb.inputs, verb.output,
                           verb.shards, reading,     placement_of(verb, options, transformer)};
        return transform_shards(job, transformer, session);
    }
    const InputRows input = open_input(verb.inputs, reading, session);
    require_dimension(verb.inputs.front(), input.rows->dimension(), transformer.input_dimension(),
                      verb.inverse ? "the fitted coordinates" : "the fitted points");
    if (!verb.codes) {
        require_words(verb.output, !input.words.empty());
    }
    const PlacedRows placed =
        verb.codes ? write_codes(verb, transformer, input, session) : transform_file(verb, transformer, input, session);
    const Summary& summary = placed.summary;

    Outcome outcome;
    outcome.code = exit_code(summary, true);
    const bool done = outcome.code == ExitCode::Ok;
    if (done) {
        outcome.text = result_text(verb, transformer, input, placed, session);
    } else {
        outcome.failure = failure_text(outcome.code, "", summary);
    }
    outcome.warnings = summary.warnings;
    outcome.json = result_json(verb, transformer, input, placed, done, session);
    if (done && has_record(verb)) {
        write_record(verb.output, outcome.json, session);
    }
    return outcome;
}

}  // namespace

Command add_transform(CLI::App& app) {
    const auto verb = std::make_shared<Transform>();
    app.add_option("MODEL", verb->model, "What isogon embed --model has kept")->required();
    app.add_option("INPUT", verb->inputs,
                   "Files of points, or quoted patterns ('in/*.npy'); several are stacked in their order, unless the "
                   "output is a folder")
        ->required();
    app.add_option("-o,--output", verb->output,
                   "Where the coordinates go; the name tells the format. A folder (out/): an output for each input")
        ->required()
        ->type_name("FILE");
    app.add_option(
           "--by", verb->by,
           "How rows come among the points of tsm and faithful: placement (default), which solves their "
           "equation for each row; map, some microseconds a row and less faithful, of models fitted with --map; or "
           "weights, which mixes the coordinates of the nearest (Saul 2022, eq. 14)")
        ->type_name("WORD");
    app.add_flag(
        "--inverse", verb->inverse,
        "The other way: rows of INPUT are coordinates, and get inputs: those that svd, pca and nmf keep of them, "
        "else mixtures of the fitted inputs whose coordinates are nearest");
    app.add_option("--search", verb->search,
                   "exact places rows of faithful among all fitted points; approximate looks into two indexes of them; "
                   "auto (default) takes the second if the model keeps indexes, as it does from 32,768 points on")
        ->type_name("WORD");
    app.add_flag(
        "--codes", verb->codes,
        "Write codes of the coordinates (.safetensors), by the codewords of the model, as isogon quantize does: "
        "of models fitted with --codes");
    verb->options = std::make_unique<OptionFlags>(
        app, "way", std::vector<OptionOwner>{{placement, {}}, {weights, landmark_weight_option_table().specs()}});
    add_shard_flags(app, verb->shards);
    add_input_flags(app, verb->reading);
    app.footer(
        "Each row stands alone: the same bits alone, in a batch, in any order.\n"
        "A fitted row gets the coordinates of the fit (of several equal ones, which a fit may place apart,\n"
        "those of one); by weights or a map, nearly so.\n"
        "Rows are read and written block by block, in the memory of one (.npy in C order, IDX, .fvecs;\n"
        "text and packed files are read whole).\n"
        "\n"
        "Examples:\n"
        "  isogon embed vectors.npy -o small.npy --model map.safetensors\n"
        "  isogon transform map.safetensors new.npy -o new-small.npy\n"
        "  isogon transform map.safetensors new.npy -o mixed.npy --by weights\n"
        "  isogon transform map.safetensors queries.npy -o fast.npy --by map      (after embed --map relu)\n"
        "  isogon transform map.safetensors places.npy -o inputs.npy --inverse\n"
        "  isogon transform map.safetensors new.npy -o new.safetensors --codes        (after embed --codes 16)\n"
        "  isogon score new.npy new-small.npy --against vectors.npy small.npy\n"
        "  isogon transform map.safetensors 'in/*.npy' -o out/ --shard 3/16\n"
        "  isogon transform map.safetensors 'in/*.npy' -o out/ --check");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
