#include "isogon/io/names.hpp"

#include "isogon/core/error.hpp"
#include "unit/io/files.hpp"

namespace isogon::names_test {
namespace {

using namespace test;

using Names = std::vector<std::string>;

Names read(const std::string& bytes) {
    const TemporaryFolder folder;
    return read_names(folder.file("names.txt", bytes));
}

TEST(Names, AreLinesAsTheyStand) {
    EXPECT_EQ(read("a\nb c\td, \"e\"\n f \n"), (Names{"a", "b c\td, \"e\"", " f "}));
    EXPECT_EQ(read("\xEF\xBB\xBFone\r\ntwo"), (Names{"one", "two"}));
    EXPECT_EQ(read("\xFF\n</script>\n"), (Names{"\xFF", "</script>"}));
    EXPECT_EQ(read(std::string(10000, 'x')), Names{std::string(10000, 'x')});
}

TEST(Names, BlankLinesAreEmptyNamesButForThoseAtTheEnd) {
    EXPECT_EQ(read("\na\n\nb\n\n\n"), (Names{"", "a", "", "b"}));
}

TEST(Names, PackedFilesAreUnpacked) {
    EXPECT_EQ(read(gzip("a\nb\n")), (Names{"a", "b"}));
}

TEST(Names, FilesWithoutNamesAreRefused) {
    EXPECT_THROW(static_cast<void>(read("\n\n")), InputError);
    EXPECT_THROW(static_cast<void>(read("")), InputError);
    EXPECT_THROW(static_cast<void>(read_names("/nowhere/at/all")), InputError);
}

}  // namespace
}  // namespace isogon::names_test
