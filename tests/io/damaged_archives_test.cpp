#include <limits>

#include "io/files.hpp"
#include "io/safetensors.hpp"
#include "io/safetensors_bytes.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon::damaged_archives_test {
namespace {

using namespace test;

/// The message of read_archive() on these bytes; describe_archive() must say the same.
std::string refusal(const TemporaryFolder& folder, const std::string& bytes) {
    const fs::path path = folder.file("damaged", bytes);
    const std::string message = message_of([&] { return read_archive(path); });
    expect_holds(message, {"damaged"});
    EXPECT_EQ(message_of([&] { return describe_archive(path); }), message);
    return message;
}

struct Case {
    std::string bytes;
    std::vector<std::string> parts;  ///< parts of the message
};

void expect_refused(const std::vector<Case>& cases) {
    const TemporaryFolder folder(memory_folder());
    for (const Case& bad : cases) {
        expect_holds(refusal(folder, bad.bytes), bad.parts);
    }
}

std::string sample_bytes(const TemporaryFolder& folder) {
    write_archive(folder / "sample.safetensors", sample_archive());
    return bytes_of(folder / "sample.safetensors");
}

TEST(DamagedArchives, TheOnesMadeByHandAreWholeToBeginWith) {
    const TemporaryFolder folder;
    EXPECT_NO_THROW(static_cast<void>(read_archive(folder.file("a", model_bytes()))));
    const std::string one = model_bytes(tensor("a", "F32", "[1]", "[0,4]"), packed<float>({1}));
    EXPECT_NO_THROW(static_cast<void>(read_archive(folder.file("b", one))));
}

TEST(DamagedArchives, EveryTruncationIsRefused) {
    const TemporaryFolder folder(memory_folder());
    const std::string bytes = sample_bytes(folder);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        static_cast<void>(refusal(folder, bytes.substr(0, size)));
    }
    const std::string packed_bytes = gzip(bytes);
    for (std::size_t size = 0; size < packed_bytes.size(); ++size) {
        static_cast<void>(refusal(folder, packed_bytes.substr(0, size)));
    }
}

TEST(DamagedArchives, EveryFlippedBitIsFound) {
    const TemporaryFolder folder(memory_folder());
    const std::string bytes = sample_bytes(folder);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        std::string flipped = bytes;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
        static_cast<void>(refusal(folder, flipped));
    }
}

TEST(DamagedArchives, FlippedBitsInTheDataAreCalledDamageEvenWhereTheyMakeNaN) {
    const TemporaryFolder folder(memory_folder());
    std::string bytes = model_bytes(tensor("a", "F32", "[1]", "[0,4]"), packed<float>({1}));
    bytes.replace(bytes.size() - 4, 4, packed<float>({std::numeric_limits<float>::quiet_NaN()}));
    expect_holds(refusal(folder, bytes), {"damaged, or was changed by another program", "checksum"});
}

TEST(DamagedArchives, AByteTooManyIsRefused) {
    const TemporaryFolder folder(memory_folder());
    const std::string bytes = sample_bytes(folder) + '\0';
    expect_holds(refusal(folder, bytes), {"more bytes follow"});
    expect_holds(refusal(folder, gzip(bytes)), {"more bytes follow"});
}

TEST(DamagedArchives, LengthsOfTheHeaderAreNotBelieved) {
    const std::string rest(100, ' ');
    const auto file = [&](std::uint64_t length) { return packed<std::uint64_t>({length}) + "{}" + rest; };
    constexpr std::uint64_t megabyte = std::uint64_t{1024} * 1024;
    expect_refused({{file(103), {"has only 102", "truncated"}},
                    {file(megabyte), {"has only 102", "truncated"}},
                    {file(megabyte + 1), {"1048577", "at most 1048576"}},
                    {file(0xffffffffU), {"4294967295", "at most"}},
                    {file(std::numeric_limits<std::uint64_t>::max()), {"byte 0", "not a safetensors file"}},
                    {file(0), {"byte 8"}},
                    {file(1), {"byte 9"}},
                    {gzip(file(megabyte)), {"truncated"}}});
}

TEST(DamagedArchives, OtherFilesAreNotTakenForOne) {
    expect_refused(
        {{"1,2,3\n4,5,6\n7,8,9\n", {"byte 0", "not a safetensors file"}},
         {npy("<f4", "(1, 1)", packed<float>({1})), {"byte 0", "not a safetensors file"}},
         {"", {"empty"}},
         {safetensors("{}"), {"not one of isogon's", "no format"}},
         {safetensors(object({tensor("a", "BF16", "[1]", "[0,2]")}), "xx"), {"not one of isogon's"}},
         {safetensors(R"({"__metadata__":{"format":"pt"}})"), {"not one of isogon's", "'pt'", ".npy"}},
         {safetensors(R"({"__metadata__":{"format":"isogon","format_version":"2"},"a":{"dtype":"F4",)"
                      R"("shape":[0],"data_offsets":[0,0]}})"),
          {"format version 2; this isogon " + std::string(isogon_version()) + " reads up to 1; update isogon"}}});
}

TEST(DamagedArchives, JsonNestedDeepIsRefused) {
    std::string objects = "{";
    for (int i = 0; i < 50000; ++i) {
        objects += "\"a\":{";
    }
    expect_refused({{safetensors("{\"a\":" + std::string(500000, '[')), {"levels deep"}},
                    {safetensors(objects), {"levels deep"}},
                    {safetensors("{\"a\":" + std::string(200000, '[') + std::string(200000, ']') + "}"), {"levels"}}});
}

TEST(DamagedArchives, OffsetsAreNotBelieved) {
    const std::string data = packed<float>({1, 2});
    const auto file = [&](const std::string& first, const std::string& second) {
        return model_bytes(tensor("a", "F32", "[1]", first) + "," + tensor("b", "F32", "[1]", second), data);
    };
    expect_refused({{file("[0,4]", "[4,8]") + "1234", {"more bytes follow"}},
                    {file("[0,4]", "[0,4]"), {"overlap"}},
                    {file("[0,4]", "[2,6]"), {"overlap"}},
                    {file("[0,4]", "[5,9]"), {"'b'", "byte 5", "a gap"}},
                    {file("[4,8]", "[8,12]"), {"'a'", "a gap"}},
                    {file("[4,0]", "[4,8]"), {"data_offsets"}},
                    {file("[0,4]", "[4,18446744073709551615]"), {"1 numbers"}},
                    {file("[0,18446744073709551615]", "[18446744073709551615,3]"), {"data_offsets"}},
                    {file("[0,8]", "[8,12]"), {"'a'", "1 numbers", "8 bytes"}},
                    {file("[0,4]", "[4,99999999999999999999]"), {"data_offsets"}}});
}

TEST(DamagedArchives, ShapesThatPromiseTooMuchTakeNoMemory) {
    // 2^62 bytes, and products that are small again modulo 2^64.
    expect_refused(
        {{model_bytes(tensor("a", "F32", "[1152921504606846976]", "[0,4611686018427387904]"), "1234"), {"truncated"}},
         {model_bytes(tensor("a", "F32", "[4294967296,4294967296]", "[0,0]")), {"more than 2^64"}},
         {model_bytes(tensor("a", "F32", "[4611686018427387904]", "[0,0]")), {"numbers", " 0 bytes"}},
         {model_bytes(tensor("a", "F64", "[2305843009213693953]", "[0,8]"), "12345678"), {"numbers", " 8 bytes"}},
         {model_bytes(tensor("a", "F32", "[1]", "[0,5]"), "12345"), {"1 numbers", "5 bytes"}},
         {gzip(model_bytes(tensor("a", "F32", "[1152921504606846976]", "[0,4611686018427387904]"))), {"truncated"}},
         {gzip(model_bytes(tensor("a", "F32", "[10000]", "[0,40000]"))), {"truncated"}}});
}

TEST(DamagedArchives, TypesAndNamesThatIsogonDoesNotWriteAreNamed) {
    expect_refused({{model_bytes(tensor("a", "BF16", "[2]", "[0,4]"), "1234"), {"'a'", "'BF16'"}},
                    {model_bytes(tensor("a", "I64", "[]", "[0,8]"), "12345678"), {"'a'", "'I64'"}},
                    {model_bytes(tensor("a b", "F32", "[0]", "[0,0]")), {"'a b'"}},
                    {model_bytes(tensor("", "F32", "[0]", "[0,0]")), {"''"}},
                    {model_bytes(tensor("a", "F32", "[1,1,1,1,1,1,1,1,0]", "[0,0]")), {"'a'", "axes (9)"}}});
}

TEST(DamagedArchives, MetadataThatIsNotTextIsRefused) {
    expect_refused({{model_bytes("", "", R"(,"x":1)"), {"__metadata__", "'x'", "string"}},
                    {model_bytes("", "", R"(,"x":null)"), {"__metadata__", "'x'", "string"}},
                    {safetensors(R"({"__metadata__":[]})"), {"__metadata__"}},
                    {safetensors(R"({"__metadata__":null})"), {"__metadata__"}}});
}

TEST(DamagedArchives, WhatIsNotFiniteIsRefusedByArrayAndPlace) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const std::string weights = tensor("weights", "F32", "[2,2]", "[0,16]");
    const std::string tau = tensor("tau", "F64", "[]", "[0,8]");
    expect_refused({{model_bytes(weights, packed<float>({1, 2, nan, 4})), {"array weights, row 1, column 0", "NaN"}},
                    {model_bytes(tau, packed<double>({-infinity})), {"array tau", "infinite"}}});
}

TEST(DamagedArchives, AChecksumMustBeThereAndRight) {
    std::string none = model_bytes();
    none.replace(none.find("crc32"), 5, "crc33");
    std::string wrong = model_bytes();
    wrong.replace(wrong.find("crc32\":\"") + 8, 8, "00000000");
    std::string upper = model_bytes();
    upper.replace(upper.find("crc32\":\"") + 8, 8, "ABCDEF01");
    expect_refused({{none, {"crc32", "missing"}}, {wrong, {"should be 00000000"}}, {upper, {"crc32", "missing"}}});
}

TEST(DamagedArchives, AModelGivenAsPointsIsRefusedWithAWayOut) {
    const TemporaryFolder folder;
    const std::string bytes = sample_bytes(folder);
    for (const fs::path& path :
         {folder / "sample.safetensors", folder.file("model", bytes), folder.file("z", gzip(bytes))}) {
        expect_input_error([&] { return read_points(path); }, {path.string(), "model file", "isogon info"});
        expect_input_error([&] { return read_labels(path); }, {path.string(), "model file"});
        expect_input_error([&] { return describe_file(path); }, {path.string(), "model file"});
    }
}

}  // namespace
}  // namespace isogon::damaged_archives_test
