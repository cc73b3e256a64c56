#include "io/safetensors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

using Json = nlohmann::json;

constexpr std::string_view format_name = "isogon";
constexpr std::string_view no_checksum = "00000000";
constexpr std::string_view place = "__metadata__";

/// Texts are printed on terminals, and must not contain control characters.
bool is_plain(std::string_view text) {
    return std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

std::string json_text(const Json& json, const std::string& field) {
    try {
        return json.dump();
    } catch (const Json::exception&) {
        throw InvalidArgument(field, "bytes that are not UTF-8", "must be UTF-8 to stand in a model file");
    }
}

void require_name(const std::string& field, const std::string& name) {
    if (!is_archive_name(name)) {
        throw InvalidArgument(field, shown_text(name), "must be 1 to 100 of the characters a-z A-Z 0-9 _ - .");
    }
}

Json to_json(const std::string& name, const OptionValue& value) {
    const auto* number = std::get_if<double>(&value);
    const auto* text = std::get_if<std::string>(&value);
    if (number != nullptr && !std::isfinite(*number)) {
        throw InvalidArgument(name, to_text(value), "must be finite to stand in a model file");
    }
    if (text != nullptr && !is_plain(*text)) {
        throw InvalidArgument(name, shown_text(*text), "must hold no control characters");
    }
    return std::visit(
        [](const auto& v) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>) {
                return nullptr;
            } else {
                return v;
            }
        },
        value);
}

std::string options_text(const OptionValues& options) {
    Json json = Json::object();
    for (const auto& [name, value] : options) {
        require_name("option name", name);
        json[name] = to_json(name, value);
    }
    return json_text(json, "options");
}

std::string notes_text(const Archive& archive) {
    Json json = Json::object();
    for (const auto& [name, text] : archive.notes) {
        require_name("note name", name);
        json[name] = to_json("note " + name, text);
    }
    return json_text(json, "notes");
}

const std::string& value_of(const ArchiveMetadata& metadata, std::string_view key) {
    const auto found = metadata.find(key);
    if (found == metadata.end()) {
        throw SafetensorsFault(std::string(place), shown_text(key) + " is missing");
    }
    return found->second;
}

std::string name_of(const ArchiveMetadata& metadata, std::string_view key) {
    const std::string& text = value_of(metadata, key);
    if (!is_archive_name(text)) {
        throw SafetensorsFault(std::string(place), shown_text(key) + " is " + shown_text(text) + ", which is no name");
    }
    return text;
}

void require_ours(const ArchiveMetadata& metadata) {
    const auto found = metadata.find("format");
    if (found == metadata.end() || found->second != format_name) {
        throw SafetensorsFault(
            "", "is a safetensors file, but not one of isogon's (its metadata " +
                    (found == metadata.end() ? "name no format" : "name the format " + shown_text(found->second)) +
                    "); give a model that isogon wrote, or save an array of points as .npy");
    }
}

int whole_number_of(const ArchiveMetadata& metadata, std::string_view key) {
    const std::string& text = value_of(metadata, key);
    int number = 0;
    if (parse_all(text, number) != std::errc{} || number < 1) {
        throw SafetensorsFault(std::string(place),
                               std::string(key) + " is " + shown_text(text) + "; must be a whole number");
    }
    return number;
}

int read_version(const ArchiveMetadata& metadata) {
    const int version = whole_number_of(metadata, "format_version");
    if (version > Archive::newest_version) {
        throw SafetensorsFault("", "format version " + std::to_string(version) + "; this isogon " +
                                       std::string(isogon_version()) + " reads up to " +
                                       std::to_string(Archive::newest_version) + "; update isogon");
    }
    return version;
}

ArchiveKind read_kind(const ArchiveMetadata& metadata) {
    const std::string& text = value_of(metadata, "kind");
    for (const ArchiveKind kind :
         {ArchiveKind::Model, ArchiveKind::Checkpoint, ArchiveKind::IvfIndex, ArchiveKind::NeighborGraph,
          ArchiveKind::Decomposition, ArchiveKind::Run, ArchiveKind::Codes}) {
        if (text == name(kind)) {
            return kind;
        }
    }
    throw SafetensorsFault(std::string(place), "kind is " + shown_text(text) +
                                                   "; must be model, checkpoint, neighbor-index, neighbor-graph, "
                                                   "decomposition, run or codes");
}

/// The object of names and plain values that a metadata entry holds as text.
Json read_object(const ArchiveMetadata& metadata, std::string_view key) {
    const std::string in_key = std::string(place) + ", " + std::string(key);
    try {
        Json json = parse_strict_json(value_of(metadata, key), 1);
        if (json.is_object()) {
            return json;
        }
    } catch (const SafetensorsFault& fault) {
        throw SafetensorsFault(in_key, fault.what());
    }
    throw SafetensorsFault(in_key, "must be a JSON object");
}

OptionValue to_option(const Json& json, const std::string& where) {
    if (json.is_null()) {
        return {};
    }
    if (json.is_boolean()) {
        return json.get<bool>();
    }
    if (json.is_number_float()) {
        return json.get<double>();
    }
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (json.is_number_integer() && !(json.is_number_unsigned() && json.get<std::uint64_t>() > most)) {
        return json.get<std::int64_t>();
    }
    if (json.is_string() && is_plain(json.get_ref<const std::string&>())) {
        return json.get<std::string>();
    }
    throw SafetensorsFault(where, "must be null, true, false, a number in range, or a text without control characters");
}

OptionValues read_values(const ArchiveMetadata& metadata, std::string_view key) {
    const Json object = read_object(metadata, key);
    OptionValues values;
    for (const auto& item : object.items()) {
        const std::string where = std::string(place) + ", " + std::string(key) + ", " + shown_text(item.key());
        if (!is_archive_name(item.key())) {
            throw SafetensorsFault(where, "is no name");
        }
        values.emplace(item.key(), to_option(item.value(), where));
    }
    return values;
}

void read_notes(const ArchiveMetadata& metadata, Archive& archive) {
    for (const auto& [name, value] : read_values(metadata, "notes")) {
        const auto* text = std::get_if<std::string>(&value);
        if (text == nullptr) {
            throw SafetensorsFault(std::string(place) + ", notes, " + shown_text(name), "must be a text");
        }
        archive.notes.emplace(name, *text);
    }
}

}  // namespace

std::string_view isogon_version() {
    return ISOGON_VERSION;
}

ArchiveMetadata to_metadata(const Archive& archive) {
    require_name("method", archive.method);
    ArchiveMetadata metadata{
        {"format", std::string(format_name)},           {"format_version", std::to_string(Archive::newest_version)},
        {"kind", std::string(name(archive.kind))},      {"isogon_version", std::string(isogon_version())},
        {"bits_version", std::to_string(bits_version)}, {"method", archive.method},
        {"options", options_text(archive.options)},     {"crc32", std::string(no_checksum)}};
    if (!archive.notes.empty()) {
        metadata.emplace("notes", notes_text(archive));
    }
    return metadata;
}

Archive archive_from(const ArchiveMetadata& metadata) {
    require_ours(metadata);
    Archive archive;
    archive.version = read_version(metadata);
    archive.kind = read_kind(metadata);
    archive.writer = name_of(metadata, "isogon_version");
    archive.bits = metadata.contains("bits_version") ? whole_number_of(metadata, "bits_version") : 0;
    archive.method = name_of(metadata, "method");
    archive.options = read_values(metadata, "options");
    if (metadata.find("notes") != metadata.end()) {
        read_notes(metadata, archive);
    }
    return archive;
}

std::string checksum_text(std::uint32_t checksum) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text(no_checksum);
    for (std::size_t i = 0; i < text.size(); ++i) {
        text[i] = digits[checksum >> (28 - 4 * i) & 15U];
    }
    return text;
}

std::size_t checksum_position(std::string_view header_text) {
    // The key occurs once: within a string its quotes would have backslashes, and a tensor's name has no text after it.
    constexpr std::string_view key = "\"crc32\"";
    for (std::size_t at = header_text.find(key); at != std::string_view::npos; at = header_text.find(key, at + 1)) {
        std::size_t next = header_text.find_first_not_of(" \t\r\n", at + key.size());
        if (next == std::string_view::npos || header_text[next] != ':') {
            continue;
        }
        next = header_text.find_first_not_of(" \t\r\n", next + 1);
        if (next == std::string_view::npos || header_text[next] != '"') {
            continue;
        }
        const std::string_view digits = header_text.substr(next + 1, no_checksum.size() + 1);
        if (digits.find_first_not_of("0123456789abcdef") == no_checksum.size() && digits.back() == '"') {
            return next + 1;
        }
    }
    return std::string_view::npos;
}

std::optional<std::string> take_checksum(std::string& header_text) {
    const std::size_t at = checksum_position(header_text);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    std::string digits = header_text.substr(at, no_checksum.size());
    header_text.replace(at, no_checksum.size(), no_checksum);
    return digits;
}

}  // namespace isogon
