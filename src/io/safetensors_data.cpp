#include "io/safetensors_data.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <variant>

#include "io/byte_order.hpp"
#include "io/safetensors_json.hpp"

namespace isogon {

namespace {

constexpr std::size_t block_bytes = std::size_t{256} * 1024;

// In the order of Array::Values.
constexpr std::array<std::string_view, std::variant_size_v<Array::Values>> types{"F32", "F64", "U32", "U64"};

template <class Number>
std::string little_endian(const Number* numbers, std::size_t count) {
    std::string bytes;
    bytes.reserve(count * sizeof(Number));
    for (std::size_t i = 0; i < count; ++i) {
        store(bytes, numbers[i], std::endian::little);
    }
    return bytes;
}

template <class Number>
Array::Values list_of(const std::string& bytes) {
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = load<Number>(bytes.data() + i * sizeof(Number), std::endian::little);
    }
    return numbers;
}

void append(Array::Values& to, const Array::Values& from) {
    std::visit(
        [&](auto& list) {
            const auto& more = std::get<std::decay_t<decltype(list)>>(from);
            list.insert(list.end(), more.begin(), more.end());
        },
        to);
}

/// Bytes as numbers of the type of `like`.
Array::Values numbers_from(const Array::Values& like, const std::string& bytes) {
    return std::visit(
        [&](const auto& list) { return list_of<typename std::decay_t<decltype(list)>::value_type>(bytes); }, like);
}

}  // namespace

std::string_view tensor_type(const Array::Values& values) {
    return types.at(values.index());
}

std::size_t number_bytes(const Array::Values& values) {
    return std::visit([](const auto& list) { return sizeof(typename std::decay_t<decltype(list)>::value_type); },
                      values);
}

Array::Values tensor_values(const Tensor& tensor) {
    const std::string place = "array " + shown_text(tensor.name);
    Array::Values values;
    if (tensor.type == types[1]) {
        values = std::vector<double>{};
    } else if (tensor.type == types[2]) {
        values = std::vector<std::uint32_t>{};
    } else if (tensor.type == types[3]) {
        values = std::vector<std::uint64_t>{};
    } else if (tensor.type != types[0]) {
        throw SafetensorsFault(place, "its dtype " + shown_text(tensor.type) + " is none of F32, F64, U32, U64");
    }
    const auto count = element_count(tensor.shape);
    const std::uint64_t bytes = tensor.end - tensor.begin;
    if (!count || bytes % number_bytes(values) != 0 || bytes / number_bytes(values) != *count) {
        throw SafetensorsFault(place, "its shape asks for " + (count ? std::to_string(*count) : "more than 2^64") +
                                          " numbers, its data_offsets give " + std::to_string(bytes) + " bytes of " +
                                          tensor.type);
    }
    return values;
}

void for_each_block(const Array::Values& values, const std::function<void(std::string_view)>& action) {
    std::visit(
        [&](const auto& list) {
            constexpr std::size_t step = block_bytes / sizeof(list[0]);
            for (std::size_t first = 0; first < list.size(); first += step) {
                action(little_endian(list.data() + first, std::min(step, list.size() - first)));
            }
        },
        values);
}

Array TensorReader::read(const Tensor& tensor, bool keep) {
    Array array{tensor.shape, tensor_values(tensor)};
    if (keep && !stream_->gzip()) {
        // The file has been seen to hold so much; what a packed one will yield is only a promise.
        const std::uint64_t count = *element_count(tensor.shape);
        std::visit([&](auto& list) { list.reserve(count); }, array.values);
    }
    std::string bytes;
    const std::uint64_t size = tensor.end - tensor.begin;
    for (std::uint64_t done = 0; done < size; done += bytes.size()) {
        bytes.resize(std::min<std::uint64_t>(block_bytes, size - done));
        stream_->read(bytes, "array " + tensor.name);
        checksum_ = static_cast<std::uint32_t>(
            ::crc32(checksum_, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
        const Array::Values block = numbers_from(array.values, bytes);
        const std::uint64_t bad = first_not_finite(block);
        if (bad * number_bytes(block) != bytes.size() && bad_array_.empty()) {
            bad_array_ = tensor.name;
            bad_place_ = place_name(tensor.shape, done / number_bytes(block) + bad);
        }
        if (keep) {
            append(array.values, block);
        }
    }
    return array;
}

void TensorReader::require_finite() const {
    if (!bad_array_.empty()) {
        throw SafetensorsFault("array " + bad_array_ + (bad_place_.empty() ? "" : ", " + bad_place_),
                               "the value is NaN or infinite, which no fit leaves behind");
    }
}

}  // namespace isogon
