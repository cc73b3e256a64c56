#include <fmt/format.h>

#include <utility>

#include "convert/convert.hpp"
#include "core/archive_schema.hpp"
#include "engines/copy_text.hpp"
#include "engines/faiss_index.hpp"
#include "files/output_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/io/dataset.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"

namespace isogon::cli {

namespace {

ArchivedVectors vectors_of(Archive archive) {
    ArchivedVectors vectors;
    if (archive.kind == ArchiveKind::Codes) {
        vectors.codes.emplace(archive);
        return vectors;
    }
    if (!archive.has("coordinates")) {
        throw InputError(archive.source, "",
                         "is a model of " + archive.method +
                             " that keeps no coordinates: give the file of coordinates that embed wrote");
    }
    ArchiveSchema(ArchiveKind::Model).add({.name = "coordinates", .shape = {"n", "d"}}).require(archive);
    vectors.model = std::move(archive);
    return vectors;
}

bool is_faiss_name(const std::string& path) {
    return std::filesystem::path(path).extension() == ".faiss";
}

/// Vectors of any origin, with what they are known by.
struct Source {
    ArchivedVectors archived{};
    Input input{};
    Json json{};
};

/// Labels of vectors that are in no file of points.
std::vector<std::int64_t> ids_of_all(const std::vector<std::string>& files, Index count) {
    std::vector<std::int64_t> ids;
    for (const auto& file : files) {
        const auto more = read_labels(file);
        ids.insert(ids.end(), more.begin(), more.end());
    }
    if (!files.empty() && ids.size() != count) {
        throw InputError(files.front(), "", fmt::format("{} labels for {} vectors; give one each", ids.size(), count));
    }
    return ids;
}

Source read_source(const Convert& verb, Session& session) {
    Source source;
    if (holds_vectors(verb.files.front())) {
        source.archived = read_archived(verb, session);
        source.json = source.archived.json(verb.files.front());
        source.input.labels = ids_of_all(verb.labels, source.archived.count());
        if (!source.archived.codes) {
            source.input.points = source.archived.coordinates();
        }
        return source;
    }
    source.input = read_input(verb.inputs(), verb.reading, Finite::Required, session);
    set_labels(source.input, read_picked_labels(verb.labels, verb.reading, source.input));
    if (!source.input.label_names.empty()) {
        throw InputError(verb.files.front(), "",
                         fmt::format("its labels are text, as \"{}\", and ids are whole numbers: leave that column out "
                                     "(--skip-column), or give ids with --labels",
                                     source.input.label_names.front()));
    }
    source.json = input_json(verb.inputs(), verb.reading, source.input);
    return source;
}

FaissIndex index_of(const Convert& verb, const Source& source) {
    if (source.archived.codes) {
        const VectorCodes& codes = *source.archived.codes;
        if (!verb.metric.empty()) {
            throw UsageError(fmt::format("--metric {}: {} holds codes for {}, which an index of them goes by",
                                         verb.metric, verb.files.front(), name(codes.options().metric)));
        }
        return FaissIndex(codes);
    }
    return {source.input.points, verb.metric.empty() ? Metric::Cosine : find_product_metric(verb.metric)};
}

/// Writes the index; returns the dimension of what it takes.
Index write_faiss(const Convert& verb, const Source& source, Session& session) {
    FaissIndex index = index_of(verb, source);
    if (!verb.model.empty()) {
        index.map_first(read_archive_within(verb.model, session));
    }
    if (!source.input.labels.empty()) {
        index.set_ids(source.input.labels);
    }
    write_output(session, [&](const WriteOptions& how) { index.write(verb.output(), how, session.context()); });
    return index.dimension();
}

Index write_copy(const Convert& verb, const Source& source, Session& session) {
    const auto& codes = source.archived.codes;
    const Points decoded = codes ? codes->decode(session.context()) : Points();
    const PointsView points = codes ? decoded.view() : source.input.points;
    write_output(session, [&](const WriteOptions& how) {
        write_copy_text(verb.output(), points, {source.input.labels, source.input.words}, how, session.context());
    });
    return points.dimension;
}

void require_flags_of_engines(const Convert& verb) {
    if (!verb.save_labels.empty()) {
        throw UsageError(fmt::format("--save-labels {}: {} keeps labels, as ids", verb.save_labels, verb.output()));
    }
    if (is_faiss_name(verb.output())) {
        if (!verb.metric.empty()) {
            static_cast<void>(find_product_metric(verb.metric));
        }
        return;
    }
    for (const auto& [flag, value] : {std::pair("--metric", &verb.metric), {"--model", &verb.model}}) {
        if (!value->empty()) {
            throw UsageError(
                fmt::format("{} {}: goes with an index of faiss (.faiss); rows of a table have none", flag, *value));
        }
    }
}

std::vector<std::string> losses(const Convert& verb, const Input& input) {
    if (input.words.empty() || (!is_faiss_name(verb.output()) && input.labels.empty())) {
        return {};
    }
    return {is_faiss_name(verb.output())
                ? "an index of faiss has no place for words: a vector is known by its label, or the number of its row"
                : "labels are the ids, and words are left out"};
}

}  // namespace

PointsView ArchivedVectors::coordinates() const {
    return points_view(model, "coordinates");
}

Json ArchivedVectors::json(const std::string& file) const {
    Json json = {{"files", {file}}, {"points", count()}, {"dimension", dimension()}};
    if (codes) {
        json["bytes"] = codes->code_bytes();
    }
    return json;
}

bool holds_vectors(const std::string& input) {
    if (std::filesystem::path(input).extension() != ".safetensors") {
        return false;
    }
    const ArchiveKind kind = describe_archive(input).archive.kind;
    return kind == ArchiveKind::Codes || kind == ArchiveKind::Model;
}

ArchivedVectors read_archived(const Convert& verb, Session& session) {
    const std::string changed = first_reading_flag(verb.reading);
    const std::string& file = verb.files.front();
    if (verb.files.size() != 2 || !changed.empty()) {
        throw UsageError(
            fmt::format("{} holds vectors of isogon's own, which are converted alone and whole: leave {} out", file,
                        changed.empty() ? verb.files[1] : changed));
    }
    return vectors_of(read_archive_within(file, session));
}

bool is_engine_name(const std::string& path) {
    return is_faiss_name(path) || std::filesystem::path(path).extension() == ".copy";
}

Outcome convert_for_engine(const Convert& verb, Session& session) {
    require_flags_of_engines(verb);
    require_outputs({verb.output()}, all_of({verb.inputs(), verb.labels, {verb.model}}), session);
    const Source source = read_source(verb, session);
    throw_if_cancelled(session.context());
    const bool faiss = is_faiss_name(verb.output());
    const Index taken = faiss ? write_faiss(verb, source, session) : write_copy(verb, source, session);
    const Index count = source.archived.codes ? source.archived.count() : source.input.points.count;
    const Index stored = source.archived.codes ? source.archived.dimension() : source.input.points.dimension;
    session.end_progress();

    Outcome outcome;
    outcome.warnings = losses(verb, source.input);
    outcome.text =
        fmt::format("{}: {} vectors of {} numbers{}, {}\n", verb.output(), count, stored,
                    taken == stored ? "" : fmt::format(", for queries of {}", taken), human_seconds(session.seconds()));
    outcome.json = {{"verb", "convert"},
                    {"version", ISOGON_VERSION},
                    {"input", source.json},
                    {"output", verb.output()},
                    {"format", faiss ? "faiss" : "copy"},
                    {"ids", !source.input.labels.empty()            ? "labels"
                            : !faiss && !source.input.words.empty() ? "words"
                                                                    : "rows"},
                    {"shape", {{"points", count}, {"dimension", stored}}},
                    {"query_dimension", taken},
                    {"warnings", outcome.warnings}};
    add_costs(outcome.json, session);
    return outcome;
}

}  // namespace isogon::cli
