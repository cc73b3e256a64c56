#include "io/npz_file.hpp"
#include "io/array_reader.hpp"
#include "io/files.hpp"
#include "io/matrix_formats.hpp"
#include "io/point_formats.hpp"
#include "io/zip_bytes.hpp"
#include "io/zip_file.hpp"

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

using Members = std::vector<std::pair<std::string, std::string>>;

CsrMatrix<double> read(const std::string& bytes) {
    const TemporaryFolder folder;
    return read_sparse_npz(folder.file("x.npz", bytes));
}

/// The members with one of them replaced.
Members with(Members members, const std::string& name, const std::string& content) {
    for (auto& [member, bytes] : members) {
        bytes = member == name ? content : bytes;
    }
    return members;
}

TEST(NpzPoints, AreTheArrayOfTwoAxesOrTheOneThatIsNamed) {
    const TemporaryFolder folder;
    const auto table = [](float first) { return Array{{2, 2}, std::vector<float>{first, 2, 3, 4}}; };
    write_npz(folder / "one.npz", {{"labels", {{2}, std::vector<double>{0, 1}}}, {"X", table(1)}});
    EXPECT_EQ(flat(read_points(folder / "one.npz").points), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(describe_file(folder / "one.npz").shape, (std::vector<std::uint64_t>{2, 2}));
    write_npz(folder / "two.npz", {{"train", table(1)}, {"test", table(7)}});
    EXPECT_EQ(flat(read_points(folder / "two.npz", {.vectors = "test"}).points), (std::vector<float>{7, 2, 3, 4}));
    expect_holds(message_of<InputError>([&] { (void)read_points(folder / "two.npz"); }),
                 {"two.npz", "train (2, 2), test (2, 2)", "vectors"});
    expect_holds(message_of<InputError>([&] { (void)read_points(folder / "two.npz", {.vectors = "valid"}); }),
                 {"none is called valid"});
    write_npz(folder / "none.npz", {{"a", {{2}, std::vector<double>{0, 1}}}});
    expect_holds(message_of<InputError>([&] { (void)read_points(folder / "none.npz"); }), {"holds a (2,)"});
    expect_holds(
        message_of<InputError>([&] { (void)read_points(folder.file("sparse.npz", zip(sparse_members("csr")))); }),
        {"sparse matrix", "isogon convert"});
}

TEST(SparseNpz, EveryFormatReadsAsTheSameMatrix) {
    const CsrMatrix<double> wanted = read(zip(sparse_members("csr")));
    EXPECT_EQ((std::pair{wanted.rows, wanted.columns}), (std::pair{2U, 3U}));
    EXPECT_EQ(wanted.indices, (std::vector<Index>{0, 2, 2}));
    EXPECT_EQ(wanted.values, (std::vector<double>{1, 2, 3}));
    for (const std::string format : {"csr", "csc", "coo"}) {
        for (const bool deflate : {false, true}) {
            const CsrMatrix<double> matrix = read(zip(sparse_members(format), {.deflate = deflate, .wide = deflate}));
            EXPECT_EQ(matrix.offsets, wanted.offsets) << format;
            EXPECT_EQ(matrix.indices, wanted.indices) << format;
            EXPECT_EQ(matrix.values, wanted.values) << format;
        }
    }
}

TEST(SparseNpz, TheHeadSaysWhatThereIs) {
    const TemporaryFolder folder;
    const SparseNpzHead head = read_sparse_npz_head(folder.file("x.npz", zip(sparse_members("csc"))));
    EXPECT_EQ(head.format, "csc");
    EXPECT_EQ(head.scalar, "float64");
    EXPECT_EQ((std::vector<std::uint64_t>{head.rows, head.columns, head.entries}),
              (std::vector<std::uint64_t>{2, 3, 3}));
}

TEST(SparseNpz, TextAsUnicodeAndColumnsOutOfOrderAreFine) {
    Members members =
        with(sparse_members("csr"), "format.npy", npy("<U3", "()", std::string("c\0\0\0s\0\0\0r\0\0\0", 12)));
    members = with(members, "indices.npy", npy("<i4", "(3,)", packed<std::int32_t>({2, 0, 2})));
    const CsrMatrix<double> matrix = read(zip(members));
    EXPECT_EQ(matrix.indices, (std::vector<Index>{0, 2, 2}));
    EXPECT_EQ(matrix.values, (std::vector<double>{2, 1, 3}));
}

TEST(SparseNpz, WhatDisagreesIsNamed) {
    const Members csr = sparse_members("csr");
    const auto list = [](const std::vector<std::int64_t>& numbers) {
        return npy("<i8", shape_text({numbers.size()}), packed<std::int64_t>(numbers));
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::tuple<std::string, std::string, std::vector<std::string>>> cases = {
        {"format.npy", test::npy_text("bsr"), {"bsr", "tocsr"}},
        {"format.npy", list({1}), {"format.npy", "text"}},
        {"shape.npy", list({2}), {"shape.npy", "two numbers"}},
        {"shape.npy", list({2, -3}), {"shape.npy", "two numbers"}},
        {"shape.npy", list({1LL << 40, 3}), {"1099511627776 x 3"}},
        {"indices.npy", list({0, 2, 3}), {"indices.npy", "entry 2", "below 3"}},
        {"indices.npy", list({0, -1, 2}), {"indices.npy", "entry 1", "-1"}},
        {"indices.npy", list({0, 2}), {"indices.npy", "holds 2", "3"}},
        {"indices.npy", list({}), {"indices.npy", "empty"}},
        {"indices.npy", list({2, 2, 2}), {"entry 1", "row 0, column 2", "entry 0"}},
        {"indices.npy", npy("<f8", "(3,)", packed<double>({0, 2, 2})), {"indices.npy", "whole"}},
        {"indptr.npy", list({0, 3}), {"indptr.npy", "3 numbers"}},
        {"indptr.npy", list({1, 2, 3}), {"indptr.npy", "first"}},
        {"indptr.npy", list({0, 2, 4}), {"indptr.npy", "end with", "3"}},
        {"indptr.npy", list({0, 4, 3}), {"indptr.npy", "number 1"}},
        {"indptr.npy", list({0, -1, 3}), {"indptr.npy", "number 1"}},
        {"data.npy", npy("<f8", "(3,)", packed<double>({1, nan, 3})), {"data.npy", "entry 1", "NaN"}},
        {"data.npy", npy("<c16", "(3,)", packed<double>({1, 2, 3, 4, 5, 6})), {"data.npy", "complex"}},
        {"data.npy", npy("<f8", "(3, 1)", packed<double>({1, 2, 3})), {"data.npy", "list"}},
        {"data.npy", npy("<f8", "(1000000000,)", packed<double>({1, 2, 3})), {"data.npy", "truncated"}},
    };
    for (const auto& [name, content, parts] : cases) {
        SCOPED_TRACE(name + " " + parts.back());
        expect_input_error([&, n = name, c = content] { read(zip(with(csr, n, c))); }, parts);
    }
    expect_input_error([&] { read(zip({csr.begin(), csr.begin() + 3})); }, {"x.npz", "no member shape.npy"});
    expect_input_error([&] { read(zip({{"weights.npy", list({1})}})); }, {"no member format.npy"});
}

CsrMatrix<double> sample() {
    return {.rows = 4,
            .columns = 70000,
            .offsets = {0, 2, 2, 3, 5},
            .indices = {0, 69999, 5, 1, 2},
            .values = {1e-300, -0.1, 3, 4, 1e300}};
}

TEST(SparseNpzWriter, SidesBeyondInt32AreWideNumbers) {
    const TemporaryFolder folder;
    const CsrMatrix<double> wide{
        .rows = 1, .columns = 4000000000U, .offsets = {0, 1}, .indices = {3999999999U}, .values = {2}};
    write_sparse_npz(folder / "x.npz", wide, {});
    const ZipFile zip(folder / "x.npz");  // read_sparse_npz() refuses a matrix that is nearly all empty columns
    const auto indices = zip.open("indices.npy");
    const ArrayLayout layout = read_npy_header(*indices);
    EXPECT_EQ(layout.scalar, ScalarType::Int64);
    EXPECT_EQ(read_integers(*indices, layout), (std::vector<std::int64_t>{3999999999}));
}

TEST(SparseNpzWriter, NothingIsOverwrittenUnasked) {
    const TemporaryFolder folder;
    write_sparse_npz(folder / "x.npz", sample(), {});
    EXPECT_EQ(read_sparse_npz_head(folder / "x.npz").scalar, "float64");
    EXPECT_THROW(write_sparse_npz(folder / "x.npz", sample(), {}), OutputError);
}

}  // namespace

}  // namespace isogon::npz_file_test
