#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "files/extended_table.hpp"
#include "files/input_files.hpp"
#include "files/matrix_files.hpp"
#include "files/output_files.hpp"
#include "io/file_set.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "report/run_result.hpp"
#include "transform/landmark_mixtures.hpp"
#include "transform/transform.hpp"

namespace isogon::cli {

namespace {

constexpr const char* placement = "placement";
constexpr const char* weights = "weights";
constexpr const char* query_map = "map";

/// Inputs are no coordinates.
bool has_record(const Transform& verb) {
    return !verb.inverse;
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

/// The name of the search: rows placed among all fitted points, or by indexes.
std::string search_name(const Transformer& transformer) {
    return transformer.map().is_approximate() ? "approximate" : "exact";
}

LandmarkWeightOptions weight_options(const Transform& verb) {
    if (!verb.by.empty()) {
        static_cast<void>(parse_choice("--by", verb.by, {placement, weights, query_map}));
    }
    return landmark_weight_option_table().make(verb.options.values(verb.by == weights ? weights : placement));
}

TablesToExtend kept_tables(const Transform& verb, const Transformer& transformer) {
    return {verb.inputs, verb.reading, transformer.model().method};
}

/// Reads, transforms and writes block by block; the file appears if all rows are complete.
TransformedRows transform_file(const Transform& verb, const Transformer& transformer, const InputRows& input,
                               Session& session) {
    // Held during the whole run: a first Ctrl-C ends it within a second, and a second one must not leave a temporary
    // file.
    const auto held = session.while_writing();
    const auto transform_to = [&](auto&& rows) {
        TransformedRows placed = transform_rows(transformer.map(), *input.rows, rows, session.context());
        session.end_progress();
        if (placed.summary.termination == Termination::Converged) {
            rows.commit();
        }
        return placed;
    };
    if (verb.keep_columns) {
        return transform_to(*extended_table(kept_tables(verb, transformer), verb.output, write_options(session)));
    }
    const ColumnNames columns = verb.inverse ? fitted_columns(verb, transformer) : ColumnNames{};
    return transform_to(
        OutputRows(verb.output, input, transformer.output_dimension(), write_options(session), columns.names));
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
                        const TransformedRows& placed, const Session& session) {
    const Summary& summary = placed.summary;
    std::string text = fmt::format("{}: {} points of {} numbers, from {}, by {} ({})\n", verb.output,
                                   input.rows->count(), transformer.output_dimension(), transformer.input_dimension(),
                                   verb.model, transformer.model().method) +
                       costs_text(summary, session) + number_lines(summary.counts);
    if (summary.value(beyond_fit) > 0.0) {
        text += fmt::format("  {:<28} {}\n", "farthest_rows", farthest_text(placed.farthest));
    }
    if (transformer.map().is_approximate()) {
        text += fmt::format("  {:<28} {}\n", "search", search_name(transformer));
    }
    return text + number_lines(summary.measures);
}

Json result_json(const Transform& verb, const Transformer& transformer, const InputRows& input,
                 const TransformedRows& placed, const Session& session) {
    const bool written = exit_code(placed.summary, true) == ExitCode::Ok;
    Json json = model_json(verb, transformer);
    json["input"] = input_json(verb.inputs, verb.reading, input);
    json["output"] = written ? Json(verb.output) : Json(nullptr);
    json["shape"] = {{"points", written ? input.rows->count() : 0}, {"dimension", transformer.output_dimension()}};
    add_summary(json, placed.summary);
    if (knows_distances(placed.summary)) {
        json["farthest_rows"] = farthest_json(placed.farthest);
    }
    add_costs(json, session);
    return json;
}

std::vector<std::string> expand_all(const std::vector<std::string>& patterns) {
    std::vector<std::string> files;
    for (const std::string& pattern : patterns) {
        const auto more = expand_pattern(pattern);
        files.insert(files.end(), more.begin(), more.end());
    }
    return files;
}

/// Whether each input gets an output of its own. Throws UsageError for --output-format where none does.
bool wants_folder(const Transform& verb) {
    std::error_code ignored;
    const bool folder = verb.output.ends_with('/') || std::filesystem::is_directory(verb.output, ignored);
    if (!folder && verb.output_format != Transform{}.output_format) {
        throw UsageError("--output-format is for a folder: end " + verb.output +
                         " in / to make it one, or leave the flag out");
    }
    return folder;
}

/// Checks the output and what it cannot hold.
void require_output_file(const Transform& verb, Session& session) {
    require_outputs({verb.output, has_record(verb) ? record_path(verb.output) : "", verb.distances},
                    all_of({{verb.model}, verb.inputs}), session);
}

/// Two numbers for each row (FitDistances::of). Throws Interruption.
Points distances_of(const RowSource& source, const Archive& model, const Session& session) {
    const FiniteRows rows(source);
    FitDistances distances(model);
    Points all(rows.count(), 2);
    Points block(rows_per_block(rows.count(), std::max<Index>(1, rows.dimension())), rows.dimension());
    for (std::size_t first = 0; first < rows.count(); first += block.count()) {
        const auto count = static_cast<Index>(std::min<std::size_t>(block.count(), rows.count() - first));
        rows.read(static_cast<Index>(first), block.values().first(std::size_t{count} * rows.dimension()));
        const Points found = distances.of({block.values().data(), count, rows.dimension()}, session.context());
        std::ranges::copy(found.values(), all[static_cast<Index>(first)].begin());
    }
    return all;
}

/// All inputs together, into one output.
Outcome transform_into_file(const Transform& verb, const Transformer& transformer, Session& session) {
    const InputRows input = is_sparse_input(verb.inputs, verb.reading)
                                ? open_sparse_input(verb.inputs, verb.reading, session)
                                : open_input(verb.inputs, verb.reading, session);
    require_input_dimension(verb.inputs.front(), input.rows->dimension(), verb, transformer);
    if (!verb.keep_columns) {
        require_words(verb.output, !input.words.empty());
    }
    // Before anything is written: a run that is ended meanwhile leaves nothing behind.
    const Points distances =
        verb.distances.empty() ? Points() : distances_of(*input.rows, transformer.model(), session);
    const TransformedRows placed = transform_file(verb, transformer, input, session);

    Outcome outcome;
    set_end(outcome, placed.summary, true);
    const bool done = outcome.code == ExitCode::Ok;
    outcome.text = done ? result_text(verb, transformer, input, placed, session) : "";
    outcome.json = result_json(verb, transformer, input, placed, session);
    if (done && has_record(verb)) {
        write_record(verb.output, outcome.json, session);
    }
    if (done && !verb.distances.empty()) {
        const std::vector<std::string> columns{"distance", "in_radii"};
        write_output(session, [&](const WriteOptions& how) {
            write_points(verb.distances, distances.view(), {{}, {}, {}, columns}, how);
        });
    }
    return outcome;
}

/// Throws UsageError where rows have no distance to fitted points.
void require_distances(const Transform& verb, bool folder, const Transformer& transformer) {
    if (folder || verb.inverse) {
        throw UsageError("--distances: is of all rows of one output, and not of --inverse; leave one of the two out");
    }
    if (!transformer.model().has("inputs")) {
        throw UsageError("--distances: " + verb.model + " keeps no fitted points to measure them from; leave it out");
    }
}

void require_kept_columns(const Transform& verb, bool folder, const Transformer& transformer) {
    if (folder || verb.inverse) {
        throw UsageError("--keep-columns: is of one output, and not of --inverse; leave one of the two out");
    }
    require_extendable(kept_tables(verb, transformer), verb.output);
}

Outcome run(Transform& verb, Session& session) {
    const LandmarkWeightOptions options = weight_options(verb);
    const bool folder = wants_folder(verb);
    verb.inputs = expand_all(verb.inputs);
    if (folder) {
        require_output_folder(verb, session);
    } else {
        require_output_file(verb, session);
    }
    const Placing placing = placing_of(verb);
    // Inputs are looked at where they lie: only an exact placement copies them, into the layout of its kernels.
    Transformer transformer(read_archive_within(verb.model, session, {"inputs"}), session.context(), placing);
    choose_way(verb, options, transformer);
    if (!verb.distances.empty()) {
        require_distances(verb, folder, transformer);
    }
    if (verb.keep_columns) {
        require_kept_columns(verb, folder, transformer);
    }
    if (!verb.inverse) {
        verb.reading = with_columns(verb.reading, fitted_columns(verb, transformer));
    }
    if (folder) {
        verb.reading.other_files = verb.inputs;  // a flag of tables has an effect if any of them is one
        return transform_into_folder(verb, transformer, session);
    }
    return transform_into_file(verb, transformer, session);
}

}  // namespace

ColumnNames fitted_columns(const Transform& verb, const Transformer& transformer) {
    return column_names_in(transformer.model(),
                           verb.inverse ? transformer.output_dimension() : transformer.input_dimension());
}

void require_input_dimension(const std::string& file, Index dimension, const Transform& verb,
                             const Transformer& transformer) {
    require_dimension(file, dimension, transformer.input_dimension(),
                      verb.inverse ? "the fitted coordinates" : "the fitted points");
}

Json model_json(const Transform& verb, const Transformer& transformer) {
    const std::string by = placement_name(verb, transformer);
    return {{"verb", "transform"},
            {"version", ISOGON_VERSION},
            {"model", verb.model},
            {"method", transformer.model().method},
            {"options", to_json(transformer.model().options)},
            {"by", by},
            {"search", by == placement ? Json(search_name(transformer)) : Json(nullptr)}};
}

Command add_transform(CLI::App& app) {
    const auto verb = std::make_shared<Transform>();
    app.add_option("MODEL", verb->model, "What isogon embed --model has kept")->required();
    app.add_option("INPUT", verb->inputs,
                   "Files of points, or quoted patterns ('in/*.npy'); several are stacked in their order, unless the "
                   "output is a folder")
        ->required();
    add_value(app, "-o,--output FILE", verb->output,
              "Where the coordinates go; the name tells the format. A folder (out/): an output for each input")
        ->required();
    add_value(app, "--by WORD", verb->by,
              "How rows come among the points of tsm and faithful: placement (default), which solves their "
              "equation for each row; map, some microseconds a row and less faithful, of models fitted with --map; or "
              "weights, which mixes the coordinates of the nearest (Saul 2022, eq. 14)");
    app.add_flag(
        "--inverse", verb->inverse,
        "The other way: rows of INPUT are coordinates, and get inputs: those that svd, pca and nmf keep of them, "
        "else mixtures of the fitted inputs whose coordinates are nearest");
    add_value(app, "--search WORD", verb->search,
              "exact places rows of faithful among all fitted points; approximate looks into two indexes of them; "
              "auto (default) takes the second if the model keeps indexes, as it does from 32,768 points on");
    add_value(
        app, "--distances FILE", verb->distances,
        "Write, for each row, its distance to the nearest fitted point, and the same over that point's own radius "
        "(to its 10th nearest): about 1 for rows like the fitted ones, many for rows that belong nowhere");
    verb->options.add(app, "way", {{placement, {}}, {weights, landmark_weight_option_table().specs()}});
    add_value(app, "--output-format ENDING", verb->output_format,
              "Ending of the outputs in a folder, which tells their format (npy)");
    add_input_flags(app, verb->reading);
    add_keep_columns(app, verb->keep_columns);
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
        "  isogon score new.npy new-small.npy --against vectors.npy small.npy\n"
        "  isogon transform map.safetensors 'in/*.npy' -o out/");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
