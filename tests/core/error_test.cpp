#include "isogon/core/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace isogon::error_test {
namespace {

TEST(InvalidArgument, NamesFieldValueAndBound) {
    const InvalidArgument error("dimension", "900", "must be at most 784, the dimension of the input");
    EXPECT_STREQ(error.what(), "dimension = 900: must be at most 784, the dimension of the input");
    EXPECT_EQ(error.field(), "dimension");
    EXPECT_EQ(error.value(), "900");
    EXPECT_EQ(error.requirement(), "must be at most 784, the dimension of the input");
}

std::string as_flag(const std::string& option) {
    return "--" + option;
}

TEST(Text, NamesOptionsInTheWordsOfAFrontEnd) {
    const Text lower{"lower ", Text::option("dimension"), "; "};
    const Text text{"raise ", Text::option("neighbors"), " or ", lower, std::string("that is all")};
    EXPECT_EQ(text, "raise neighbors or lower dimension; that is all");
    EXPECT_EQ(text.in(as_flag), "raise --neighbors or lower --dimension; that is all");
    EXPECT_EQ(Text().in(as_flag), "");
    EXPECT_EQ(Text::option("rule").in([](const std::string&) { return ""; }), "");
}

TEST(Text, TakesNothingElseForAName) {
    const std::vector<std::string> words{"neighbors", "{neighbors}", "--neighbors", "%s", std::string("a\0b", 3)};
    for (const std::string& word : words) {
        EXPECT_EQ(Text({word, ": ", Text::option("neighbors"), word}).in(as_flag), word + ": --neighbors" + word);
    }
}

TEST(Error, KeepsTheNamesInItsText) {
    const InvalidArgument argument("start", "neighbors", {"needs ", Text::option("neighbors")});
    EXPECT_EQ(argument.text().in(as_flag), "start = neighbors: needs --neighbors");
    const InputError input("neighbors", "row 1", {"raise ", Text::option("neighbors")});
    EXPECT_STREQ(input.what(), "neighbors, row 1: raise neighbors");
    EXPECT_EQ(input.text().in(as_flag), "neighbors, row 1: raise --neighbors");
    EXPECT_EQ(input.source() + input.place() + input.reason(), "neighborsrow 1raise neighbors");
    EXPECT_EQ(LimitExceeded(input.text(), 2, 1).text().in(as_flag), "neighbors, row 1: raise --neighbors");
}

TEST(InputError, NamesSourcePlaceAndReason) {
    EXPECT_STREQ(InputError("a.csv", "line 3", "5 fields where 4 belong").what(),
                 "a.csv, line 3: 5 fields where 4 belong");
    EXPECT_STREQ(InputError("a.csv", "", "the file is empty").what(), "a.csv: the file is empty");
}

TEST(OutputError, NamesFileAndReason) {
    EXPECT_STREQ(OutputError("b.npy", "the disk is full").what(), "b.npy: the disk is full");
}

TEST(LimitExceeded, CarriesNeedAndLimit) {
    const LimitExceeded error("needs more", 2000, 1000);
    EXPECT_EQ(error.needed_bytes(), 2000U);
    EXPECT_EQ(error.limit_bytes(), 1000U);
}

TEST(Error, IsTheBaseOfAllAndOfTheStandardLibrary) {
    EXPECT_THROW(throw InvalidArgument("a", "b", "c"), Error);
    EXPECT_THROW(throw InputError("a", "b", "c"), Error);
    EXPECT_THROW(throw OutputError("a", "b"), Error);
    EXPECT_THROW(throw LimitExceeded("a", 2, 1), Error);
    EXPECT_THROW(throw InputError("a", "b", "c"), std::runtime_error);
}

const std::vector<std::string> known{"threshold", "thickness",           "dim",      "isomap", "umap",
                                     "tsne",      "extension-neighbors", "neighbors"};

TEST(DidYouMean, FindsAWordWithOneLetterChangedLeftOutAddedOrSwapped) {
    for (const char* word : {"threshhold", "threshld", "thresholt", "trheshold", "THRESHOLD"}) {
        EXPECT_EQ(did_you_mean(word, known), "; did you mean threshold?") << word;
    }
    EXPECT_EQ(did_you_mean("tnse", known), "; did you mean tsne?");
    EXPECT_EQ(did_you_mean("isomaps", known), "; did you mean isomap?");
}

TEST(DidYouMean, TakesTheNearest) {
    EXPECT_EQ(did_you_mean("umpa", known), "; did you mean umap?");
    EXPECT_EQ(did_you_mean("neighbours", known), "; did you mean neighbors?");
    EXPECT_EQ(did_you_mean("extension-neighbours", known), "; did you mean extension-neighbors?");
}

TEST(DidYouMean, CompletesAWordThatOnlyOneBeginsWith) {
    EXPECT_EQ(did_you_mean("thresh", known), "; did you mean threshold?");
    EXPECT_EQ(did_you_mean("ext", known), "; did you mean extension-neighbors?");
    EXPECT_EQ(did_you_mean("th", known), "");  // two do
}

TEST(DidYouMean, SaysNothingWhereNothingIsNear) {
    for (const char* word : {"", "x", "colour", "bogus", "embroider"}) {
        EXPECT_EQ(did_you_mean(word, known), "") << word;
    }
    EXPECT_EQ(did_you_mean(std::string(1000000, 't'), known), "");
    EXPECT_EQ(did_you_mean("dim", {}), "");
}

TEST(Printable, LeavesTextAsItIs) {
    for (const std::string text : {"", "plain text, 'quoted' \\ too", "Straße, naïve, 点, 🙂", "~ !"}) {
        EXPECT_EQ(printable(text), text);
        EXPECT_EQ(printable_lines(text), text);
    }
}

TEST(Printable, EscapesEveryControlCharacterOfAscii) {
    for (int code = 0; code < 128; ++code) {
        const std::string text(1, static_cast<char>(code));
        const bool control = code < 32 || code == 127;
        EXPECT_EQ(printable(text) != text, control) << code;
        for (const char shown : printable(text)) {
            EXPECT_GE(shown, ' ');
            EXPECT_LE(shown, '~');
        }
    }
    EXPECT_EQ(printable("\x1b[31mred\a"), "\\x1b[31mred\\x07");
    EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
}

TEST(Printable, EscapesControlCharactersOfUnicode) {
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\xc2\\x9b31m");  // C1: a terminal may take it for ESC [
    EXPECT_EQ(printable("\xe2\x80\xae"
                        "gpj.exe"),
              "\\xe2\\x80\\xaegpj.exe");  // from right to left
    EXPECT_EQ(printable("\xe2\x80\xa8"), "\\xe2\\x80\\xa8");
}

TEST(Printable, EscapesWhatIsNoUtf8) {
    EXPECT_EQ(printable("\x9b"
                        "31m"),
              "\\x9b31m");
    EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
    EXPECT_EQ(printable("\xc3"), "\\xc3");           // broken off
    EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");  // longer than needed
    EXPECT_EQ(printable("\xe0\x80\x9b"), "\\xe0\\x80\\x9b");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
    EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

TEST(Printable, EndsOfLinesMayStay) {
    EXPECT_EQ(printable_lines("one\ntwo\x1b\n"), "one\ntwo\\x1b\n");
}

TEST(Rounded, HasThreeDigits) {
    EXPECT_EQ(rounded(0.123456), "0.123");
    EXPECT_EQ(rounded(1.5e-7), "1.5e-07");
}

}  // namespace
}  // namespace isogon::error_test
