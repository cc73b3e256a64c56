#pragma once
#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files.hpp"
#include "io/npy_bytes.hpp"

namespace isogon::test {

/// The bytes packed by deflate, without any wrapping.
inline std::string deflated(std::string_view bytes) {
    return packed_by_zlib(bytes, -15);
}

struct ZipOptions {
    bool deflate = false;
    bool wide = false;         ///< with 64-bit records throughout, as numpy.savez writes them
    std::uint16_t method = 0;  ///< if not 0: what the directory says instead of the truth
    std::uint16_t flags = 0;
    std::uint64_t claimed = 0;  ///< if not 0: bytes unpacked, instead of the truth
    std::string comment{};
};

/// A zip archive built by hand.
inline std::string zip(const std::vector<std::pair<std::string, std::string>>& members,
                       const ZipOptions& options = {}) {
    const auto u16 = [](std::uint64_t n) { return packed<std::uint16_t>({static_cast<std::uint16_t>(n)}); };
    const auto u32 = [](std::uint64_t n) { return packed<std::uint32_t>({static_cast<std::uint32_t>(n)}); };
    const auto u64 = [](std::uint64_t n) { return packed<std::uint64_t>({n}); };
    const std::uint16_t method = options.method != 0 ? options.method : options.deflate ? 8 : 0;
    std::string bytes;
    std::string directory;
    for (const auto& [name, content] : members) {
        const std::string data = options.deflate ? deflated(content) : content;
        const std::uint64_t size = options.claimed != 0 ? options.claimed : content.size();
        const auto crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
        const std::uint64_t begin = bytes.size();
        const std::string lengths = options.wide ? u32(~0U) + u32(~0U) : u32(data.size()) + u32(size);
        const std::string wide = u16(1) + u16(options.wide ? 16 : 0) + u64(size) + u64(data.size());
        const std::string extra = options.wide ? wide : "";
        bytes += "PK\x03\x04" + u16(45) + u16(options.flags) + u16(method) + u16(0) + u16(33) + u32(crc) + lengths +
                 u16(name.size()) + u16(extra.size()) + name + extra + data;
        const std::string place =
            options.wide ? u16(7) + u16(2) + "xx" + u16(1) + u16(24) + u64(size) + u64(data.size()) + u64(begin) : "";
        directory += "PK\x01\x02" + u16(45) + u16(45) + u16(options.flags) + u16(method) + u16(0) + u16(33) + u32(crc) +
                     lengths + u16(name.size()) + u16(place.size()) + u16(0) + u16(0) + u16(0) + u32(0) +
                     (options.wide ? u32(~0U) : u32(begin)) + name + place;
    }
    const std::uint64_t start = bytes.size();
    bytes += directory;
    if (options.wide) {
        bytes += "PK\x06\x06" + u64(44) + u16(45) + u16(45) + u32(0) + u32(0) + u64(members.size()) +
                 u64(members.size()) + u64(directory.size()) + u64(start);
        bytes += "PK\x06\x07" + u32(0) + u64(start + directory.size()) + u32(1);
    }
    return bytes + "PK\x05\x06" + u16(0) + u16(0) + u16(members.size()) + u16(members.size()) + u32(directory.size()) +
           u32(start) + u16(options.comment.size()) + options.comment;
}

/// A text without axes, as numpy holds one: "|S3".
inline std::string npy_text(const std::string& text) {
    std::string descr = "|S";
    descr += std::to_string(text.size());
    return npy(descr, "()", text);
}

/// [[1, 0, 2], [0, 0, 3]] as scipy saves it, in one of three formats.
inline std::vector<std::pair<std::string, std::string>> sparse_members(const std::string& format) {
    std::vector<std::pair<std::string, std::string>> members;
    if (format == "csr") {
        members = {{"indices.npy", npy("<i4", "(3,)", packed<std::int32_t>({0, 2, 2}))},
                   {"indptr.npy", npy("<i4", "(3,)", packed<std::int32_t>({0, 2, 3}))}};
    } else if (format == "csc") {
        members = {{"indices.npy", npy("<i8", "(3,)", packed<std::int64_t>({0, 0, 1}))},
                   {"indptr.npy", npy("<i8", "(4,)", packed<std::int64_t>({0, 1, 1, 3}))}};
    } else {
        members = {{"row.npy", npy("<i4", "(3,)", packed<std::int32_t>({1, 0, 0}))},
                   {"col.npy", npy("<i4", "(3,)", packed<std::int32_t>({2, 2, 0}))}};
    }
    const std::vector<double> values = format == "coo" ? std::vector<double>{3, 2, 1} : std::vector<double>{1, 2, 3};
    members.push_back({"format.npy", npy_text(format)});
    members.push_back({"shape.npy", npy("<i8", "(2,)", packed<std::int64_t>({2, 3}))});
    members.push_back({"data.npy", npy("<f8", "(3,)", packed<double>(values))});
    return members;
}

}  // namespace isogon::test
