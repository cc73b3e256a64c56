#include <limits>

#include "isogon/io/dataset.hpp"
#include "isogon/io/output.hpp"
#include "unit/io/files.hpp"

namespace isogon {
namespace {

using namespace test;

TEST(LabelOutput, EveryFormatReadsBack) {
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

TEST(LabelOutput, WhatCannotBeHeldIsRefused) {
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

TEST(LabelOutput, OverwritesOnlyWhenAsked) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x.txt", "9\n");
    const std::vector<std::int64_t> labels{1};
    EXPECT_THROW(write_labels(path, labels), OutputError);
    write_labels(path, labels, {.overwrite = true});
    EXPECT_EQ(bytes_of(path), "1\n");
}

}  // namespace
}  // namespace isogon
