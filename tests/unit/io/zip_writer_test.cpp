#include "io/zip_writer.hpp"

#include <zlib.h>

#include "io/npy.hpp"
#include "io/zip_file.hpp"
#include "unit/io/files.hpp"

namespace isogon::zip_writer_test {
namespace {

using namespace test;

std::uint32_t crc32_of(const std::string& bytes) {
    return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

TEST(ZipWriter, WhatIsWrittenIsReadBack) {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::string, std::string>> members = {
        {"a.npy", "one"}, {"empty", ""}, {"long.npy", std::string(300000, 'x')}};
    OutputStream out(folder / "x.npz", false);
    ZipWriter writer(out);
    for (const auto& [name, bytes] : members) {
        writer.begin_member("x.npz", name, bytes.size(), crc32_of(bytes));
        out.write(bytes);
    }
    writer.finish();
    out.commit();
    const ZipFile file(folder / "x.npz");
    ASSERT_EQ(file.members().size(), members.size());
    for (const auto& [name, bytes] : members) {
        std::vector<char> read;
        const auto stream = file.open(name);
        stream->read(read, bytes.size(), "all");
        stream->require_end();
        EXPECT_EQ(std::string(read.begin(), read.end()), bytes) << name;
    }
}

TEST(ZipWriter, FourGigabytesAreTooMany) {
    const TemporaryFolder folder;
    OutputStream out(folder / "x.npz", false);
    ZipWriter writer(out);
    expect_holds(message_of<OutputError>([&] { writer.begin_member("x.npz", "W.npy", 1ULL << 32U, 0); }),
                 {"x.npz", "W.npy", "4 GB"});
    expect_holds(message_of<OutputError>([&] { writer.begin_member("x.npz", "W.npy", (1ULL << 32U) - 50, 0); }),
                 {"4 GB"});
}

TEST(NpzMember, IsItsHeadAndItsNumbers) {
    const TemporaryFolder folder;
    const std::string head = npy_header(ScalarType::Float64, {3});
    {
        OutputStream out(folder / "x.npz", false);
        ZipWriter zip(out);
        write_npz_member(out, zip, "x.npz", "some", head, std::vector<double>{1, 2, 3});
        write_npz_member(out, zip, "x.npz", "text", isogon::npy_text("word"), {});
        zip.finish();
        out.commit();
    }
    const ZipFile zip(folder / "x.npz");
    const auto some = zip.open("some.npy");
    EXPECT_EQ(read_npy_header(*some).shape, (std::vector<std::uint64_t>{3}));
    EXPECT_EQ(some->position(), head.size());
    std::string numbers(3 * sizeof(double), '\0');
    some->read(numbers, "numbers");
    some->require_end();  // where the checksum is compared
    EXPECT_EQ(read_npy_text(*zip.open("text.npy")), "word");
}

}  // namespace
}  // namespace isogon::zip_writer_test
