#include "model_info.hpp"

#include <fmt/format.h>

#include "isogon/core/run_context.hpp"
#include "isogon/io/archive_file.hpp"

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

}  // namespace

Outcome describe_model(const std::string& file) {
    const ArchiveInfo info = describe_archive(file);
    Outcome outcome;
    outcome.json = archive_json(file, info);
    outcome.text = archive_text(file, info, outcome.json);
    return outcome;
}

}  // namespace isogon::cli
