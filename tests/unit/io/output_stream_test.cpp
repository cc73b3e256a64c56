#include "io/output_stream.hpp"

#include "io/byte_stream.hpp"
#include "isogon/core/random.hpp"
#include "unit/io/files.hpp"

namespace isogon::output_stream_test {
namespace {

using namespace test;

TEST(OutputFormat, WhatIsSaidGoesBeforeTheName) {
    EXPECT_EQ(format_to_write("x.npy", {}), Format::Npy);
    EXPECT_EQ(format_to_write("x.npy", {.format = Format::Fvecs}), Format::Fvecs);
    EXPECT_EQ(format_to_write("x", {.format = Format::Csv}), Format::Csv);
}

TEST(OutputFormat, ANameThatTellsNothingIsRefused) {
    expect_holds(message_of<OutputError>([] { (void)format_to_write("x.xyz", {}); }), {"x.xyz", ".npy"});
}

/// Bytes that do not pack, so that the packer's buffer overflows.
std::string noise(std::size_t size) {
    std::string bytes;
    for (std::uint64_t i = 0; i < size; ++i) {
        bytes += static_cast<char>(Random(3, RandomStream::Test, i).bits());
    }
    return bytes;
}

void write(const fs::path& path, const std::string& bytes, std::size_t step) {
    OutputStream out(path, false);
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        out.write(std::string_view(bytes).substr(at, step));
    }
    out.commit();
}

TEST(OutputStream, PacksWhatIsNamedGzAndOnlyThat) {
    const TemporaryFolder folder;
    const std::string bytes = noise(500000);
    for (const char* name : {"x", "x.gz"}) {
        write(folder / name, bytes, 1 + 70000);
        ByteStream back(folder / name);
        EXPECT_EQ(back.gzip(), std::string(name) == "x.gz");
        std::string read(bytes.size(), '\0');
        back.read(read, "all");
        EXPECT_EQ(read, bytes);
        EXPECT_NO_THROW(back.require_end());
    }
}

TEST(OutputStream, TheSameBytesMakeTheSameFile) {
    const TemporaryFolder folder;
    const std::string bytes = noise(100000);
    write(folder / "a.gz", bytes, 1000);
    write(folder / "b.gz", bytes, 1000);
    EXPECT_EQ(bytes_of(folder / "a.gz"), bytes_of(folder / "b.gz"));
}

TEST(OutputStream, WithoutCommitNothingIsLeft) {
    const TemporaryFolder folder;
    { OutputStream(folder / "x.gz", false).write("text"); }
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(OutputStream, APackedFileIsWholeBeforeItGetsItsName) {
    const TemporaryFolder folder;
    OutputStream out(folder / "x.gz", false);
    out.write("all of it");
    std::string seen;
    out.commit([&](const fs::path& whole) { seen = bytes_of(whole); });
    EXPECT_FALSE(seen.empty());
    EXPECT_EQ(bytes_of(folder / "x.gz"), seen);
}

}  // namespace
}  // namespace isogon::output_stream_test
