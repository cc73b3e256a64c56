#include "io/safetensors_header.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "io/byte_order.hpp"
#include "io/safetensors_json.hpp"

namespace isogon {

namespace {

using Json = nlohmann::json;

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::size_t alignment = 64;
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

std::map<std::string, std::string, std::less<>> parse_metadata(const Json& json) {
    if (!json.is_object()) {
        throw SafetensorsFault("__metadata__", "must be an object of strings");
    }
    std::map<std::string, std::string, std::less<>> metadata;
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
    return text.append((alignment - used % alignment) % alignment, ' ');
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

}  // namespace isogon
