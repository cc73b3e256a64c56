#include "isogon/io/label_writer.hpp"

#include <limits>

#include "isogon/io/dataset.hpp"
#include "isogon/io/output.hpp"
#include "unit/io/files.hpp"

namespace isogon::label_writer_test {
namespace {

using namespace test;

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
}  // namespace isogon::label_writer_test
