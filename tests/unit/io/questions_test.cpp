#include "isogon/io/questions.hpp"

#include <array>

#include "unit/io/files.hpp"

namespace isogon::questions_test {
namespace {

using namespace test;

using Words = std::array<std::string, 4>;

const std::string two_categories =
    ": family\n"
    "boy girl brother sister\n"
    "boy girl King queen\n"
    ": gram8-plural\n"
    "cat cats dog dogs\n";

AnalogyQuestions read(const std::string& bytes) {
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
    expect_two_categories(read(two_categories));
}

TEST(Questions, PackedFilesAreUnpacked) {
    expect_two_categories(read(gzip(two_categories)));
}

TEST(Questions, WhiteSpaceIsNoMatter) {
    expect_two_categories(
        read("\n:family \r\n\r\n  boy  girl\tbrother sister\t\r\nboy girl King queen\n"
             " :\tgram8-plural\ncat cats dog dogs\n \t \n\n"));
    expect_two_categories(read(two_categories.substr(0, two_categories.size() - 1)));
    expect_two_categories(read("\xef\xbb\xbf" + two_categories));
}

TEST(Questions, WordsAreAnyBytesAndNamesMayHoldSpaces) {
    const AnalogyQuestions odd = read(": \xc3\xa9 and e\n\xff \xc3\xa9t\xc3\xa9 a:b ,\n");
    EXPECT_EQ(odd.categories.front(), "\xc3\xa9 and e");
    EXPECT_EQ(odd.questions.front().words, (Words{"\xff", "\xc3\xa9t\xc3\xa9", "a:b", ","}));
}

TEST(Questions, CategoriesMayBeEmptyOrComeTwice) {
    const AnalogyQuestions twice = read(": a\n: b\n1 2 3 4\n: a\n5 6 7 8\n: c\n");
    EXPECT_EQ(twice.categories, (std::vector<std::string>{"a", "b", "a", "c"}));
    EXPECT_EQ(twice.questions[0].category, 1U);
    EXPECT_EQ(twice.questions[1].category, 2U);
}

TEST(Questions, OtherThanFourWordsAreRefusedByLine) {
    expect_input_error([] { return read(": a\n1 2 3 4\n\n1 2 3\n"); }, {"q.txt", "line 4", "has 3 words", "four"});
    expect_input_error([] { return read(": a\n1 2 3 4 5 6\n"); }, {"q.txt", "line 2", "has 6 words", "four"});
    expect_input_error([] { return read(": a\nword"); }, {"q.txt", "line 2", "has 1 word,", "four"});
}

TEST(Questions, ACategoryMustComeFirstAndBeNamed) {
    expect_input_error([] { return read("1 2 3 4\n: a\n"); }, {"q.txt", "line 1", "\": category\"", "before"});
    expect_input_error([] { return read(": a\n1 2 3 4\n: \n"); }, {"q.txt", "line 3", "no name", "colon"});
}

TEST(Questions, AFileWithoutAnyIsRefused) {
    for (const std::string text : {": a\n: b\n", "\n\n"}) {
        expect_input_error([&] { return read(text); }, {"q.txt", "no questions", "four words"});
    }
    expect_input_error([] { return read(""); }, {"q.txt", "empty"});
    expect_input_error([] { return read_questions("no such file"); }, {"no such file"});
}

TEST(Questions, EveryTruncationIsReadOrRefused) {
    for (std::size_t size = 0; size < two_categories.size(); ++size) {
        try {
            EXPECT_LE(read(two_categories.substr(0, size)).questions.size(), 3U);
        } catch (const InputError&) {
        }
    }
    const std::string packed = gzip(two_categories);
    for (std::size_t size = 0; size < packed.size(); ++size) {
        EXPECT_THROW(static_cast<void>(read(packed.substr(0, size))), InputError) << size;
    }
}

}  // namespace
}  // namespace isogon::questions_test
