#include <fmt/format.h>

#include "convert/convert.hpp"
#include "core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"
#include "program/failure.hpp"

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

}  // namespace isogon::cli
