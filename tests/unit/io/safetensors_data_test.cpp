#include "io/safetensors_data.hpp"

#include <cmath>
#include <limits>

#include "io/safetensors_json.hpp"
#include "unit/io/files.hpp"
#include "unit/io/safetensors_bytes.hpp"

namespace isogon::safetensors_data_test {
namespace {

using namespace test;

template <class Action>
std::string fault_of(Action action) {
    return message_of<SafetensorsFault>(action);
}

/// The slow twin of for_each_block().
std::string bytes_of_values(const Array::Values& values) {
    return std::visit([](const auto& list) { return packed(list); }, values);
}

std::string joined(const Array::Values& values) {
    std::string bytes;
    for_each_block(values, [&](std::string_view block) { bytes += block; });
    return bytes;
}

/// As many numbers of each type, none of them alike.
std::vector<Array::Values> lists(std::size_t count) {
    std::vector<float> floats;
    std::vector<double> doubles;
    std::vector<std::uint32_t> small;
    std::vector<std::uint64_t> large;
    for (std::size_t i = 0; i < count; ++i) {
        floats.push_back(0.1F * static_cast<float>(i));
        doubles.push_back(-0.1 * static_cast<double>(i));
        small.push_back(static_cast<std::uint32_t>(i * 2654435761U));
        large.push_back(i * 0x9e3779b97f4a7c15U);
    }
    return {floats, doubles, small, large};
}

TEST(SafetensorsData, BlocksJoinToAllNumbersLittleEndian) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{32768}, std::size_t{65537}}) {
        for (const auto& values : lists(count)) {
            EXPECT_EQ(joined(values), bytes_of_values(values)) << scalar_name(values) << ' ' << count;
        }
    }
}

TEST(SafetensorsData, NumbersComeBackBlockByBlockOneArrayAfterTheOther) {
    const TemporaryFolder folder;
    for (const std::size_t count : {std::size_t{1}, std::size_t{65537}}) {
        const auto all = lists(count);
        std::string bytes;
        std::vector<Tensor> tensors;
        for (const auto& values : all) {
            const std::string part = bytes_of_values(values);
            tensors.push_back(
                {"x", std::string(tensor_type(values)), {count}, bytes.size(), bytes.size() + part.size()});
            bytes += part;
        }
        for (const std::string& file : {bytes, gzip(bytes)}) {
            ByteStream stream(folder.file("x", file));
            TensorReader reader(stream, 0);
            for (std::size_t i = 0; i < all.size(); ++i) {
                EXPECT_EQ(reader.read(tensors[i], true).values, all[i]);
            }
            EXPECT_EQ(reader.checksum(),
                      ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
            EXPECT_NO_THROW(reader.require_finite());
        }
    }
}

TEST(SafetensorsData, WhatIsNotKeptIsCheckedAllTheSame) {
    const TemporaryFolder folder;
    std::vector<double> numbers(100000, 1.0);
    numbers[99998] = std::numeric_limits<double>::infinity();
    for (const bool keep : {false, true}) {
        ByteStream stream(folder.file("x", packed(numbers)));
        TensorReader reader(stream, 0);
        const Array array = reader.read({"weights", "F64", {50000, 2}, 0, 800000}, keep);
        EXPECT_EQ(std::get<std::vector<double>>(array.values).size(), keep ? 100000U : 0U);
        EXPECT_EQ(reader.checksum(), ::crc32(0, reinterpret_cast<const Bytef*>(numbers.data()), 800000));
        try {
            reader.require_finite();
            ADD_FAILURE() << "not refused";
        } catch (const SafetensorsFault& fault) {
            EXPECT_EQ(fault.place(), "array weights, row 49999, column 0");
        }
    }
}

TEST(SafetensorsData, TheFirstArrayThatIsNotFiniteIsTheOneNamed) {
    const TemporaryFolder folder;
    const float nan = std::nanf("");
    ByteStream stream(folder.file("x", packed<float>({1, nan, nan})));
    TensorReader reader(stream, 0);
    for (const char* name : {"a", "b", "c"}) {
        static_cast<void>(reader.read({name, "F32", {}, 0, 4}, true));
    }
    try {
        reader.require_finite();
        ADD_FAILURE() << "not refused";
    } catch (const SafetensorsFault& fault) {
        EXPECT_EQ(fault.place(), "array b");
    }
}

TEST(SafetensorsData, AnEndTooEarlyIsRefused) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", "1234567"));
    TensorReader reader(stream, 0);
    expect_input_error(
        [&] {
            return reader.read({"weights", "F32", {2}, 0, 8}, true);
        },
        {"array weights", "truncated"});
}

TEST(SafetensorsData, TypesThatArchivesDoNotHoldAreNamed) {
    for (const auto& values : lists(0)) {
        EXPECT_EQ(tensor_values({"x", std::string(tensor_type(values)), {0}, 0, 0}).index(), values.index());
    }
    for (const char* type : {"BF16", "I64", "f32", "", "F32 "}) {
        expect_holds(fault_of([&] { return tensor_values({"x", type, {1}, 0, 8}); }), {std::string("'") + type + "'"});
    }
}

TEST(SafetensorsData, BytesMustBeWhatTheShapeAsksFor) {
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    EXPECT_NO_THROW(static_cast<void>(tensor_values({"x", "F32", {2, 3}, 4, 28})));
    EXPECT_NO_THROW(static_cast<void>(tensor_values({"x", "F64", {}, 0, 8})));
    expect_holds(fault_of([] { return tensor_values({"x", "F32", {2, 3}, 0, 25}); }), {"6 numbers", "25 bytes"});
    expect_holds(fault_of([] { return tensor_values({"x", "F64", {2, 3}, 0, 24}); }), {"6 numbers", "24 bytes"});
    // Both products are 0 in 64 bits.
    expect_holds(fault_of([] { return tensor_values({"x", "F32", {half, 2}, 0, 0}); }), {"more than 2^64"});
    expect_holds(fault_of([] { return tensor_values({"x", "F32", {half / 2}, 0, 0}); }), {"numbers", " 0 bytes"});
}

}  // namespace
}  // namespace isogon::safetensors_data_test
