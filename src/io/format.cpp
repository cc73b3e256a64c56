#include "isogon/io/dataset.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "io/matrix_formats.hpp"
#include "io/point_formats.hpp"
#include "io/safetensors.hpp"
#include "io/text_file.hpp"
#include "io/zip_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

// The order is that of Format.
constexpr std::array<std::string_view, 15> format_names{"npy",   "csv",     "tsv",   "idx",      "fvecs",
                                                        "bvecs", "ivecs",   "vec",   "word2vec", "npz",
                                                        "jsonl", "parquet", "arrow", "h5ad",     "hdf5"};

/// Names end so, too.
constexpr std::array<std::pair<std::string_view, Format>, 4> other_endings{
    {{".bin", Format::WordBinary}, {".ndjson", Format::Jsonl}, {".feather", Format::Arrow}, {".h5", Format::Hdf5}}};

/// "train-images-idx3-ubyte" and its like.
bool idx_name(std::string_view file) {
    for (std::size_t at = file.find("idx"); at != std::string_view::npos; at = file.find("idx", at + 1)) {
        const std::string_view rest = file.substr(at + 3);
        if (rest.size() >= 2 && rest[0] >= '1' && rest[0] <= '9' && rest[1] == '-') {
            return true;
        }
    }
    return file.ends_with("-ubyte") || file.ends_with("-float") || file.ends_with(".idx");
}

}  // namespace

std::string_view name(Format format) {
    return format_names.at(static_cast<std::size_t>(format));
}

Format parse_format(std::string_view name) {
    const auto found = std::find(format_names.begin(), format_names.end(), name);
    if (found != format_names.end()) {
        return static_cast<Format>(found - format_names.begin());
    }
    std::string all;
    for (const std::string_view known : format_names) {
        all += (all.empty() ? "" : ", ") + std::string(known);
    }
    throw InvalidArgument("format", std::string(name),
                          "must be one of " + all + did_you_mean(name, {format_names.begin(), format_names.end()}));
}

std::optional<Format> format_from_name(const std::filesystem::path& path) {
    std::filesystem::path file = lower_case(path.filename().string());
    const bool packed = file.extension() == ".gz";
    if (packed) {
        file = file.stem();
    }
    const std::string ending = file.extension().string();
    for (const auto& [other, format] : other_endings) {
        if (ending == other) {
            return format;
        }
    }
    if (ending == ".npz" && packed) {
        return std::nullopt;  // an archive is read from its end
    }
    const auto found = std::find(format_names.begin(), format_names.end(), ending.substr(ending.empty() ? 0 : 1));
    if (found != format_names.end() && *found != name(Format::Idx) && *found != name(Format::WordBinary)) {
        return static_cast<Format>(found - format_names.begin());
    }
    return idx_name(file.string()) ? std::optional(Format::Idx) : std::nullopt;
}

namespace {

constexpr std::size_t shown_bytes = std::size_t{64} * 1024;

bool is_text(std::string_view bytes) {
    for (const char c : bytes) {
        const auto code = static_cast<unsigned char>(c);
        if ((code < ' ' && c != '\t' && c != '\n' && c != '\r') || code == 0x7f) {
            return false;
        }
    }
    return true;
}

bool is_float(std::string_view text) {
    float value = 0.0F;
    return parse_float(text, value) == NumberFault::None;
}

/// "cat 0.1 ...": a word, not a number, with a number after it.
bool begins_with_word(std::string_view line) {
    const std::size_t space = line.find(' ');
    if (space == 0 || space == std::string_view::npos || is_float(line.substr(0, space))) {
        return false;
    }
    line.remove_prefix(space + 1);
    return is_float(line.substr(0, line.find(' ')));
}

}  // namespace

std::optional<Format> format_from_bytes(std::string_view first_bytes) {
    if (is_npy(first_bytes)) {
        return Format::Npy;
    }
    if (is_idx(first_bytes)) {
        return Format::Idx;
    }
    if (is_zip(first_bytes)) {
        return Format::Npz;
    }
    if (first_bytes.starts_with("PAR1")) {
        return Format::Parquet;
    }
    if (first_bytes.starts_with("ARROW1")) {
        return Format::Arrow;
    }
    if (first_bytes.starts_with("\x89HDF\r\n")) {
        return Format::Hdf5;
    }
    std::string_view line = first_bytes.substr(0, first_bytes.find('\n'));
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    const bool text = is_text(first_bytes);
    if (parse_word_header(line)) {
        return text ? Format::WordText : Format::WordBinary;
    }
    if (!text) {
        return std::nullopt;
    }
    if (line.starts_with('{')) {
        return Format::Jsonl;
    }
    if (line.find('\t') != std::string_view::npos) {
        return Format::Tsv;
    }
    if (line.find(',') != std::string_view::npos || line.find(' ') == std::string_view::npos) {
        return Format::Csv;
    }
    return begins_with_word(line) ? std::optional(Format::WordText) : std::nullopt;
}

Format detect_format(ByteStream& stream, const std::filesystem::path& path, const std::optional<Format>& said) {
    auto format = said ? said : format_from_name(path);
    if (!format) {
        const std::string_view first_bytes = stream.peek(shown_bytes).substr(0, shown_bytes);
        if (is_safetensors_name(path) || is_safetensors(first_bytes)) {
            stream.fail("", "is a model file (safetensors), not a file of points; `isogon info` shows what it holds");
        }
        if (is_matrix_market(first_bytes)) {
            stream.fail("", sparse_instead);
        }
        format = format_from_bytes(first_bytes);
    }
    if (!format) {
        stream.fail("",
                    "neither its name nor its first bytes tell the format; say which it is (npy, csv, tsv, idx, "
                    "fvecs, bvecs, ivecs, vec, word2vec, npz, jsonl, parquet, arrow, h5ad, hdf5)");
    }
    return *format;
}

}  // namespace isogon
