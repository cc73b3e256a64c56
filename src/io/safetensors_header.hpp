#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace isogon {

/// The header of a safetensors file: eight bytes of length (little-endian), then so many bytes of JSON, then the data.
/// https://github.com/huggingface/safetensors, "Format".

/// Bytes of a header. Ours takes some 100 an array, and a model has dozens of arrays; the bound keeps a damaged length
/// from being believed.
constexpr std::size_t most_safetensors_header_bytes = std::size_t{1024} * 1024;
constexpr std::size_t safetensors_length_bytes = 8;

struct Tensor {
    std::string name{};
    std::string type{};  ///< "F32", ...
    std::vector<std::uint64_t> shape{};
    std::uint64_t begin = 0;  ///< where its bytes lie in the data: [begin, end)
    std::uint64_t end = 0;
};

struct SafetensorsHeader {
    std::map<std::string, std::string, std::less<>> metadata{};
    std::vector<Tensor> tensors{};  ///< in the order of their data
};

/// Whether a name ends in .safetensors, a final .gz set aside.
[[nodiscard]] bool is_safetensors_name(std::filesystem::path path);
/// Whether a file could be safetensors, by its first ten bytes: a length within reason, then a JSON object.
[[nodiscard]] bool is_safetensors(std::string_view first_bytes);

/// The header as text, without the length; spaces at the end make the data begin at a multiple of 64 bytes.
/// Strings must be UTF-8 (nlohmann::json::exception otherwise).
[[nodiscard]] std::string safetensors_header_text(const SafetensorsHeader& header);

/// Reads the text of a header, trusting nothing: throws SafetensorsFault unless it is one JSON object of tensors, each
/// with exactly dtype, shape and data_offsets, whose data lie side by side from 0 on without gap or overlap, and
/// perhaps __metadata__, an object of strings. Types are not looked at: see tensor_values().
[[nodiscard]] SafetensorsHeader parse_safetensors_header(std::string_view text);

}  // namespace isogon
