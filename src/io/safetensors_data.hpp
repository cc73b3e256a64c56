#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "io/byte_stream.hpp"
#include "io/safetensors_header.hpp"
#include "isogon/core/archive.hpp"

namespace isogon {

/// "F32", "F64", "U32", "U64": what safetensors calls a type.
[[nodiscard]] std::string_view tensor_type(const Array::Values& values);
/// An empty list of the tensor's type. Throws SafetensorsFault for a type that archives do not hold, and unless the
/// tensor has as many bytes as its shape says.
[[nodiscard]] Array::Values tensor_values(const Tensor& tensor);
/// Bytes of one number.
[[nodiscard]] std::size_t number_bytes(const Array::Values& values);

/// Hands out all numbers as little-endian bytes, some 256 KiB at a time.
void for_each_block(const Array::Values& values, const std::function<void(std::string_view)>& action);

/// Reads the data of tensors one after another, block by block: memory is taken as the bytes come.
class TensorReader {
public:
    /// `checksum`: the CRC-32 of what came before the data.
    TensorReader(ByteStream& stream, std::uint32_t checksum) : stream_(&stream), checksum_(checksum) {}

    /// The next tensor in the order of the data. Unless `keep`, its numbers are read and checked but not returned.
    [[nodiscard]] Array read(const Tensor& tensor, bool keep);
    /// The CRC-32 of everything so far.
    [[nodiscard]] std::uint32_t checksum() const { return checksum_; }
    /// Throws SafetensorsFault naming the first array that held NaN or infinity, and the place. To be asked after the
    /// checksum: damaged numbers are damage first.
    void require_finite() const;

private:
    ByteStream* stream_;
    std::uint32_t checksum_;
    std::string bad_array_;  ///< empty: every number was finite so far
    std::string bad_place_;
};

}  // namespace isogon
