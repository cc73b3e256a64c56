#pragma once
#include <zlib.h>

#include <string>
#include <vector>

#include "io/npy_bytes.hpp"
#include "isogon/core/archive.hpp"

namespace isogon::test {

/// A safetensors file by hand: length, header, data, as they are given.
inline std::string safetensors(const std::string& header, const std::string& data = "") {
    return packed<std::uint64_t>({header.size()}) + header + data;
}

/// Puts the right checksum where the header says "crc32":"00000000".
inline std::string with_checksum(std::string bytes) {
    const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    std::string digits;
    for (int shift = 28; shift >= 0; shift -= 4) {
        digits += "0123456789abcdef"[crc >> shift & 15U];
    }
    return bytes.replace(bytes.find("\"00000000\"") + 1, 8, digits);
}

/// The metadata of a model of `svd`, followed by `more`.
inline std::string model_metadata(const std::string& more = "") {
    return R"("__metadata__":{"crc32":"00000000","format":"isogon","format_version":"1","isogon_version":"0.1.0",)"
           R"("kind":"model","method":"svd","options":"{}")" +
           more + "}";
}

/// A whole model with these tensors, written as JSON, and data.
inline std::string model_bytes(const std::string& tensors = "", const std::string& data = "",
                               const std::string& more_metadata = "") {
    return with_checksum(
        safetensors("{" + model_metadata(more_metadata) + (tensors.empty() ? "" : "," + tensors) + "}", data));
}

/// {"name": {"dtype": ..., "shape": ..., "data_offsets": ...}} without the outer braces.
inline std::string tensor(const std::string& name, const std::string& type, const std::string& shape,
                          const std::string& offsets) {
    return '"' + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

/// A JSON object of these members. Put together by +=: gcc 12 warns of "{" + text where there is nothing to warn of.
inline std::string object(const std::vector<std::string>& members) {
    std::string text = "{";
    for (const auto& member : members) {
        text += text.size() > 1 ? "," : "";
        text += member;
    }
    text += "}";
    return text;
}

/// One of everything that an archive can hold.
inline std::string packed(const MappedFloats& numbers) {
    return packed(std::vector<float>(numbers.begin(), numbers.end()));
}

inline Archive sample_archive() {
    Archive archive;
    archive.kind = ArchiveKind::Checkpoint;
    archive.method = "tsm";
    archive.options = {{"threshold", OptionValue{}},
                       {"center", true},
                       {"dimension", std::int64_t{-3}},
                       {"sparsity", 0.1},
                       {"whole", 1.0},
                       {"minus-zero", -0.0},
                       {"recipe", std::string("\xc3\xa4 \"quoted\"")}};
    archive.notes = {{"input", "digits.npy"}, {"crc32", R"("crc32":"00000000")"}};
    archive.add("coordinates", Array{{2, 3}, std::vector<float>{1, -2, 0.1F, 4, 5e-45F, 6}});
    archive.add("rows", std::vector<std::uint32_t>{7, 4294967295U, 9});
    archive.add("weights", std::vector<double>{0.1, -0.0});
    archive.add("nothing", Array{{0, 4}, std::vector<float>{}});
    archive.add_number("tau", 0.7071067811865476);
    archive.add_count("seed", 18446744073709551615U);
    return archive;
}

}  // namespace isogon::test
