#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "files/input_files.hpp"
#include "io/matrix_file.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/io/archive_file.hpp"
#include "program/command_line.hpp"
#include "program/failure.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

/// The value of an array of one number. Counts beyond 2^53 stay exact.
Json single_number(const Array& array) {
    return std::visit([](const auto& values) -> Json { return values.front(); }, array.values);
}

std::string lines(const std::string& title, const Json& object) {
    std::string text = object.empty() ? "" : title + ":\n";
    for (const auto& item : object.items()) {
        const Json& value = item.value();
        text += fmt::format("  {} = {}\n", item.key(), value.is_string() ? value.get<std::string>() : value.dump());
    }
    return text;
}

std::string sides(const std::vector<std::uint64_t>& shape) {
    return shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, " x "));
}

Json archive_json(const std::string& file, const ArchiveInfo& info) {
    Json numbers = Json::object();
    for (const auto& [name, array] : info.archive.arrays) {
        numbers[name] = single_number(array);
    }
    Json arrays = Json::array();
    for (const auto& array : info.arrays) {
        arrays.push_back({{"name", array.name}, {"scalar", array.scalar}, {"shape", array.shape}});
    }
    return {{"file", file},
            {"format", "safetensors"},
            {"gzip", info.gzip},
            {"bytes", info.file_bytes},
            {"kind", name(info.archive.kind)},
            {"format_version", info.archive.version},
            {"isogon_version", info.archive.writer},
            {"bits_version", info.archive.bits},
            {"method", info.archive.method},
            {"options", cli::to_json(info.archive.options)},
            {"notes", info.archive.notes},
            {"numbers", numbers},
            {"arrays", arrays}};
}

std::string archive_text(const std::string& file, const ArchiveInfo& info, const Json& json) {
    std::string text = fmt::format("{}: {} of {}, format version {}{}, written by isogon {}, {}\n", file,
                                   name(info.archive.kind), info.archive.method, info.archive.version,
                                   info.gzip ? " (gzip)" : "", info.archive.writer, human_bytes(info.file_bytes));
    text += lines("options", json["options"]) + lines("notes", json["notes"]) + lines("numbers", json["numbers"]);
    text += info.arrays.empty() ? "" : "arrays:\n";
    for (const auto& array : info.arrays) {
        text += fmt::format("  {}: {} of {}\n", array.name, sides(array.shape), array.scalar);
    }
    return text;
}

/// Describes a model or checkpoint. Reads the whole file, which detects damage. Throws InputError.
Outcome describe_model(const std::string& file) {
    const ArchiveInfo info = describe_archive(file);
    Outcome outcome;
    outcome.json = archive_json(file, info);
    outcome.text = archive_text(file, info, outcome.json);
    return outcome;
}

struct Info {
    std::string file;
    bool statistics = false;
    InputFlags reading;
};

struct Statistics {
    std::uint64_t points = 0;
    std::uint64_t dimension = 0;
    std::uint64_t not_finite = 0;  ///< NaN and infinite values
    std::uint64_t zero_vectors = 0;
    std::uint64_t measured = 0;  ///< points without such values: only their norms count
    double norm_minimum = 0.0;
    double norm_mean = 0.0;
    double norm_maximum = 0.0;
};

Statistics measure(const PointsView& points) {
    Statistics s{.points = points.count, .dimension = points.dimension};
    const auto lengths = norms(points);
    double sum = 0.0;
    for (Index i = 0; i < points.count; ++i) {
        const auto row = points[i];
        const auto bad = std::count_if(row.begin(), row.end(), [](float value) { return !std::isfinite(value); });
        s.not_finite += static_cast<std::uint64_t>(bad);
        if (bad > 0) {
            continue;
        }
        const double length = lengths[i];
        s.zero_vectors += length == 0.0 ? 1 : 0;
        s.norm_minimum = s.measured == 0 ? length : std::min(s.norm_minimum, length);
        s.norm_maximum = std::max(s.norm_maximum, length);
        sum += length;
        ++s.measured;
    }
    s.norm_mean = s.measured == 0 ? 0.0 : sum / static_cast<double>(s.measured);
    return s;
}

Json statistics_json(const Statistics& s) {
    return {{"points", s.points},        {"dimension", s.dimension},       {"norm_minimum", s.norm_minimum},
            {"norm_mean", s.norm_mean},  {"norm_maximum", s.norm_maximum}, {"zero_vectors", s.zero_vectors},
            {"not_finite", s.not_finite}};
}

std::string statistics_text(const Statistics& s) {
    return fmt::format(
        "{} points of {} numbers\nnorms: minimum {:.6g}, mean {:.6g}, maximum {:.6g}\n{} zero vectors, {} NaN or "
        "infinite values\n",
        s.points, s.dimension, s.norm_minimum, s.norm_mean, s.norm_maximum, s.zero_vectors, s.not_finite);
}

std::string info_text(const std::string& file, const FileInfo& info) {
    return fmt::format("{}: {}{}, {} of {}{}{}{}{}, {}\n", file, name(info.format), info.gzip ? " (gzip)" : "",
                       fmt::join(info.shape, " x "), info.scalar, info.fortran_order ? ", Fortran order" : "",
                       info.has_words ? ", with words" : "", info.has_labels ? ", with labels" : "",
                       info.has_header ? ", with a header line" : "", human_bytes(info.file_bytes));
}

Json info_json(const std::string& file, const FileInfo& info) {
    return {{"file", file},
            {"format", name(info.format)},
            {"gzip", info.gzip},
            {"bytes", info.file_bytes},
            {"scalar", info.scalar},
            {"shape", info.shape},
            {"fortran_order", info.fortran_order},
            {"words", info.has_words},
            {"labels", info.has_labels},
            {"header", info.has_header}};
}

/// Flags of reading have no effect on models and matrices, and those that select rows none on the header.
void require_effect_of_reading(const Info& verb, bool points) {
    const std::string changed = first_reading_flag(verb.reading);
    if (!points && !changed.empty()) {
        throw UsageError(changed + " has an effect only with points, and " + verb.file + " holds none; leave it out");
    }
    const InputFlags none;
    if (points && !verb.statistics && (verb.reading.every != none.every || verb.reading.from != none.from)) {
        throw UsageError(std::string(verb.reading.every != none.every ? "--every" : "--from") +
                         " has an effect only with --stats, which measures the rows picked; give that too, or leave it "
                         "out");
    }
}

Outcome run_model(const Info& verb) {
    if (verb.statistics) {
        throw UsageError("--stats measures points, and " + verb.file + " is a model file; leave it out");
    }
    require_effect_of_reading(verb, false);
    return describe_model(verb.file);
}

/// Describes a sparse matrix by its header.
Outcome run_matrix(const Info& verb) {
    if (verb.statistics) {
        throw UsageError("--stats measures points, and " + verb.file + " is a sparse matrix; leave it out");
    }
    require_effect_of_reading(verb, false);
    const MatrixInfo info = describe_matrix(verb.file);
    Outcome outcome;
    outcome.text = fmt::format("{}: {}{}, sparse matrix of {} x {}, {} entries of {}{}, {}\n", verb.file, info.format,
                               info.gzip ? " (gzip)" : "", info.rows, info.columns, info.entries, info.scalar,
                               info.symmetric ? ", one half of a symmetric matrix" : "", human_bytes(info.file_bytes));
    outcome.json = {{"file", verb.file},        {"format", info.format},      {"gzip", info.gzip},
                    {"bytes", info.file_bytes}, {"scalar", info.scalar},      {"shape", {info.rows, info.columns}},
                    {"entries", info.entries},  {"symmetric", info.symmetric}};
    return outcome;
}

Outcome run(const Info& verb, Session& session) {
    if (verb.reading.format.empty() && is_archive_file(verb.file)) {
        return run_model(verb);
    }
    if (verb.reading.format.empty() && is_matrix_file(verb.file)) {
        return run_matrix(verb);
    }
    require_effect_of_reading(verb, true);
    require_table({verb.file}, verb.reading);
    const FileInfo info = describe_file(verb.file, read_options(verb.reading));
    Outcome outcome;
    outcome.text = info_text(verb.file, info);
    outcome.json = info_json(verb.file, info);
    outcome.warnings = in_flags(info.notes);
    if (verb.statistics) {
        const Input input = read_input({verb.file}, verb.reading, Finite::Any, session);
        const Statistics statistics = measure(input.points);
        outcome.text += statistics_text(statistics);
        outcome.json["statistics"] = statistics_json(statistics);
    }
    return outcome;
}

}  // namespace

Command add_info(CLI::App& app) {
    const auto verb = std::make_shared<Info>();
    app.add_option("FILE", verb->file, "A file of points, labels or word vectors, a sparse matrix, or a model")
        ->required();
    app.add_flag("--stats", verb->statistics, "Read the data too: norms, zero vectors, NaN (of the rows picked)");
    add_input_flags(app, verb->reading);
    app.footer(
        "Examples:\n"
        "  isogon info vectors.npy\n"
        "  isogon info train-images-idx3-ubyte.gz --stats --json\n"
        "  isogon info model.safetensors");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
