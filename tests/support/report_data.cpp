#include "support/report_data.hpp"

#include <zlib.h>

#include <bit>
#include <cstdint>
#include <stdexcept>

namespace isogon::support {

namespace {

double number_at(const std::string& bytes, std::size_t place, std::size_t size, bool real) {
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < size; ++k) {
        bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes.at(place * size + k))) << (8 * k);
    }
    if (!real) {
        return static_cast<double>(bits);
    }
    return size == 8 ? std::bit_cast<double>(bits) : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
}

std::size_t size_of(const std::string& type) {
    return type == "uint8" ? 1 : type == "uint16" ? 2 : type == "float64" ? 8 : 4;
}

/// The number for this place of a scalar or of a list by column.
double by_column(const Json& array, const char* key, std::size_t place, double otherwise) {
    if (!array.contains(key)) {
        return otherwise;
    }
    const Json& value = array[key];
    return value.is_array() ? value[place % value.size()].get<double>() : value.get<double>();
}

}  // namespace

std::string from_base64(std::string_view text) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (text.size() % 4 != 0) {
        throw std::invalid_argument("base64 of another length than a multiple of four");
    }
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : text.substr(0, text.find('='))) {
        const std::size_t digit = alphabet.find(c);
        if (digit == std::string_view::npos) {
            throw std::invalid_argument("no base64");
        }
        bits = bits << 6U | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 255U);
        }
    }
    return bytes;
}

std::string unpacked(std::string_view gzip) {
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) {
        throw std::invalid_argument("zlib");
    }
    std::string in(gzip);
    std::string out;
    std::string piece(65536, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    int end = Z_OK;
    while (end == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        end = inflate(&stream, Z_NO_FLUSH);
        out.append(piece, 0, piece.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (end != Z_STREAM_END) {
        throw std::invalid_argument("no gzip");
    }
    return out;
}

std::vector<double> stored_numbers(const Json& array) {
    const std::string bytes = unpacked(from_base64(array.at("gzip").get<std::string>()));
    const std::string type = array.at("type");
    std::size_t count = 1;
    for (const auto& side : array.at("shape")) {
        count *= side.get<std::size_t>();
    }
    if (bytes.size() != count * size_of(type)) {
        throw std::invalid_argument("an array of another size than its shape says");
    }
    std::vector<double> values;
    for (std::size_t place = 0; place < count; ++place) {
        values.push_back(number_at(bytes, place, size_of(type), type.starts_with("float")));
    }
    return values;
}

std::vector<double> numbers(const Json& array) {
    std::vector<double> values = stored_numbers(array);
    for (std::size_t place = 0; place < values.size(); ++place) {
        values[place] = by_column(array, "offset", place, 0.0) + by_column(array, "scale", place, 1.0) * values[place];
    }
    return values;
}

}  // namespace isogon::support
