// Mutations of archives: an array is dropped, copied, reshaped, retyped, a number becomes an awkward one, an option or
// a note another one. What comes out is an archive with a right checksum, for bytes changed at random never are.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "archive_bytes.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace isogon::fuzz {
namespace {

using Json = nlohmann::ordered_json;
using Tensor = ArchiveBytes::Tensor;
using Random = std::minstd_rand;

constexpr std::array<const char*, 5> types{"F32", "F64", "U32", "U64", "U8"};
constexpr std::array awkward_floats{0.0,
                                    -0.0,
                                    1.0,
                                    -1.0,
                                    0.5,
                                    1.0 + 0x1p-20,
                                    2.0,
                                    3.0,
                                    1e-45,
                                    1e-310,
                                    1e-30,
                                    1e9,
                                    1e15,
                                    1.8e19,
                                    1e30,
                                    -1e30,
                                    3.4e38,
                                    -3.4e38,
                                    1e154,
                                    1e200,
                                    1e300,
                                    1.797e308,
                                    -1.797e308,
                                    std::numeric_limits<double>::infinity(),
                                    std::numeric_limits<double>::quiet_NaN()};
constexpr std::array<std::uint64_t, 18> awkward_counts{
    0,  1,  2,   3,     5,          7,          8,          15,          16,
    63, 64, 255, 65535, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF, 0x100000000, 0x8000000000000000};
constexpr std::array<const char*, 26> words{"linear",
                                            "local-placement",
                                            "nonnegative",
                                            "placement",
                                            "mixture",
                                            "frozen",
                                            "cosine",
                                            "inner-product",
                                            "euclidean",
                                            "tsne",
                                            "umap",
                                            "svd",
                                            "faithful",
                                            "tsm",
                                            "nmf",
                                            "laplacian",
                                            "model",
                                            "checkpoint",
                                            "neighbor-index",
                                            "neighbor-graph",
                                            "decomposition",
                                            "run",
                                            "codes",
                                            "exact",
                                            "fft",
                                            ""};

std::size_t below(std::size_t count, Random& random) {
    return random() % std::max<std::size_t>(count, 1);
}

template <class List>
const auto& one_of(const List& list, Random& random) {
    return list[below(list.size(), random)];
}

std::size_t width(const Tensor& tensor) {
    return tensor.type == "U8" ? 1 : tensor.type == "F32" || tensor.type == "U32" ? 4 : 8;
}

std::size_t count(const Tensor& tensor) {
    return tensor.bytes.size() / width(tensor);
}

template <class Number>
void store(Tensor& tensor, std::size_t place, Number number) {
    std::memcpy(tensor.bytes.data() + place * sizeof(Number), &number, sizeof(Number));
}

template <class Number>
Number load(const Tensor& tensor, std::size_t place) {
    Number number{};
    std::memcpy(&number, tensor.bytes.data() + place * sizeof(Number), sizeof(Number));
    return number;
}

std::uint64_t count_at(const Tensor& tensor, std::size_t place) {
    if (tensor.type == "U8") {
        return load<std::uint8_t>(tensor, place);
    }
    return tensor.type == "U32" ? load<std::uint32_t>(tensor, place) : load<std::uint64_t>(tensor, place);
}

double number_at(const Tensor& tensor, std::size_t place) {
    if (tensor.type == "F32") {
        return load<float>(tensor, place);
    }
    return tensor.type == "F64" ? load<double>(tensor, place) : static_cast<double>(count_at(tensor, place));
}

void set_float(Tensor& tensor, std::size_t place, double value) {
    if (tensor.type == "F32") {
        store(tensor, place, static_cast<float>(value));
    } else {
        store(tensor, place, value);
    }
}

void set_count(Tensor& tensor, std::size_t place, std::uint64_t value) {
    if (tensor.type == "U8") {
        store(tensor, place, static_cast<std::uint8_t>(value));
    } else if (tensor.type == "U32") {
        store(tensor, place, static_cast<std::uint32_t>(value));
    } else {
        store(tensor, place, value);
    }
}

bool is_float(const Tensor& tensor) {
    return tensor.type[0] == 'F';
}

void set_awkward(Tensor& tensor, std::size_t place, Random& random) {
    if (is_float(tensor)) {
        set_float(tensor, place, one_of(awkward_floats, random));
    } else {
        set_count(tensor, place, one_of(awkward_counts, random));
    }
}

/// A little more or less, or another power of two.
void nudge(Tensor& tensor, std::size_t place, Random& random) {
    if (is_float(tensor)) {
        constexpr std::array factors{-1.0, 0.5, 2.0, 1.001, 0.999, 0x1p20, 0x1p-20, 0x1p60};
        set_float(tensor, place, number_at(tensor, place) * one_of(factors, random));
    } else {
        const std::uint64_t value = count_at(tensor, place);
        set_count(tensor, place, random() % 2 == 0 ? value + 1 : value - 1);
    }
}

void change_one(Tensor& tensor, Random& random) {
    if (count(tensor) > 0) {
        const std::size_t place = below(count(tensor), random);
        random() % 2 == 0 ? set_awkward(tensor, place, random) : nudge(tensor, place, random);
    }
}

void change_all(Tensor& tensor, Random& random) {
    const Random same = random;
    const bool equal = random() % 2 == 0;
    for (std::size_t place = 0; place < count(tensor); ++place) {
        Random own = same;
        set_awkward(tensor, place, equal ? own : random);
    }
}

/// Another length of one axis, with numbers to fit, or other sides of the same numbers.
void reshape(Tensor& tensor, Random& random) {
    constexpr std::uint64_t most_numbers = 4096;
    if (tensor.shape.empty()) {
        tensor.shape.push_back(1);
        return;
    }
    if (random() % 8 == 0) {
        std::reverse(tensor.shape.begin(), tensor.shape.end());
        return;
    }
    if (random() % 8 == 0) {
        tensor.shape.pop_back();
        return;
    }
    std::uint64_t& side = tensor.shape[below(tensor.shape.size(), random)];
    const std::array<std::uint64_t, 8> sides{0, 1, side - 1, side + 1, 2 * side, 3 * side, side / 2, 1U << 31U};
    side = one_of(sides, random);
    std::uint64_t numbers = 1;
    for (const std::uint64_t length : tensor.shape) {
        numbers = length > most_numbers ? most_numbers + 1 : numbers * length;
    }
    if (numbers <= most_numbers) {
        const std::string before = tensor.bytes;
        tensor.bytes.resize(numbers * width(tensor));
        for (std::size_t i = before.size(); i < tensor.bytes.size() && !before.empty(); ++i) {
            tensor.bytes[i] = before[i % before.size()];
        }
    }
}

/// The same numbers as another type, or the same bytes.
void retype(Tensor& tensor, Random& random) {
    Tensor other = tensor;
    other.type = one_of(types, random);
    if (random() % 4 != 0) {
        other.bytes.assign(count(tensor) * width(other), '\0');
        for (std::size_t place = 0; place < count(tensor); ++place) {
            const double value = number_at(tensor, place);
            if (is_float(other)) {
                set_float(other, place, value);
            } else {
                set_count(other, place, value >= 0.0 && value < 1e18 ? static_cast<std::uint64_t>(value) : 0);
            }
        }
    }
    tensor = std::move(other);
}

Json awkward_value(Random& random) {
    switch (random() % 5) {
        case 0: return nullptr;
        case 1: return one_of(words, random);
        case 2: return static_cast<std::int64_t>(one_of(awkward_counts, random));
        case 3: return random() % 2 == 0;
        default: {
            const double value = one_of(awkward_floats, random);
            return value - value == 0.0 ? Json(value) : Json(-1);
        }
    }
}

/// An option or note becomes another one, or goes; of a few that last long only the smaller numbers are worth a try.
void change_texts(ArchiveBytes& archive, Random& random) {
    const char* key = random() % 2 == 0 ? "options" : "notes";
    if (!archive.metadata.contains(key) || !archive.metadata[key].is_string() || random() % 8 == 0) {
        archive.metadata[random() % 2 == 0 ? "kind" : "method"] = one_of(words, random);
        return;
    }
    Json values = Json::parse(archive.metadata[key].get<std::string>(), nullptr, false);
    if (!values.is_object() || values.empty()) {
        return;
    }
    const auto value = std::next(values.begin(), static_cast<std::ptrdiff_t>(below(values.size(), random)));
    if (random() % 8 == 0) {
        values.erase(value);
    } else {
        *value = key == std::string("notes") ? Json(one_of(words, random)) : awkward_value(random);
    }
    archive.metadata[key] = values.dump();
}

void mutate(ArchiveBytes& archive, Random& random) {
    if (archive.tensors.empty() || random() % 8 == 0) {
        change_texts(archive, random);
        return;
    }
    const std::size_t place = below(archive.tensors.size(), random);
    Tensor& tensor = archive.tensors[place];
    switch (random() % 10) {
        case 0: archive.tensors.erase(archive.tensors.begin() + static_cast<std::ptrdiff_t>(place)); break;
        case 1: {
            const Tensor other = one_of(archive.tensors, random);
            tensor = {tensor.name, other.type, other.shape, other.bytes};
            break;
        }
        case 2:
        case 3: reshape(tensor, random); break;
        case 4: retype(tensor, random); break;
        case 5: change_all(tensor, random); break;
        default: change_one(tensor, random); break;
    }
}

std::size_t write(const std::string& bytes, std::uint8_t* data, std::size_t most) {
    if (bytes.size() > most) {
        return 0;
    }
    std::memcpy(data, bytes.data(), bytes.size());
    return bytes.size();
}

}  // namespace
}  // namespace isogon::fuzz

using isogon::fuzz::ArchiveBytes;

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
    isogon::fuzz::Random random(seed);
    auto archive = ArchiveBytes::parse({reinterpret_cast<const char*>(data), size});
    if (!archive || random() % 32 == 0) {
        return LLVMFuzzerMutate(data, size, most);
    }
    for (std::size_t left = 1 + isogon::fuzz::below(3, random); left > 0; --left) {
        isogon::fuzz::mutate(*archive, random);
    }
    const std::size_t written = isogon::fuzz::write(archive->text(), data, most);
    return written == 0 ? LLVMFuzzerMutate(data, size, most) : written;
}

/// An array of the one in place of that of the other.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size, std::uint8_t* out,
                                                 std::size_t most, unsigned int seed) {
    isogon::fuzz::Random random(seed);
    auto archive = ArchiveBytes::parse({reinterpret_cast<const char*>(first), first_size});
    const auto other = ArchiveBytes::parse({reinterpret_cast<const char*>(second), second_size});
    if (!archive || !other || other->tensors.empty()) {
        return 0;
    }
    const auto& taken = isogon::fuzz::one_of(other->tensors, random);
    const auto same = std::find_if(archive->tensors.begin(), archive->tensors.end(),
                                   [&](const auto& tensor) { return tensor.name == taken.name; });
    if (same == archive->tensors.end()) {
        archive->tensors.push_back(taken);
    } else {
        *same = taken;
    }
    return isogon::fuzz::write(archive->text(), out, most);
}
