#include "isogon/io/format.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "io/lower_case.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

constexpr std::array<std::pair<std::string_view, Format>, 9> format_names = {{{"npy", Format::Npy},
                                                                              {"csv", Format::Csv},
                                                                              {"tsv", Format::Tsv},
                                                                              {"idx", Format::Idx},
                                                                              {"fvecs", Format::Fvecs},
                                                                              {"bvecs", Format::Bvecs},
                                                                              {"ivecs", Format::Ivecs},
                                                                              {"vec", Format::WordText},
                                                                              {"word2vec", Format::WordBinary}}};

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
    for (const auto& [text, value] : format_names) {
        if (value == format) {
            return text;
        }
    }
    return "unknown";
}

Format parse_format(std::string_view name) {
    std::vector<std::string> known;
    std::string all;
    for (const auto& [text, value] : format_names) {
        if (text == name) {
            return value;
        }
        known.emplace_back(text);
        all += (all.empty() ? "" : ", ") + std::string(text);
    }
    throw InvalidArgument("format", std::string(name), "must be one of " + all + did_you_mean(name, known));
}

std::optional<Format> format_from_name(const std::filesystem::path& path) {
    std::filesystem::path file = lower_case(path.filename().string());
    if (file.extension() == ".gz") {
        file = file.stem();
    }
    const std::string ending = file.extension().string();
    if (ending == ".bin") {
        return Format::WordBinary;
    }
    for (const auto& [text, value] : format_names) {
        if (value != Format::WordBinary && value != Format::Idx &&
            ending.substr(std::min<std::size_t>(1, ending.size())) == text) {
            return value;
        }
    }
    return idx_name(file.string()) ? std::optional(Format::Idx) : std::nullopt;
}

}  // namespace isogon
