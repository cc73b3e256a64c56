#include "isogon/io/archive_file.hpp"

#include <cmath>
#include <limits>

#include "io/files.hpp"
#include "io/safetensors.hpp"
#include "io/safetensors_bytes.hpp"

namespace isogon::archive_file_test {
namespace {

using namespace test;

void expect_same(const Archive& a, const Archive& b) {
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.method, b.method);
    EXPECT_EQ(a.options, b.options);
    EXPECT_EQ(a.notes, b.notes);
    ASSERT_EQ(a.arrays.size(), b.arrays.size());
    for (const auto& [name, array] : a.arrays) {
        ASSERT_TRUE(b.has(name)) << name;
        EXPECT_EQ(array.shape, b.arrays.at(name).shape) << name;
        EXPECT_EQ(array.values.index(), b.arrays.at(name).values.index()) << name;
        // Compares bytes: 0.0 == -0.0.
        const auto& other = b.arrays.at(name).values;
        EXPECT_EQ(std::visit([](const auto& list) { return packed(list); }, array.values),
                  std::visit([](const auto& list) { return packed(list); }, other))
            << name;
    }
}

TEST(ArchiveFile, TheBytesAreThoseOfTheFormat) {
    const TemporaryFolder folder;
    Archive archive;
    archive.method = "svd";
    archive.options = {{"center", true}, {"shift", 0.5}};
    archive.add("small", std::vector<float>{1, 2, 3});
    archive.add("wide", Array{{1, 2}, std::vector<double>{4, 5}});
    archive.add_count("n", 6);
    write_archive(folder / "x.safetensors", archive);

    // The ten lines: metadata and tensors as JSON, widest first, then by name; spaces up to a multiple of 64.
    std::string header = R"({"__metadata__":{"bits_version":")" + std::to_string(bits_version) +
                         R"(","crc32":"00000000","format":"isogon","format_version":"1","isogon_version":")" +
                         std::string(isogon_version()) +
                         R"(","kind":"model","method":"svd","options":"{\"center\":true,\"shift\":0.5}"},)"
                         R"("n":{"dtype":"U64","shape":[],"data_offsets":[0,8]},)"
                         R"("wide":{"dtype":"F64","shape":[1,2],"data_offsets":[8,24]},)"
                         R"("small":{"dtype":"F32","shape":[3],"data_offsets":[24,36]}})";
    while ((8 + header.size()) % 64 != 0) {
        header += ' ';
    }
    const std::string data = packed<std::uint64_t>({6}) + packed<double>({4, 5}) + packed<float>({1, 2, 3});
    EXPECT_EQ(bytes_of(folder / "x.safetensors"), with_checksum(safetensors(header, data)));
}

TEST(ArchiveFile, EverythingRoundTripsBitForBit) {
    const TemporaryFolder folder;
    const Archive written = sample_archive();
    for (const char* name : {"x.safetensors", "x.safetensors.gz"}) {
        write_archive(folder / name, written);
        const Archive read = read_archive(folder / name);
        expect_same(read, written);
        EXPECT_EQ(read.version, 1);
        EXPECT_EQ(read.writer, isogon_version());
        EXPECT_EQ(read.bits, bits_version);
        EXPECT_TRUE(std::signbit(std::get<double>(read.options.at("minus-zero"))));
        EXPECT_EQ(read.source, (folder / name).string());
    }
}

TEST(ArchiveFile, AnArchiveWithoutArraysIsOne) {
    const TemporaryFolder folder;
    Archive written;
    written.method = "svd";
    write_archive(folder / "x.safetensors", written);
    expect_same(read_archive(folder / "x.safetensors"), written);
}

TEST(ArchiveFile, FilesOfOtherWritersWithSpacesAndAnotherOrderAreRead) {
    const TemporaryFolder folder;
    const std::string header = R"({ "a" : {"data_offsets": [4, 12], "shape": [1], "dtype": "F64"},
        "b" : {"dtype":"U32","shape":[1],"data_offsets":[0,4]},
        "__metadata__": {"method": "tsm", "kind": "model", "options": "{ }", "isogon_version": "0.1.0",
        "later": "yes", "format_version": "1", "format": "isogon", "crc32": "00000000"}})";
    const fs::path path =
        folder.file("x", with_checksum(safetensors(header, packed<std::uint32_t>({7}) + packed<double>({0.5}))));
    const Archive archive = read_archive(path);
    EXPECT_EQ(archive.numbers<double>("a", {1}).front(), 0.5);
    EXPECT_EQ(archive.numbers<std::uint32_t>("b", {1}).front(), 7U);
}

TEST(ArchiveFile, NumbersStayInTheFileWhereThatIsAskedForAndPossible) {
    const TemporaryFolder folder;
    Archive written = sample_archive();
    written.add("inputs", Array{{3, 2}, std::vector<float>{1, 2, -0.0F, 4, 5, 6}});
    const auto wide = written.arrays.size();
    for (const char* name : {"x.safetensors", "x.safetensors.gz"}) {
        const fs::path path = folder / name;
        write_archive(path, written);
        const bool plain = path.extension() == ".safetensors";
        const Archive mapped = read_archive(path, {"inputs", "no such array"});
        EXPECT_EQ(std::holds_alternative<MappedFloats>(mapped.array("inputs").values), plain) << name;
        for (const auto& array : describe_archive(path).arrays) {
            EXPECT_EQ(array.can_be_mapped, plain && array.scalar == "float32" && array.name != "nothing") << array.name;
        }
        const std::span<const float> numbers = mapped.floats("inputs", {3, 2});
        EXPECT_EQ(packed(std::vector<float>(numbers.begin(), numbers.end())),
                  packed(written.numbers<float>("inputs", {3, 2})));
        EXPECT_EQ(mapped.points("inputs")[2][1], 6.0F);
        EXPECT_THROW((void)mapped.floats("inputs", {2, 3}), InputError);
        EXPECT_EQ(mapped.arrays.size(), wide);
        // A mapped archive can be written again, also in place of the file that it lies in.
        write_archive(path, mapped, {.overwrite = true});
        EXPECT_EQ(mapped.floats("inputs", {3, 2})[5], 6.0F);
        Archive again = read_archive(path);
        again.source = written.source;
        expect_same(again, written);
    }
}

TEST(ArchiveFile, NumbersThatAreNotAlignedAreCopied) {
    const TemporaryFolder folder;
    const std::string header = R"({"a":{"data_offsets":[0,8],"shape":[2],"dtype":"F32"},
        "__metadata__":{"method":"tsm","kind":"model","options":"{}","isogon_version":"0.1.0",
        "format_version":"1","format":"isogon","crc32":"00000000"}})";
    for (std::size_t spaces = 0; spaces < 4; ++spaces) {
        const std::string text = header + std::string(spaces, ' ');
        const fs::path path =
            folder.file("x" + std::to_string(spaces), with_checksum(safetensors(text, packed<float>({1.5F, -2.0F}))));
        const Archive archive = read_archive(path, {"a"});
        EXPECT_EQ(std::holds_alternative<MappedFloats>(archive.array("a").values), (8 + text.size()) % 4 == 0);
        EXPECT_EQ(archive.floats("a", {2})[1], -2.0F);
    }
}

TEST(ArchiveFile, DamagedNumbersAreRefusedBeforeTheyAreMapped) {
    const TemporaryFolder folder;
    Archive written = sample_archive();
    written.add("inputs", Array{{2, 1}, std::vector<float>{1, 2}});
    write_archive(folder / "x.safetensors", written);
    std::string bytes = bytes_of(folder / "x.safetensors");
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    EXPECT_THROW((void)read_archive(folder.file("y.safetensors", bytes), {"inputs"}), InputError);
}

TEST(ArchiveFile, NothingIsReplacedUnasked) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x.safetensors", "old");
    const std::string message = message_of<OutputError>([&] {
        write_archive(path, sample_archive());
        return 0;
    });
    expect_holds(message, {"x.safetensors", "already exists"});
    EXPECT_EQ(bytes_of(path), "old");
    write_archive(path, sample_archive(), {.overwrite = true});
    EXPECT_EQ(read_archive(path).method, "tsm");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(ArchiveFile, ANameThatDoesNotSayWhatItIsIsRefused) {
    const TemporaryFolder folder;
    for (const char* name : {"model.npy", "model", "safetensors", "model.safetensors.npy"}) {
        EXPECT_THROW(write_archive(folder / name, sample_archive()), OutputError) << name;
        EXPECT_THROW(require_writable_archive(folder / name), OutputError) << name;
    }
    EXPECT_NO_THROW(require_writable_archive(folder / "x.safetensors"));
    EXPECT_THROW(require_writable_archive(folder / "none/x.safetensors"), OutputError);
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(ArchiveFile, WhatCouldNotBeReadIsNotWritten) {
    const TemporaryFolder folder;
    const fs::path path = folder / "x.safetensors";
    Archive archive = sample_archive();
    archive.arrays["bad"] = Array{{2}, std::vector<float>{1, std::numeric_limits<float>::quiet_NaN()}};
    EXPECT_THROW(write_archive(path, archive), InvalidArgument);
    archive.arrays["bad"] = Array{{2}, std::vector<float>{1}};
    EXPECT_THROW(write_archive(path, archive), InvalidArgument);
    archive.arrays.erase("bad");
    archive.arrays["not a name"] = Array{{}, std::vector<float>{1}};
    EXPECT_THROW(write_archive(path, archive), InvalidArgument);
    archive.arrays.erase("not a name");
    archive.notes["long"] = std::string(std::size_t{1024} * 1024, 'x');
    EXPECT_THROW(write_archive(path, archive), InvalidArgument);
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(ArchiveFile, ADescriptionHoldsAllButTheArrays) {
    const TemporaryFolder folder;
    const fs::path path = folder / "x.safetensors";
    write_archive(path, sample_archive());
    const ArchiveInfo info = describe_archive(path);
    EXPECT_EQ(info.file_bytes, fs::file_size(path));
    EXPECT_FALSE(info.gzip);
    EXPECT_EQ(info.archive.options, sample_archive().options);
    EXPECT_EQ(info.archive.arrays.size(), 2U);
    EXPECT_EQ(info.archive.number("tau"), sample_archive().number("tau"));
    EXPECT_EQ(info.archive.count("seed"), sample_archive().count("seed"));
    std::string list;
    for (const ArrayInfo& array : info.arrays) {
        list += array.name + " " + array.scalar + " " + shape_name(array.shape) + "; ";
    }
    EXPECT_EQ(list,
              "seed uint64 (); tau float64 (); weights float64 (2); coordinates float32 (2, 3); "
              "nothing float32 (0, 4); rows uint32 (3); ");
}

TEST(ArchiveFile, IsKnownByNameAndByContent) {
    const TemporaryFolder folder;
    EXPECT_TRUE(is_archive_file(folder / "missing.safetensors"));
    EXPECT_TRUE(is_archive_file(folder / "missing.safetensors.gz"));
    EXPECT_FALSE(is_archive_file(folder / "missing"));
    EXPECT_FALSE(is_archive_file(folder.path()));
    EXPECT_TRUE(is_archive_file(folder.file("model", model_bytes())));
    EXPECT_TRUE(is_archive_file(folder.file("packed", gzip(model_bytes()))));
    EXPECT_FALSE(is_archive_file(folder.file("x.npy", npy("<f4", "(1, 1)", packed<float>({1})))));
    EXPECT_FALSE(is_archive_file(folder.file("empty", "")));
    EXPECT_FALSE(is_archive_file(folder.file("short", "1")));
}

}  // namespace
}  // namespace isogon::archive_file_test
