#include "io/safetensors.hpp"

#include <cmath>
#include <limits>

#include "io/files.hpp"
#include "io/safetensors_bytes.hpp"

namespace isogon::archive_metadata_test {
namespace {

using namespace test;

ArchiveMetadata sample() {
    return to_metadata(sample_archive());
}

std::string fault_of(const ArchiveMetadata& metadata) {
    return message_of<SafetensorsFault>([&] { return archive_from(metadata); });
}

/// The message for the sample with one entry changed.
std::string fault_with(const std::string& key, const std::string& value) {
    ArchiveMetadata metadata = sample();
    metadata[key] = value;
    return fault_of(metadata);
}

std::string refusal(const Archive& archive) {
    return message_of<InvalidArgument>([&] { return to_metadata(archive); });
}

TEST(ArchiveMetadata, NumbersOfOptionsComeBackBitForBit) {
    using Limits = std::numeric_limits<double>;
    Archive archive;
    archive.method = "svd";
    int next = 0;
    for (const double value : {0.1, 1e300, 5e-324, Limits::max(), Limits::min(), 1.0 / 3.0, 1e22, -1e15, 123456789.0}) {
        archive.options["number-" + std::to_string(next++)] = value;
    }
    for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
                                     std::int64_t{0}, std::int64_t{-1}}) {
        archive.options["number-" + std::to_string(next++)] = value;
    }
    EXPECT_EQ(archive_from(to_metadata(archive)).options, archive.options);
}

TEST(ArchiveMetadata, ANewerFormatIsRefusedByNameWhateverElseItSays) {
    ArchiveMetadata metadata{{"format", "isogon"}, {"format_version", "2"}};
    expect_holds(fault_of(metadata),
                 {"format version 2; this isogon " + std::string(isogon_version()) + " reads up to 1; update isogon"});
    for (const char* bad : {"0", "-1", "1.0", "", "one", "99999999999999999999"}) {
        metadata["format_version"] = bad;
        expect_holds(fault_of(metadata), {"format_version", std::string("'") + bad + "'"});
    }
}

TEST(ArchiveMetadata, EveryEntryIsNeeded) {
    for (const char* key : {"format_version", "kind", "isogon_version", "method", "options"}) {
        ArchiveMetadata metadata = sample();
        metadata.erase(key);
        expect_holds(fault_of(metadata), {key, "missing"});
    }
    ArchiveMetadata metadata = sample();
    metadata.erase("notes");
    metadata["something-later"] = "x";
    EXPECT_TRUE(archive_from(metadata).notes.empty());
    metadata.erase("bits_version");  // files of earlier versions have none
    EXPECT_EQ(archive_from(metadata).bits, 0);
}

TEST(ArchiveMetadata, WhatIsogonCannotHaveWrittenIsNamed) {
    expect_holds(fault_with("kind", "Model"), {"kind", "'Model'", "checkpoint"});
    expect_holds(fault_with("method", "a b"), {"method", "'a b'"});
    expect_holds(fault_with("method", ""), {"method"});
    expect_holds(fault_with("bits_version", "-1"), {"bits_version", "'-1'"});
    expect_holds(fault_with("isogon_version", "\x1b[2J"), {"isogon_version", "'?[2J'"});
    for (const char* options :
         {"", "[]", "1", "{", "{\"a\":1,\"a\":1}", R"({"a":{}})", R"({"a":[]})", R"({"a b":1})", R"({"":1})",
          R"({"a":9223372036854775808})", R"({"a":"\u001b"})", R"({"a":"\u007f"})", R"({"a":1e999})"}) {
        static_cast<void>(fault_with("options", options));
    }
    for (const char* notes : {"", "[]", R"({"a":1})", R"({"a":null})", R"({"a":"\n"})", R"({"a b":""})"}) {
        static_cast<void>(fault_with("notes", notes));
    }
}

TEST(ArchiveMetadata, WhatCannotBeReadIsNotWritten) {
    Archive archive;
    expect_holds(refusal(archive), {"method"});
    archive.method = "svd";
    archive.options["x"] = std::nan("");
    expect_holds(refusal(archive), {"x = nan", "finite"});
    archive.options["x"] = std::string("\xff");
    expect_holds(refusal(archive), {"options", "UTF-8"});
    archive.options["x"] = std::string("\n");
    expect_holds(refusal(archive), {"x", "control"});
    archive.options = {{"a b", true}};
    expect_holds(refusal(archive), {"'a b'"});
    archive.options.clear();
    archive.notes = {{"file", "\xff"}};
    expect_holds(refusal(archive), {"notes", "UTF-8"});
    archive.notes = {{"file", "a\tb"}};
    expect_holds(refusal(archive), {"note file", "control"});
    archive.notes = {{"a/b", ""}};
    expect_holds(refusal(archive), {"'a/b'"});
}

TEST(ArchiveMetadata, ChecksumsHaveEightDigits) {
    EXPECT_EQ(checksum_text(0), "00000000");
    EXPECT_EQ(checksum_text(0x0123abcd), "0123abcd");
    EXPECT_EQ(checksum_text(0xffffffff), "ffffffff");
}

TEST(ArchiveMetadata, TheChecksumIsFoundWhereItIsAKey) {
    std::string text = R"({"a":"crc32","b":"\"crc32\":\"01234567\"","crc32" : "89abcdef","c":"76543210"})";
    EXPECT_EQ(text.substr(checksum_position(text), 8), "89abcdef");
    EXPECT_EQ(take_checksum(text), "89abcdef");
    EXPECT_EQ(text, R"({"a":"crc32","b":"\"crc32\":\"01234567\"","crc32" : "00000000","c":"76543210"})");
    for (std::string bad : {R"({})", R"({"crc32":"0123456"})", R"({"crc32":"012345678"})", R"({"crc32":"0123456A"})",
                            R"({"crc32":"01234567)", R"({"crc32")", R"({"crc32":)", R"({"crc32":12345678})"}) {
        EXPECT_EQ(take_checksum(bad), std::nullopt) << bad;
    }
}

}  // namespace
}  // namespace isogon::archive_metadata_test
