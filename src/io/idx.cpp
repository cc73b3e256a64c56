#include "io/idx.hpp"

#include <array>
#include <optional>

#include "io/scalar_type.hpp"

namespace isogon {

namespace {

constexpr std::array<std::pair<char, ScalarType>, 6> idx_types = {{{'\x08', ScalarType::UInt8},
                                                                   {'\x09', ScalarType::Int8},
                                                                   {'\x0b', ScalarType::Int16},
                                                                   {'\x0c', ScalarType::Int32},
                                                                   {'\x0d', ScalarType::Float32},
                                                                   {'\x0e', ScalarType::Float64}}};

std::optional<ScalarType> type_of(char code) {
    for (const auto& [byte, type] : idx_types) {
        if (byte == code) {
            return type;
        }
    }
    return std::nullopt;
}

}  // namespace

bool is_idx(std::string_view first_bytes) {
    return first_bytes.size() >= 4 && first_bytes[0] == 0 && first_bytes[1] == 0 && type_of(first_bytes[2]) &&
           first_bytes[3] != 0;
}

ArrayLayout read_idx_header(ByteStream& stream) {
    std::array<char, 4> magic{};
    stream.read(magic, "the first four bytes of an IDX header");
    if (magic[0] != 0 || magic[1] != 0) {
        stream.fail("byte 0", "is not IDX: that begins with two zero bytes");
    }
    const auto type = type_of(magic[2]);
    if (!type) {
        stream.fail("byte 2", "IDX has no type " + std::to_string(static_cast<unsigned char>(magic[2])) +
                                  "; known are 8 (ubyte), 9 (byte), 11 (short), 12 (int), 13 (float), 14 (double)");
    }
    const std::size_t rank = static_cast<unsigned char>(magic[3]);
    if (rank == 0) {
        stream.fail("byte 3", "an IDX array of rank 0 holds no points");
    }
    std::vector<char> sizes(4 * rank);
    stream.read(sizes, "the sizes in an IDX header");
    ArrayLayout layout{*type, std::endian::big, false, {}};
    for (std::size_t k = 0; k < rank; ++k) {
        layout.shape.push_back(load<std::uint32_t>(sizes.data() + 4 * k, std::endian::big));
    }
    return layout;
}

std::string idx_header(ScalarType scalar, const std::vector<std::uint32_t>& shape) {
    std::string bytes(2, '\0');
    for (const auto& [code, type] : idx_types) {
        if (type == scalar) {
            bytes += code;
        }
    }
    bytes += static_cast<char>(shape.size());
    for (const std::uint32_t size : shape) {
        store(bytes, size, std::endian::big);
    }
    return bytes;
}

}  // namespace isogon
