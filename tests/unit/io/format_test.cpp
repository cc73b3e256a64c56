#include "isogon/io/format.hpp"

#include <array>

#include "unit/io/files.hpp"

namespace isogon::format_test {
namespace {

using namespace test;

constexpr std::array<Format, 9> kAll = {Format::Npy,   Format::Csv,      Format::Tsv,
                                        Format::Idx,   Format::Fvecs,    Format::Bvecs,
                                        Format::Ivecs, Format::WordText, Format::WordBinary};

TEST(Format, NamesReadBack) {
    for (const Format format : kAll) {
        EXPECT_EQ(parse_format(name(format)), format);
    }
}

TEST(Format, AnUnknownNameIsToldWhatThereIs) {
    const std::string message = message_of<InvalidArgument>([] { static_cast<void>(parse_format("xls")); });
    expect_holds(message, {"format = xls"});
    for (const Format format : kAll) {
        expect_holds(message, {std::string(name(format))});
    }
}

TEST(Format, IsKnownByTheEndOfTheName) {
    const std::vector<std::pair<const char*, std::optional<Format>>> cases = {
        {"x.npy", Format::Npy},
        {"x.NPY", Format::Npy},
        {"a.b/x.csv", Format::Csv},
        {"x.csv.gz", Format::Csv},
        {"x.tsv", Format::Tsv},
        {"x.fvecs", Format::Fvecs},
        {"x.bvecs.gz", Format::Bvecs},
        {"x.ivecs", Format::Ivecs},
        {"x.vec.gz", Format::WordText},
        {"x.bin", Format::WordBinary},
        {"train-images-idx3-ubyte.gz", Format::Idx},
        {"train-images-idx3-ubyte", Format::Idx},
        {"pictures-idx9-double", Format::Idx},
        {"x.idx", Format::Idx},
        {"x-float.gz", Format::Idx},
        {"idx0-x", std::nullopt},
        {"idx-idx3", std::nullopt},
        {"x.idx3", std::nullopt},
        {"x.txt", std::nullopt},
        {"x.word2vec", std::nullopt},
        {"x", std::nullopt},
        {"x.gz", std::nullopt},
        {"", std::nullopt},
        {".npy/x", std::nullopt},
    };
    for (const auto& [file, format] : cases) {
        EXPECT_EQ(format_from_name(file), format) << file;
    }
}

}  // namespace
}  // namespace isogon::format_test
