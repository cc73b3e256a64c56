#include "isogon/io/npz_file.hpp"

#include "io/array_reader.hpp"
#include "io/npy.hpp"
#include "io/zip_file.hpp"
#include "unit/io/files.hpp"

namespace isogon::npz_file_test {
namespace {

using namespace test;

std::vector<double> numbers_of(const ZipFile& zip, const std::string& name, std::vector<std::uint64_t>& shape) {
    const auto stream = zip.open(name);
    const ArrayLayout layout = read_npy_header(*stream);
    shape = layout.shape;
    std::vector<double> all;
    for_each_double(*stream, layout, [&](std::span<const double> values, std::uint64_t) {
        all.insert(all.end(), values.begin(), values.end());
    });
    return all;
}

TEST(NpzFile, ArraysAreReadBackTypesAndShapesToo) {
    const TemporaryFolder folder;
    write_npz(folder / "x.npz", {{"weights", {{2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6.5F}}},
                                 {"bias", {{2}, std::vector<double>{0.1, -2}}}});
    const ZipFile zip(folder / "x.npz");
    std::vector<std::uint64_t> shape;
    EXPECT_EQ(numbers_of(zip, "weights.npy", shape), (std::vector<double>{1, 2, 3, 4, 5, 6.5}));
    EXPECT_EQ(shape, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(numbers_of(zip, "bias.npy", shape), (std::vector<double>{0.1, -2}));
    EXPECT_EQ(shape, (std::vector<std::uint64_t>{2}));
}

TEST(NpzFile, TheSameContentGivesTheSameBytes) {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::string, Array>> arrays{{"a", {{1}, std::vector<double>{3}}}};
    write_npz(folder / "x.npz", arrays);
    write_npz(folder / "y.npz", arrays);
    EXPECT_EQ(bytes_of(folder / "x.npz"), bytes_of(folder / "y.npz"));
}

TEST(NpzFile, RefusesWhatItCannotWriteAndLeavesNothing) {
    const TemporaryFolder folder;
    const Array one{{1}, std::vector<double>{1}};
    expect_holds(message_of<OutputError>([&] { write_npz(folder / "x.zip", {{"a", one}}); }), {"x.zip", ".npz"});
    expect_holds(message_of<InvalidArgument>([&] {
                     write_npz(folder / "x.npz", {{"a", one}, {"a", one}});
                 }),
                 {"twice"});
    expect_holds(message_of<InvalidArgument>([&] {
                     write_npz(folder / "x.npz", {{"a", {{2}, std::vector<double>{1}}}});
                 }),
                 {"a"});
    write_npz(folder / "x.npz", {{"a", one}});
    expect_holds(message_of<OutputError>([&] { write_npz(folder / "x.npz", {{"a", one}}); }), {"x.npz"});
    EXPECT_EQ(folder.entries(), 1U);
}

}  // namespace
}  // namespace isogon::npz_file_test
