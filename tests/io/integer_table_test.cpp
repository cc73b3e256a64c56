#include "io/integer_table.hpp"

#include <limits>

#include "io/files.hpp"
#include "io/npy_bytes.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/output.hpp"

namespace isogon::integer_table_test {
namespace {

using namespace test;

std::vector<std::int64_t> wide(const std::vector<std::uint32_t>& values) {
    return {values.begin(), values.end()};
}

TEST(IntegerTable, EveryFormatReadsBack) {
    const TemporaryFolder folder;
    const std::vector<std::uint32_t> values{0, 1, 2147483647, 16777217, 7, 0};
    for (const std::string name : {"a.npy", "a.csv", "a.tsv", "a.ivecs", "a.npy.gz", "a.csv.gz"}) {
        require_writable_integers(folder / name);
        write_integer_table(folder / name, values, 3);
        const IntegerTable table = read_integer_table(folder / name);
        EXPECT_EQ(table.rows, 2U) << name;
        EXPECT_EQ(table.columns, 3U) << name;
        EXPECT_EQ(table.values, wide(values)) << name;
    }
}

TEST(IntegerTable, NumbersBeyondInt32TakeTheWideType) {
    const TemporaryFolder folder;
    const std::vector<std::uint32_t> values{1, 4294967295U};
    for (const std::string name : {"a.npy", "a.csv"}) {
        write_integer_table(folder / name, values, 2);
        EXPECT_EQ(read_integer_table(folder / name).values, wide(values)) << name;
    }
    expect_holds(message_of<InvalidArgument>([&] { write_integer_table(folder / "a.ivecs", values, 2); }),
                 {"4294967295", ".ivecs"});
    EXPECT_EQ(folder.entries(), 2U);
}

TEST(IntegerTable, OneColumnMayBeAnArrayOfOneAxis) {
    const TemporaryFolder folder;
    const auto path = folder.file("a.npy", npy_start("{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }") +
                                               packed<std::int16_t>({4, -1, 9}));
    const IntegerTable table = read_integer_table(path);
    EXPECT_EQ(table.columns, 1U);
    EXPECT_EQ(table.values, (std::vector<std::int64_t>{4, -1, 9}));
}

TEST(IntegerTable, WhatHoldsNoWholeNumbersIsRefused) {
    const TemporaryFolder folder;
    const auto floats = folder.file(
        "f.npy", npy_start("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }") + packed<float>({1.0F}));
    expect_holds(message_of<InputError>([&] { (void)read_integer_table(floats); }), {"f.npy", "float32", "whole"});
    const auto fortran = folder.file("g.npy", npy_start("{'descr': '<i4', 'fortran_order': True, 'shape': (1, 2), }") +
                                                  packed<std::int32_t>({1, 2}));
    expect_holds(message_of<InputError>([&] { (void)read_integer_table(fortran); }), {"Fortran", "ascontiguousarray"});
    expect_holds(message_of<InputError>([&] { (void)read_integer_table(folder.file("a.csv", "1,2\n3\n")); }),
                 {"a.csv", "line 2", "1 columns"});
    expect_holds(message_of<InputError>([&] { (void)read_integer_table(folder.file("b.csv", "1,x\n")); }),
                 {"line 1", "whole number"});
    expect_holds(message_of<InputError>([&] { (void)read_integer_table(folder.file("c.vec", "1 1\na 0.5\n")); }),
                 {"c.vec", "no whole numbers"});
    expect_holds(message_of<InputError>([&] { (void)read_integer_table(folder.file("d.csv", "")); }), {"d.csv"});
}

TEST(IntegerTable, WhatCannotBeWrittenIsRefused) {
    const TemporaryFolder folder;
    const std::vector<std::uint32_t> values{1, 2, 3};
    expect_holds(message_of<OutputError>([&] { require_writable_integers(folder / "a.fvecs"); }), {"a.fvecs", ".npy"});
    expect_holds(message_of<InvalidArgument>([&] { write_integer_table(folder / "a.npy", values, 2); }), {"columns"});
    expect_holds(message_of<InvalidArgument>([&] { write_integer_table(folder / "a.npy", values, 0); }), {"columns"});
    write_integer_table(folder / "a.npy", values, 3);
    EXPECT_THROW(write_integer_table(folder / "a.npy", values, 3), OutputError);
    EXPECT_NO_THROW(write_integer_table(folder / "a.npy", values, 3, {.format = {}, .overwrite = true}));
}

TEST(LabelWriter, EveryFormatReadsBack) {
    const TemporaryFolder folder;
    const std::vector<std::int64_t> small{0, 255, 7};
    const std::vector<std::int64_t> wide{-1, std::numeric_limits<std::int64_t>::max(),
                                         std::numeric_limits<std::int64_t>::min()};
    for (const std::string name : {"a.npy", "a.csv", "a.tsv", "a.txt", "a.txt.gz", "a.npy.gz"}) {
        write_labels(folder / name, wide);
        EXPECT_EQ(read_labels(folder / name), wide) << name;
    }
    for (const std::string name : {"b-idx1-ubyte", "b-idx1-ubyte.gz", "b.idx"}) {
        write_labels(folder / name, small);
        EXPECT_EQ(read_labels(folder / name), small) << name;
    }
}

TEST(LabelWriter, WhatCannotBeHeldIsRefused) {
    const TemporaryFolder folder;
    const std::vector<std::int64_t> labels{0, 256};
    expect_holds(message_of<InvalidArgument>([&] { write_labels(folder / "x.idx", labels); }),
                 {"labels = 256 of row 1", "0 to 255"});
    expect_holds(message_of<InvalidArgument>([&] { write_labels(folder / "x.npy", {}); }),
                 {"labels = 0", "at least one"});
    expect_holds(message_of<OutputError>([&] { write_labels(folder / "x.fvecs", labels); }), {"x.fvecs", ".npy"});
    expect_holds(message_of<OutputError>([&] { write_labels(folder / "x", labels); }), {"x", ".npy"});
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(LabelWriter, OverwritesOnlyWhenAsked) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x.txt", "9\n");
    const std::vector<std::int64_t> labels{1};
    EXPECT_THROW(write_labels(path, labels), OutputError);
    write_labels(path, labels, {.overwrite = true});
    EXPECT_EQ(bytes_of(path), "1\n");
}

TEST(LabelWriter, AnyBlocksMakeTheSameFileAndFewerAWholeOne) {
    const TemporaryFolder folder;
    const std::vector<std::int64_t> labels{7, 8, 9, 10, 11};
    for (const std::string name : {"a.npy", "a.txt", "a.txt.gz", "a.npy.gz", "a.idx", "a.idx.gz"}) {
        for (const bool whole : {true, false}) {
            LabelWriter writer(folder / name, 5, {.format = {}, .overwrite = true});
            EXPECT_FALSE(writer.can_end_early());
            writer.write(std::span(labels).first(1));
            writer.write(std::span(labels).subspan(1, whole ? 4 : 2));
            if (!writer.can_end_early()) {
                EXPECT_TRUE(!whole && (name == "a.npy.gz" || name == "a.idx.gz")) << name;
                expect_holds(message_of<OutputError>([&] { writer.commit(); }), {name, "3 of 5"});
                continue;
            }
            writer.commit();
            const auto count = static_cast<std::ptrdiff_t>(whole ? 5 : 3);
            EXPECT_EQ(read_labels(folder / name), std::vector(labels.begin(), labels.begin() + count)) << name;
        }
    }
}

TEST(LabelWriter, RefusesNoneAndMoreThanPromised) {
    const TemporaryFolder folder;
    EXPECT_THROW(LabelWriter(folder / "x.npy", 0), InvalidArgument);
    LabelWriter writer(folder / "x.npy", 1);
    expect_holds(message_of<InvalidArgument>([&] {
                     writer.write(std::vector<std::int64_t>{1, 2});
                 }),
                 {"labels = 2", "at most 1 more"});
}

}  // namespace
}  // namespace isogon::integer_table_test
