#include "archive_bytes.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace isogon::fuzz {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t length_bytes = 8;

std::vector<std::uint64_t> numbers_in(const Json& list) {
    std::vector<std::uint64_t> numbers;
    for (const Json& item : list) {
        if (!item.is_number_unsigned()) {
            return {};
        }
        numbers.push_back(item.get<std::uint64_t>());
    }
    return numbers;
}

}  // namespace

std::optional<ArchiveBytes> ArchiveBytes::parse(const std::string& bytes) {
    std::uint64_t length = 0;
    if (bytes.size() < length_bytes) {
        return std::nullopt;
    }
    std::memcpy(&length, bytes.data(), length_bytes);
    if (length > bytes.size() - length_bytes) {
        return std::nullopt;
    }
    const Json header = Json::parse(bytes.substr(length_bytes, length), nullptr, false);
    if (!header.is_object() || !header.contains("__metadata__") || !header["__metadata__"].is_object()) {
        return std::nullopt;
    }
    ArchiveBytes archive{header["__metadata__"], {}};
    const std::string data = bytes.substr(length_bytes + length);
    for (const auto& item : header.items()) {
        const Json& tensor = item.value();
        if (item.key() == "__metadata__" || !tensor.is_object() || !tensor.contains("data_offsets") ||
            !tensor.contains("shape") || !tensor.contains("dtype") || !tensor["dtype"].is_string()) {
            continue;
        }
        const auto offsets = numbers_in(tensor["data_offsets"]);
        if (offsets.size() == 2 && offsets[0] <= offsets[1] && offsets[1] <= data.size()) {
            archive.tensors.push_back({item.key(), tensor["dtype"].get<std::string>(), numbers_in(tensor["shape"]),
                                       data.substr(offsets[0], offsets[1] - offsets[0])});
        }
    }
    return archive;
}

std::string ArchiveBytes::text() const {
    Json header = Json::object();
    header["__metadata__"] = metadata;
    header["__metadata__"]["crc32"] = "00000000";
    std::string data;
    for (const Tensor& tensor : tensors) {
        header[tensor.name] = {{"dtype", tensor.type},
                               {"shape", tensor.shape},
                               {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
        data += tensor.bytes;
    }
    const std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
    const std::uint64_t length = text.size();
    std::string bytes(length_bytes, '\0');
    std::memcpy(bytes.data(), &length, length_bytes);
    return with_checksum(bytes + text + data);
}

std::string with_checksum(std::string bytes) {
    constexpr std::string_view key = "\"crc32\":\"";
    constexpr std::size_t digits = 8;
    const std::size_t at = bytes.find(key);
    if (at == std::string::npos || bytes.size() < at + key.size() + digits) {
        return bytes;
    }
    bytes.replace(at + key.size(), digits, digits, '0');
    const auto crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    for (std::size_t i = 0; i < digits; ++i) {
        bytes[at + key.size() + i] = "0123456789abcdef"[crc >> (28 - 4 * i) & 15U];
    }
    return bytes;
}

}  // namespace isogon::fuzz
