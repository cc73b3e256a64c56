#include "io/word_lists.hpp"

#include <array>

#include "io/files.hpp"
#include "isogon/core/error.hpp"

namespace isogon::word_lists_test {
namespace {

using namespace test;

using Names = std::vector<std::string>;

Names read_names_of(const std::string& bytes) {
    const TemporaryFolder folder;
    return read_names(folder.file("names.txt", bytes));
}

TEST(Names, AreLinesAsTheyStand) {
    EXPECT_EQ(read_names_of("a\nb c\td, \"e\"\n f \n"), (Names{"a", "b c\td, \"e\"", " f "}));
    EXPECT_EQ(read_names_of("\xEF\xBB\xBFone\r\ntwo"), (Names{"one", "two"}));
    EXPECT_EQ(read_names_of("\xFF\n</script>\n"), (Names{"\xFF", "</script>"}));
    EXPECT_EQ(read_names_of(std::string(10000, 'x')), Names{std::string(10000, 'x')});
}

TEST(Names, BlankLinesAreEmptyNamesButForThoseAtTheEnd) {
    EXPECT_EQ(read_names_of("\na\n\nb\n\n\n"), (Names{"", "a", "", "b"}));
}

TEST(Names, PackedFilesAreUnpacked) {
    EXPECT_EQ(read_names_of(gzip("a\nb\n")), (Names{"a", "b"}));
}

TEST(Names, FilesWithoutNamesAreRefused) {
    EXPECT_THROW(static_cast<void>(read_names_of("\n\n")), InputError);
    EXPECT_THROW(static_cast<void>(read_names_of("")), InputError);
    EXPECT_THROW(static_cast<void>(read_names("/nowhere/at/all")), InputError);
}

using Words = std::array<std::string, 4>;

const std::string two_categories =
    ": family\n"
    "boy girl brother sister\n"
    "boy girl King queen\n"
    ": gram8-plural\n"
    "cat cats dog dogs\n";

AnalogyQuestions read_text(const std::string& bytes) {
    const TemporaryFolder folder;
    return read_questions(folder.file("q.txt", bytes));
}

void expect_two_categories(const AnalogyQuestions& read) {
    EXPECT_EQ(read.categories, (std::vector<std::string>{"family", "gram8-plural"}));
    ASSERT_EQ(read.questions.size(), 3U);
    EXPECT_EQ(read.questions[0].words, (Words{"boy", "girl", "brother", "sister"}));
    EXPECT_EQ(read.questions[1].words, (Words{"boy", "girl", "King", "queen"}));
    EXPECT_EQ(read.questions[2].words, (Words{"cat", "cats", "dog", "dogs"}));
    EXPECT_EQ(read.questions[1].category, 0U);
    EXPECT_EQ(read.questions[2].category, 1U);
}

TEST(Questions, CategoriesAndTheirQuestionsAreReadInOrder) {
    expect_two_categories(read_text(two_categories));
}

TEST(Questions, PackedFilesAreUnpacked) {
    expect_two_categories(read_text(gzip(two_categories)));
}

TEST(Questions, WhiteSpaceIsNoMatter) {
    expect_two_categories(
        read_text("\n:family \r\n\r\n  boy  girl\tbrother sister\t\r\nboy girl King queen\n"
                  " :\tgram8-plural\ncat cats dog dogs\n \t \n\n"));
    expect_two_categories(read_text(two_categories.substr(0, two_categories.size() - 1)));
    expect_two_categories(read_text("\xef\xbb\xbf" + two_categories));
}

TEST(Questions, WordsAreAnyBytesAndNamesMayHoldSpaces) {
    const AnalogyQuestions odd = read_text(": \xc3\xa9 and e\n\xff \xc3\xa9t\xc3\xa9 a:b ,\n");
    EXPECT_EQ(odd.categories.front(), "\xc3\xa9 and e");
    EXPECT_EQ(odd.questions.front().words, (Words{"\xff", "\xc3\xa9t\xc3\xa9", "a:b", ","}));
}

TEST(Questions, CategoriesMayBeEmptyOrComeTwice) {
    const AnalogyQuestions twice = read_text(": a\n: b\n1 2 3 4\n: a\n5 6 7 8\n: c\n");
    EXPECT_EQ(twice.categories, (std::vector<std::string>{"a", "b", "a", "c"}));
    EXPECT_EQ(twice.questions[0].category, 1U);
    EXPECT_EQ(twice.questions[1].category, 2U);
}

TEST(Questions, OtherThanFourWordsAreRefusedByLine) {
    expect_input_error([] { return read_text(": a\n1 2 3 4\n\n1 2 3\n"); }, {"q.txt", "line 4", "has 3 words", "four"});
    expect_input_error([] { return read_text(": a\n1 2 3 4 5 6\n"); }, {"q.txt", "line 2", "has 6 words", "four"});
    expect_input_error([] { return read_text(": a\nword"); }, {"q.txt", "line 2", "has 1 word,", "four"});
}

TEST(Questions, ACategoryMustComeFirstAndBeNamed) {
    expect_input_error([] { return read_text("1 2 3 4\n: a\n"); }, {"q.txt", "line 1", "\": category\"", "before"});
    expect_input_error([] { return read_text(": a\n1 2 3 4\n: \n"); }, {"q.txt", "line 3", "no name", "colon"});
}

TEST(Questions, AFileWithoutAnyIsRefused) {
    for (const std::string text : {": a\n: b\n", "\n\n"}) {
        expect_input_error([&] { return read_text(text); }, {"q.txt", "no questions", "four words"});
    }
    expect_input_error([] { return read_text(""); }, {"q.txt", "empty"});
    expect_input_error([] { return read_questions("no such file"); }, {"no such file"});
}

}  // namespace
}  // namespace isogon::word_lists_test
