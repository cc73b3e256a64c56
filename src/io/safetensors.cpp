#include "io/safetensors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <tuple>
#include <variant>
#include <vector>

#include "io/scalar_type.hpp"
#include "io/zip_file.hpp"

namespace isogon {

namespace {

using Json = nlohmann::json;

/// Watches a parse: keeps the keys of the objects that are open.
class Watch {
public:
    Watch(int most_levels, std::size_t offset) : most_levels_(most_levels), offset_(offset) {}

    bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
        using Event = Json::parse_event_t;
        if ((event == Event::object_start || event == Event::array_start) && depth >= most_levels_) {
            throw SafetensorsFault(place(),
                                   "the JSON is nested more than " + std::to_string(most_levels_) + " levels deep");
        }
        if (event == Event::object_start) {
            keys_.emplace_back();
        } else if (event == Event::object_end) {
            keys_.pop_back();
        } else if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second) {
            throw SafetensorsFault(place(), "the key " + shown_text(parsed.get<std::string>()) + " comes twice");
        }
        return true;
    }

private:
    [[nodiscard]] std::string place() const { return "JSON from byte " + std::to_string(offset_); }

    int most_levels_;
    std::size_t offset_;
    std::vector<std::set<std::string>> keys_;
};

}  // namespace

nlohmann::json parse_strict_json(std::string_view text, int most_levels, std::size_t offset) {
    // The parser stops at a zero byte.
    const std::size_t zero = text.find('\0');
    if (zero != std::string_view::npos) {
        throw SafetensorsFault("byte " + std::to_string(offset + zero), "a zero byte within JSON");
    }
    try {
        return Json::parse(text, [watch = Watch(most_levels, offset)](int depth, Json::parse_event_t event,
                                                                      const Json& parsed) mutable {
            return watch(depth, event, parsed);
        });
    } catch (const Json::parse_error& error) {
        const std::size_t read = error.byte > 0 ? error.byte - 1 : 0;
        throw SafetensorsFault("byte " + std::to_string(offset + read), "is not valid JSON here");
    } catch (const Json::exception&) {
        throw SafetensorsFault("JSON from byte " + std::to_string(offset), "holds a number beyond float64's range");
    }
}

namespace {

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::size_t header_alignment = 64;
// The object, a tensor in it, a list in that.
constexpr int levels = 3;

std::string place_of(const std::string& name) {
    return "array " + shown_text(name);
}

std::vector<std::uint64_t> whole_numbers(const Json& tensor, const std::string& key, const std::string& name) {
    const auto found = tensor.find(key);
    if (found == tensor.end() || !found->is_array()) {
        throw SafetensorsFault(place_of(name), key + " must be a list of whole numbers");
    }
    std::vector<std::uint64_t> list;
    for (const Json& item : *found) {
        if (!item.is_number_unsigned()) {
            throw SafetensorsFault(place_of(name), key + " must hold whole numbers from 0 to 2^64 - 1");
        }
        list.push_back(item.get<std::uint64_t>());
    }
    return list;
}

Tensor parse_tensor(const std::string& name, const Json& json) {
    if (!json.is_object() || json.size() != 3) {
        throw SafetensorsFault(place_of(name), "must be an object of dtype, shape and data_offsets");
    }
    const auto type = json.find("dtype");
    if (type == json.end() || !type->is_string()) {
        throw SafetensorsFault(place_of(name), "dtype must be a string");
    }
    const auto offsets = whole_numbers(json, "data_offsets", name);
    if (offsets.size() != 2 || offsets[0] > offsets[1]) {
        throw SafetensorsFault(place_of(name), "data_offsets must be two numbers, the first not above the second");
    }
    return {name, type->get<std::string>(), whole_numbers(json, "shape", name), offsets[0], offsets[1]};
}

ArchiveMetadata parse_metadata(const Json& json) {
    if (!json.is_object()) {
        throw SafetensorsFault("__metadata__", "must be an object of strings");
    }
    ArchiveMetadata metadata;
    for (const auto& item : json.items()) {
        if (!item.value().is_string()) {
            throw SafetensorsFault("__metadata__", "the value of " + shown_text(item.key()) + " must be a string");
        }
        metadata.emplace(item.key(), item.value().get<std::string>());
    }
    return metadata;
}

void require_side_by_side(const std::vector<Tensor>& tensors) {
    std::uint64_t end = 0;
    for (const Tensor& tensor : tensors) {
        if (tensor.begin != end) {
            throw SafetensorsFault(place_of(tensor.name),
                                   "its data begin at byte " + std::to_string(tensor.begin) + " of the data, where " +
                                       std::to_string(end) +
                                       (tensor.begin > end ? " would follow: a gap" : " bytes are taken: an overlap"));
        }
        end = tensor.end;
    }
}

}  // namespace

bool is_safetensors_name(std::filesystem::path path) {
    if (path.extension() == ".gz") {
        path = path.stem();
    }
    return path.extension() == ".safetensors";
}

bool is_safetensors(std::string_view first_bytes) {
    constexpr std::size_t shown = safetensors_length_bytes + 2;
    if (first_bytes.size() < shown || first_bytes[safetensors_length_bytes] != '{') {
        return false;
    }
    // Others allow headers of 100 MB; the length's upper half is zero in any case.
    const bool short_enough = load<std::uint32_t>(first_bytes.data() + 4, std::endian::little) == 0;
    return short_enough && std::string_view("\"} \t\r\n").find(first_bytes[shown - 1]) != std::string_view::npos;
}

std::string safetensors_header_text(const SafetensorsHeader& header) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    json[std::string(metadata_key)] = header.metadata;
    for (const Tensor& tensor : header.tensors) {
        json[tensor.name] = {
            {"dtype", tensor.type}, {"shape", tensor.shape}, {"data_offsets", {tensor.begin, tensor.end}}};
    }
    std::string text = json.dump();
    const std::size_t used = safetensors_length_bytes + text.size();
    return text.append((header_alignment - used % header_alignment) % header_alignment, ' ');
}

SafetensorsHeader parse_safetensors_header(std::string_view text) {
    const Json json = parse_strict_json(text, levels, safetensors_length_bytes);
    if (!json.is_object()) {
        throw SafetensorsFault("byte " + std::to_string(safetensors_length_bytes), "the header must be a JSON object");
    }
    SafetensorsHeader header;
    for (const auto& item : json.items()) {
        if (item.key() == metadata_key) {
            header.metadata = parse_metadata(item.value());
        } else {
            header.tensors.push_back(parse_tensor(item.key(), item.value()));
        }
    }
    std::sort(header.tensors.begin(), header.tensors.end(), [](const Tensor& a, const Tensor& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    require_side_by_side(header.tensors);
    return header;
}

namespace {

constexpr std::size_t block_bytes = std::size_t{256} * 1024;

// The order is that of Array::Values.
constexpr std::array<std::string_view, std::variant_size_v<Array::Values>> safetensors_types{"F32", "F64", "U32",
                                                                                             "U64", "U8",  "F32"};

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

/// Calls `change` with the list that is in memory; numbers in a file stay as they are.
template <class Change>
void change_list(Array::Values& values, const Change& change) {
    std::visit(
        [&](auto& list) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(list)>, MappedFloats>) {
                change(list);
            }
        },
        values);
}

void append(Array::Values& to, const Array::Values& from) {
    change_list(to, [&](auto& list) {
        const auto& more = std::get<std::decay_t<decltype(list)>>(from);
        list.insert(list.end(), more.begin(), more.end());
    });
}

/// Bytes as numbers of the type of `like`.
Array::Values numbers_from(const Array::Values& like, const std::string& bytes) {
    return std::visit(
        [&](const auto& list) { return list_of<typename std::decay_t<decltype(list)>::value_type>(bytes); }, like);
}

}  // namespace

std::string_view tensor_type(const Array::Values& values) {
    return safetensors_types.at(values.index());
}

std::size_t number_bytes(const Array::Values& values) {
    return std::visit([](const auto& list) { return sizeof(typename std::decay_t<decltype(list)>::value_type); },
                      values);
}

Array::Values tensor_values(const Tensor& tensor) {
    const std::string place = "array " + shown_text(tensor.name);
    Array::Values values;
    if (tensor.type == safetensors_types[1]) {
        values = std::vector<double>{};
    } else if (tensor.type == safetensors_types[2]) {
        values = std::vector<std::uint32_t>{};
    } else if (tensor.type == safetensors_types[3]) {
        values = std::vector<std::uint64_t>{};
    } else if (tensor.type == safetensors_types[4]) {
        values = std::vector<std::uint8_t>{};
    } else if (tensor.type != safetensors_types[0]) {
        throw SafetensorsFault(place, "its dtype " + shown_text(tensor.type) + " is none of F32, F64, U32, U64, U8");
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
        // The size of an uncompressed file has been checked; that of a compressed one is only a claim of its header.
        const std::uint64_t count = *element_count(tensor.shape);
        change_list(array.values, [&](auto& list) { list.reserve(count); });
    }
    std::string bytes;
    const std::uint64_t size = tensor.end - tensor.begin;
    for (std::uint64_t done = 0; done < size; done += bytes.size()) {
        bytes.resize(std::min<std::uint64_t>(block_bytes, size - done));
        stream_->read(bytes, "array " + tensor.name);
        checksum_ = crc32_of(checksum_, bytes);
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
