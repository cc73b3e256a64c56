#include "io/column_names.hpp"

#include "io/files.hpp"
#include "isogon/io/archive_file.hpp"

namespace isogon::column_names_test {
namespace {

using namespace test;
using Names = std::vector<std::string>;
using Places = std::vector<std::size_t>;

Places places(const Names& given, const Names& wanted) {
    return places_of(given, {wanted, "the model"}, "x.csv");
}

TEST(ColumnNames, APermutationIsPutRight) {
    EXPECT_EQ(places({"b", "c", "a"}, {"a", "b", "c"}), (Places{1, 2, 0}));
    EXPECT_EQ(places({"x1", "x0"}, {"x0", "x1"}), (Places{1, 0}));
    EXPECT_TRUE(places({"a", "b"}, {"a", "b"}).empty());
    EXPECT_TRUE(places({"a", "a"}, {"a", "a"}).empty());
}

TEST(ColumnNames, NamesOfOneSideOrThatOnlyCountSayNothing) {
    EXPECT_TRUE(places({}, {"a", "b"}).empty());
    EXPECT_TRUE(places({"a", "b"}, {}).empty());
    for (const Names& counted : {Names{"x0", "x1"}, {"0", "1"}, {"1", "2"}, {"x1", "x2"}}) {
        EXPECT_TRUE(only_count(counted));
        EXPECT_TRUE(places(counted, {"a", "b"}).empty());
        EXPECT_TRUE(places({"a", "b"}, counted).empty());
    }
    EXPECT_FALSE(only_count({"x0", "x2"}));
    EXPECT_FALSE(only_count({"a"}));
    EXPECT_FALSE(only_count({}));
}

TEST(ColumnNames, OtherNamesAreRefusedByName) {
    expect_input_error(
        [] {
            places({"b", "d"}, {"a", "b"});
        },
        {"x.csv", "the model", "missing \"a\"", "unexpected \"d\"", "skip-column"});
    expect_input_error([] { places({"a", "b", "c"}, {"a", "b"}); }, {"unexpected \"c\""});
    expect_input_error([] { places({"a"}, {"a", "b"}); }, {"missing \"b\""});
    expect_input_error([] { places({"a", "b", "a"}, {"a", "a", "b"}); }, {"several"});
    Names many;
    for (int column = 0; column < 9; ++column) {
        many.push_back("c" + std::to_string(column));
    }
    expect_input_error([&] { places({"a"}, many); }, {"\"c0\", \"c1\", \"c2\", \"c3\", \"c4\" and 4 more"});
}

TEST(ColumnNames, AnArchiveKeepsThem) {
    const TemporaryFolder folder;
    const Names names{"length", "", "a,b", "\xc3\xa9\n", "\xff"};
    Archive archive{.kind = ArchiveKind::Model, .method = "pca"};
    EXPECT_TRUE(column_names_in(archive, 5).empty());
    add_column_names(archive, names);
    const auto path = folder.path() / "m.safetensors";
    write_archive(path, archive);
    const ColumnNames read = column_names_in(read_archive(path), 5);
    EXPECT_EQ(read.names, names);
    EXPECT_EQ(read.of, path.string());
}

TEST(ColumnNames, AnArchiveIsNotTrusted) {
    Archive archive{.kind = ArchiveKind::Model, .method = "pca"};
    add_column_names(archive, {"a", "b"});
    expect_input_error([&] { static_cast<void>(column_names_in(archive, 3)); },
                       {"column_names", "2 names", "3 columns"});
    archive.arrays["column_names"] = Array{{3}, std::vector<std::uint8_t>{'a', 0, 'b'}};
    EXPECT_THROW(static_cast<void>(column_names_in(archive, 1)), InputError);
    archive.arrays["column_names"] = Array{{0}, std::vector<std::uint8_t>{}};
    EXPECT_THROW(static_cast<void>(column_names_in(archive, 1)), InputError);
    archive.arrays["column_names"] = Array{{1}, std::vector<float>{1.0F}};
    EXPECT_THROW(static_cast<void>(column_names_in(archive, 1)), InputError);
    Archive other{.kind = ArchiveKind::Model, .method = "pca"};
    EXPECT_THROW(add_column_names(other, {std::string("a\0b", 3)}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::column_names_test
