#pragma once
// The file format of archives: safetensors, and what an Archive has besides arrays as the metadata of such a file.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.hpp"
#include "io/text_file.hpp"
#include "isogon/core/archive.hpp"

namespace isogon {

/// A fault in the content of a safetensors file, and its place ("byte 12", "array weights").
class SafetensorsFault : public std::runtime_error {
public:
    SafetensorsFault(std::string place, const std::string& why) : std::runtime_error(why), place_(std::move(place)) {}
    [[nodiscard]] const std::string& place() const { return place_; }

private:
    std::string place_;
};

/// Parses untrusted JSON. Throws SafetensorsFault, at "byte " + position in the text + `offset`, for text that is not
/// JSON in UTF-8, for a key that occurs twice in an object (parsers disagree on which one counts), and for more than
/// `most_levels` of nesting (which bounds the recursion).
[[nodiscard]] nlohmann::json parse_strict_json(std::string_view text, int most_levels, std::size_t offset = 0);

/// in_quotes() with single quotes, which JSON does not use.
[[nodiscard]] inline std::string shown_text(std::string_view text) {
    return in_quotes(text, '\'');
}

// The header of a safetensors file: eight bytes of length (little-endian), then so many bytes of JSON, then the data.
// https://github.com/huggingface/safetensors, "Format".

/// The largest header in bytes. Ours takes some 100 an array, and a model has dozens of arrays; the bound rejects a
/// damaged length.
constexpr std::size_t most_safetensors_header_bytes = std::size_t{1024} * 1024;
constexpr std::size_t safetensors_length_bytes = 8;

struct Tensor {
    std::string name{};
    std::string type{};  ///< "F32", ...
    std::vector<std::uint64_t> shape{};
    std::uint64_t begin = 0;  ///< where its bytes lie in the data: [begin, end)
    std::uint64_t end = 0;
};

/// The part of an archive that is stored as text in the __metadata__ of its file.
using ArchiveMetadata = std::map<std::string, std::string, std::less<>>;

struct SafetensorsHeader {
    ArchiveMetadata metadata{};
    std::vector<Tensor> tensors{};  ///< in the order of their data
};

/// Whether a name without a final .gz ends in .safetensors.
[[nodiscard]] bool is_safetensors_name(std::filesystem::path path);
/// Whether a file could be safetensors, by its first ten bytes: a length within reason, then a JSON object.
[[nodiscard]] bool is_safetensors(std::string_view first_bytes);

/// The header as text, without the length; spaces at the end make the data begin at a multiple of 64 bytes.
/// Strings must be UTF-8 (nlohmann::json::exception otherwise).
[[nodiscard]] std::string safetensors_header_text(const SafetensorsHeader& header);

/// Parses the untrusted text of a header. Throws SafetensorsFault unless it is one JSON object of tensors, each with
/// exactly dtype, shape and data_offsets, whose data are contiguous from 0 on without gap or overlap, and optionally
/// __metadata__, an object of strings. Types are not checked here: see tensor_values().
[[nodiscard]] SafetensorsHeader parse_safetensors_header(std::string_view text);

/// "F32", "F64", "U32", "U64", "U8": what safetensors calls a type.
[[nodiscard]] std::string_view tensor_type(const Array::Values& values);
/// An empty list of the tensor's type. Throws SafetensorsFault for a type that archives do not hold, and unless the
/// tensor has as many bytes as its shape says.
[[nodiscard]] Array::Values tensor_values(const Tensor& tensor);
/// Bytes of one number.
[[nodiscard]] std::size_t number_bytes(const Array::Values& values);

/// Calls `action` with all numbers as little-endian bytes, in blocks of 256 KiB.
void for_each_block(const Array::Values& values, const std::function<void(std::string_view)>& action);

/// Reads the data of tensors one after another, block by block: memory grows with the bytes read.
class TensorReader {
public:
    /// `checksum`: the CRC-32 of what came before the data.
    TensorReader(ByteStream& stream, std::uint32_t checksum) : stream_(&stream), checksum_(checksum) {}

    /// The next tensor in the order of the data. Unless `keep`, its numbers are read and checked but not returned.
    [[nodiscard]] Array read(const Tensor& tensor, bool keep);
    /// The CRC-32 of everything so far.
    [[nodiscard]] std::uint32_t checksum() const { return checksum_; }
    /// Throws SafetensorsFault, which names the first array with NaN or infinity, and the position. To be called after
    /// the check of the checksum, so that a damaged file is reported as such.
    void require_finite() const;

private:
    ByteStream* stream_;
    std::uint32_t checksum_;
    std::string bad_array_;  ///< empty: every number was finite so far
    std::string bad_place_;
};

/// "0.1.0"
[[nodiscard]] std::string_view isogon_version();

/// All but the arrays, with a checksum of eight zeros. Throws InvalidArgument for names and texts that the file cannot
/// hold, and for options that are not finite.
[[nodiscard]] ArchiveMetadata to_metadata(const Archive& archive);

/// The inverse. Throws SafetensorsFault for a file of another program, one of a newer format, and anything that
/// to_metadata() cannot have written. Unknown keys are ignored.
[[nodiscard]] Archive archive_from(const ArchiveMetadata& metadata);

/// Eight lower-case hexadecimal digits.
[[nodiscard]] std::string checksum_text(std::uint32_t checksum);

/// The checksum of a file is stored in its header and computed with its own digits set to zero. Finds the digits in the
/// text of the header, replaces them by zeros and returns them. Empty if there are none.
[[nodiscard]] std::optional<std::string> take_checksum(std::string& header_text);
/// The position of those digits; npos if there are none.
[[nodiscard]] std::size_t checksum_position(std::string_view header_text);

}  // namespace isogon
