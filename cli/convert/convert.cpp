#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "convert/convert.hpp"
#include "core/parallel.hpp"
#include "files/input_files.hpp"
#include "files/matrix_files.hpp"
#include "files/output_files.hpp"
#include "isogon/core/error.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "program/session.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

void require_no_point_flags(const std::vector<std::string>& inputs, const InputFlags& flags) {
    if (inputs.size() != 1) {
        throw UsageError(inputs[1] + ": only files of points are stacked; a matrix is read from one file");
    }
    const InputFlags none;
    for (const auto& [name, given, otherwise] : {std::tuple("--header", &flags.header, &none.header),
                                                 {"--label-column", &flags.label_column, &none.label_column},
                                                 {"--word-column", &flags.word_column, &none.word_column},
                                                 {"--every", &flags.every, &none.every},
                                                 {"--from", &flags.from, &none.from}}) {
        if (*given != *otherwise) {
            throw UsageError(fmt::format("{} {}: goes with points; a matrix is copied whole, without labels or words",
                                         name, *given));
        }
    }
}

std::string format_name(const std::string& output) {
    if (!is_matrix_name(output)) {
        return std::string(name(output_format(output)));
    }
    return std::filesystem::path(output).extension() == ".npz" ? "npz" : "mtx";
}

/// Warns of entries that float32 cannot represent exactly.
std::vector<std::string> losses(const CsrMatrix<double>& matrix, const std::string& output) {
    const auto rounded = std::ranges::count_if(
        matrix.values, [](double value) { return static_cast<double>(static_cast<float>(value)) != value; });
    if (is_matrix_name(output) || rounded == 0) {
        return {};
    }
    return {
        fmt::format("{} of {} entries are rounded to float32, which is what {} files hold here; .mtx and .npz keep "
                    "all digits",
                    rounded, matrix.entries(), format_name(output))};
}

/// Whether a sparse matrix is converted: by the name, first bytes or --format of the input, or by the name of the
/// output.
bool is_matrix_conversion(const std::vector<std::string>& inputs, const std::string& output, const InputFlags& flags) {
    if (flags.format == "mtx" || flags.format == "svmlight" || is_matrix_name(output)) {
        return true;
    }
    return (flags.format.empty() || flags.format == "npz") &&
           std::ranges::any_of(inputs, [](const std::string& input) { return is_matrix_file(input); });
}

/// Converts a matrix: sparse formats keep all digits, formats of points are in float32 and contain zeros. Throws
/// UsageError for several inputs and for flags of points.
Outcome convert_matrix(const std::vector<std::string>& inputs, const std::string& output, const InputFlags& flags,
                       Session& session) {
    require_no_point_flags(inputs, flags);
    if (!is_matrix_name(output)) {
        require_words(output, false);
    }
    require_outputs({output}, inputs, session);
    const CsrMatrix<double> matrix = read_matrix_within({inputs.front(), flags.format}, session);
    throw_if_cancelled(session.context());
    write_matrix_file(output, matrix, session);
    session.end_progress();

    Outcome outcome;
    outcome.warnings = losses(matrix, output);
    outcome.text = fmt::format("{}: {} x {}, {} entries other than 0, {}\n", output, matrix.rows, matrix.columns,
                               matrix.entries(), human_seconds(session.seconds()));
    outcome.json = {{"verb", "convert"},
                    {"version", ISOGON_VERSION},
                    {"input", matrix_json(inputs.front(), matrix)},
                    {"output", output},
                    {"format", format_name(output)},
                    {"shape", {{"rows", matrix.rows}, {"columns", matrix.columns}}},
                    {"warnings", outcome.warnings}};
    add_costs(outcome.json, session);
    return outcome;
}

/// Vectors that codes stand for, or the coordinates of a model.
Outcome convert_archived(const Convert& verb, Session& session) {
    const std::string& output = verb.output();
    const Format format = output_format(output);
    require_words(output, false);
    require_outputs({output}, verb.inputs(), session);
    const ArchivedVectors vectors = read_archived(verb, session);
    const Points decoded = vectors.codes ? vectors.codes->decode(session.context()) : Points();
    const PointsView points = vectors.codes ? decoded.view() : vectors.coordinates();
    write_output(session, [&](const WriteOptions& how) { write_points(output, points, {}, how); });

    Outcome outcome;
    outcome.text = fmt::format(
        "{}: {} vectors of {} numbers from {}, {}\n", output, points.count, points.dimension,
        vectors.codes ? fmt::format("{} bytes each", vectors.codes->code_bytes()) : "the points that the model keeps",
        human_seconds(session.seconds()));
    outcome.json = {{"verb", "convert"},
                    {"version", ISOGON_VERSION},
                    {"input", vectors.json(verb.files.front())},
                    {"output", output},
                    {"format", name(format)},
                    {"shape", shape_json(points)},
                    {"warnings", outcome.warnings}};
    add_costs(outcome.json, session);
    return outcome;
}

struct ImageSize {
    Index height = 0;
    Index width = 0;
};

/// Height and width, which a conversion from IDX to IDX keeps.
std::optional<ImageSize> image_size(const std::string& path, const ReadOptions& options) {
    const FileInfo info = describe_file(path, options);
    if (info.format != Format::Idx || info.shape.size() != 3) {
        return std::nullopt;
    }
    return ImageSize{static_cast<Index>(info.shape[1]), static_cast<Index>(info.shape[2])};
}

/// Warns of labels and words that the output format cannot hold.
std::vector<std::string> losses(const Convert& verb, const Input& input, Format format) {
    const bool table = format == Format::Csv || format == Format::Tsv;
    const bool with_words = table || format == Format::WordText || format == Format::WordBinary;
    std::vector<std::string> list;
    if (!input.words.empty() && !with_words) {
        list.push_back(fmt::format("{} files have no place for words: they are left out; .vec, .csv and .tsv keep them",
                                   name(format)));
    }
    if (!input.labels.empty() && !table && verb.save_labels.empty()) {
        list.push_back(fmt::format("{} files have no place for labels: they are left out; keep them with --save-labels",
                                   name(format)));
    }
    if (!verb.save_labels.empty() && !input.label_names.empty() && !holds_names(verb.save_labels)) {
        list.push_back(fmt::format("{} holds labels as numbers, of \"{}\"; .csv, .tsv and .txt keep the names",
                                   verb.save_labels, fmt::join(input.label_names, "\", \"")));
    }
    return list;
}

void require_labels(const Convert& verb, const Input& input) {
    if (!verb.save_labels.empty() && input.labels.empty()) {
        throw UsageError("--save-labels " + verb.save_labels +
                         ": the input has no labels; name their column with --label-column, or their file with "
                         "--labels");
    }
}

/// Labels that were given explicitly must not be lost, unlike those of the input, for which there is a warning.
void require_place_for_labels(const Convert& verb, Format format) {
    if (!verb.labels.empty() && verb.save_labels.empty() && format != Format::Csv && format != Format::Tsv) {
        throw UsageError(
            fmt::format("--labels {} has an effect only with an output in .csv or .tsv, or with "
                        "--save-labels: {} files have no place for labels",
                        verb.labels.front(), name(format)));
    }
}

constexpr std::size_t rows_of_task = 1024;

/// Mean and standard deviation (over n, as scikit-learn's StandardScaler) of every column of some points, in float64.
struct ColumnScales {
    std::vector<double> mean;
    std::vector<double> deviation;  ///< 0 for a column of equal numbers
};

/// Calls `add(column, number)` for every number, by rows.
template <class Add>
void for_each_number(const PointsView& points, const RunContext& context, const Add& add) {
    for (Index i = 0; i < points.count; ++i) {
        if (i % rows_of_task == 0) {
            throw_if_cancelled(context);
        }
        const auto row = points[i];
        for (Index k = 0; k < points.dimension; ++k) {
            add(k, double{row[k]});
        }
    }
}

/// Two passes, so that no digits cancel, by one thread. The points must be finite. Throws Interruption. O(n D).
ColumnScales column_scales(const PointsView& points, const RunContext& context) {
    ColumnScales scales{std::vector<double>(points.dimension), std::vector<double>(points.dimension)};
    const double count = points.count;
    for_each_number(points, context, [&](Index k, double value) { scales.mean[k] += value; });
    for (double& mean : scales.mean) {
        mean /= count;
    }
    std::vector<double> least(points[0].begin(), points[0].end());
    std::vector<double> most = least;
    for_each_number(points, context, [&](Index k, double value) {
        least[k] = std::min(least[k], value);
        most[k] = std::max(most[k], value);
        scales.deviation[k] += (value - scales.mean[k]) * (value - scales.mean[k]);
    });
    for (Index k = 0; k < points.dimension; ++k) {
        const bool constant = least[k] == most[k];  // its mean may be rounded
        scales.mean[k] = constant ? least[k] : scales.mean[k];
        scales.deviation[k] = constant ? 0.0 : std::sqrt(scales.deviation[k] / count);
    }
    return scales;
}

/// (x - mean) / deviation, and x - mean where the deviation is 0, in the points' own order. `source` is what messages
/// call the points. States its memory, n D floats. Throws InputError for a number beyond float32, LimitExceeded,
/// Interruption. O(n D).
Points standardized(const PointsView& points, const ColumnScales& scales, const std::string& source,
                    const RunContext& context) {
    require_memory(context,
                   {{"the standardised points", std::uint64_t{points.count} * points.dimension * sizeof(float)}},
                   "raise the limit or take fewer rows");
    Points result(points.count, points.dimension);
    throw_if_cancelled(context);
    parallel_blocks(context, points.count, rows_of_task, [&](Range rows) {
        throw_if_cancelled_in_task(context);
        for (auto i = static_cast<Index>(rows.begin); i < rows.end; ++i) {
            for (Index k = 0; k < points.dimension; ++k) {
                const double moved = double{points[i][k]} - scales.mean[k];
                result[i][k] = static_cast<float>(scales.deviation[k] > 0.0 ? moved / scales.deviation[k] : moved);
            }
        }
    });
    throw_if_cancelled(context);
    for (Index i = 0; i < result.count(); ++i) {
        const auto row = result[i];
        const auto beyond = std::find_if(row.begin(), row.end(), [](float value) { return !std::isfinite(value); });
        if (beyond != row.end()) {
            throw InputError(source, fmt::format("row {}, column {}", i, beyond - row.begin()),
                             "standardised it is beyond the largest number of float32");
        }
    }
    return result;
}

/// The points with columns of mean 0 and standard deviation 1, by the inputs or by another file.
Points standardize(const Convert& verb, const Input& input, Session& session) {
    if (verb.standardize_by.empty()) {
        return standardized(input.points, column_scales(input.points, session.context()), verb.files.front(),
                            session.context());
    }
    const Input by = read_input({verb.standardize_by}, with_columns(of_all_rows(verb.reading), input.columns),
                                Finite::Required, session);
    if (by.points.dimension != input.points.dimension) {
        throw InputError(verb.standardize_by, "",
                         fmt::format("points of {} numbers, where the inputs have {}; --standardize-by takes points of "
                                     "the same columns, those that were fitted",
                                     by.points.dimension, input.points.dimension));
    }
    return standardized(input.points, column_scales(by.points, session.context()), verb.files.front(),
                        session.context());
}

void write(const Convert& verb, const std::string& output, const Input& input, const PointsView& points,
           Session& session) {
    const auto size = output_format(output) == Format::Idx ? image_size(verb.files.front(), read_options(verb.reading))
                                                           : std::nullopt;
    write_output(session, [&](const WriteOptions& how) {
        if (size) {
            write_idx_images(output, points, size->height, size->width, how);
        } else {
            write_points(output, points, {input.labels, input.words, input.label_names, input.columns.names}, how);
        }
    });
    if (!verb.save_labels.empty()) {
        write_output(session, [&](const WriteOptions& how) {
            write_named_labels(verb.save_labels, {input.labels, input.label_names}, how);
        });
    }
}

Outcome run(const Convert& verb, Session& session) {
    if (verb.files.size() < 2) {
        throw UsageError("only one file given; name the files to read, then the one to write");
    }
    const std::vector<std::string> inputs = verb.inputs();
    const std::string& output = verb.output();
    const bool standardizes = verb.standardize || !verb.standardize_by.empty();
    if (standardizes && (is_engine_name(output) || is_matrix_conversion(inputs, output, verb.reading) ||
                         holds_vectors(inputs.front()))) {
        throw UsageError(
            "--standardize goes with files of points, and neither with matrices, codes, models nor files of search "
            "engines; convert the points to a file of points first");
    }
    if (is_engine_name(output)) {
        return convert_for_engine(verb, session);
    }
    if (!verb.metric.empty() || !verb.model.empty()) {
        throw UsageError(fmt::format("--{}: goes with an index of faiss (.faiss), and {} is none",
                                     verb.metric.empty() ? "model" : "metric", output));
    }
    if (is_matrix_conversion(inputs, output, verb.reading)) {
        if (!verb.labels.empty() || !verb.save_labels.empty()) {
            throw UsageError("--labels and --save-labels go with points; a matrix has none");
        }
        return convert_matrix(inputs, output, verb.reading, session);
    }
    if (holds_vectors(inputs.front())) {
        if (!verb.labels.empty() || !verb.save_labels.empty()) {
            throw UsageError("--labels and --save-labels go with points; codes and models have none");
        }
        return convert_archived(verb, session);
    }
    const Format format = output_format(output);
    require_place_for_labels(verb, format);
    require_outputs({output, verb.save_labels}, all_of({inputs, verb.labels, {verb.standardize_by}}), session);
    require_label_output(verb.save_labels, session);
    Input input = read_input(inputs, verb.reading, standardizes ? Finite::Required : Finite::Any, session);
    set_labels(input, read_picked_labels(verb.labels, verb.reading, input));
    require_words(output, !input.words.empty());
    require_labels(verb, input);
    throw_if_cancelled(session.context());
    const Points scaled = standardizes ? standardize(verb, input, session) : Points();
    write(verb, output, input, standardizes ? scaled.view() : input.points, session);

    Outcome outcome;
    outcome.warnings = losses(verb, input, format);
    outcome.text = fmt::format("{}: {} points of {} numbers, {}\n", output, input.points.count, input.points.dimension,
                               human_seconds(session.seconds()));
    outcome.json = {{"verb", "convert"},
                    {"version", ISOGON_VERSION},
                    {"input", input_json(inputs, verb.reading, input)},
                    {"output", output},
                    {"format", name(format)},
                    {"labels", json_or_null(verb.save_labels)},
                    {"shape", shape_json(input.points)},
                    {"warnings", outcome.warnings}};
    add_costs(outcome.json, session);
    return outcome;
}

}  // namespace

Command add_convert(CLI::App& app) {
    const auto verb = std::make_shared<Convert>();
    app.add_option("IN... OUT", verb->files,
                   "Files of points, stacked in their order, or one of a sparse matrix (.mtx, scipy's .npz), of codes "
                   "(isogon quantize) or of a model that keeps its coordinates, and last the file to write; its name "
                   "tells the format")
        ->required();
    add_value(app, "--labels FILE", verb->labels,
              "Class numbers that .csv and .tsv should carry, or ids of vectors in .faiss and .copy. Give it once for "
              "each file, in their order")
        ->allow_extra_args(false);
    add_value(app, "--save-labels FILE", verb->save_labels, "Where labels go as a file of their own");
    CLI::Option* standardize =
        app.add_flag("--standardize", verb->standardize,
                     "Gives every column mean 0 and standard deviation 1; columns of equal numbers become 0");
    add_value(app, "--standardize-by FILE", verb->standardize_by,
              "The same by the columns of another file of points, as it is before: for new points those that were "
              "fitted")
        ->excludes(standardize);
    add_value(app, "--metric NAME", verb->metric,
              "What an index of faiss ranks by: cosine (the default), inner-product or euclidean");
    add_value(app, "--model MODEL", verb->model,
              "A model of svd or pca that an index of faiss begins with, so that it takes vectors as they were "
              "before embed");
    add_input_flags(app, verb->reading);
    app.footer(
        "For search engines: .faiss is an exhaustive index that faiss.read_index reads, .copy are rows for\n"
        "\\copy items (id, embedding) from ... in PostgreSQL with pgvector. Ids are labels, or the numbers of\n"
        "rows; in .copy words too.\n"
        "\n"
        "Examples:\n"
        "  isogon convert words.vec.gz words.npy\n"
        "  isogon convert table.csv points.npy --label-column class --save-labels classes.npy\n"
        "  isogon convert train-images-idx3-ubyte t10k-images-idx3-ubyte fold0.npy --every 5 --from 0\n"
        "  isogon convert table.csv fitted.npy --standardize\n"
        "  isogon convert new.csv new.npy --standardize-by table.csv\n"
        "  isogon convert counts.mtx.gz counts.npz\n"
        "  isogon convert y.npy y.faiss --labels ids.npy\n"
        "  isogon convert codes.safetensors codes.faiss\n"
        "  isogon convert y.npy y.copy");
    return [verb](Session& session) {
        if (!verb->standardize_by.empty()) {
            verb->reading.other_files = all_of({verb->files, {verb->standardize_by}});
        }
        return run(*verb, session);
    };
}

}  // namespace isogon::cli
