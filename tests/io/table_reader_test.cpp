#include "io/point_formats.hpp"

#include <cstring>

#include "io/files.hpp"

namespace isogon::table_reader_test {
namespace {

using namespace test;

Dataset read(const std::string& text, const ReadOptions& options = {}, Format format = Format::Csv) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.csv", text));
    return read_table(stream, format, options);
}

TEST(TableReader, ReadsNumbersWithAndWithoutAHeader) {
    for (const char* text : {"1,2\n3,4\n", "a,b\n1,2\n3,4", "\xef\xbb\xbf\"a\",b\r\n1, 2\r\n3,4\r\n\r\n"}) {
        const Dataset data = read(text);
        EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4})) << text;
        EXPECT_EQ(data.points.dimension, 2U);
        EXPECT_TRUE(data.labels.empty());
        EXPECT_TRUE(data.words.empty());
    }
    EXPECT_EQ(flat(read("1\t2\n", {}, Format::Tsv).points), (std::vector<float>{1, 2}));
    EXPECT_EQ(read("a,b\n1,2\n").column_names, (std::vector<std::string>{"a", "b"}));
}

TEST(TableReader, LabelsAndWordsTravelBesideTheNumbers) {
    const Dataset data =
        read("name,x,class,y\n\"big, cat\",1,7,2\ndog,3,-8,4\n", {.label_column = "class", .word_column = "name"});
    EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(data.labels, (std::vector<std::int64_t>{7, -8}));
    EXPECT_EQ(data.words, (std::vector<std::string>{"big, cat", "dog"}));
    EXPECT_EQ(data.column_names, (std::vector<std::string>{"x", "y"}));
}

TEST(TableReader, BetweenSemicolonsNumbersMayHaveDecimalCommas) {
    for (const char* text : {"a;b\n1,5;-2\n3.5;4,25e1\n", "\"a\";\"b\"\r\n1,5;-2\r\n\"3,5\";42.5", "1,5;-2\n3,5;42,5\n",
                             "a ; b\n1,5 ; -2\n3,5 ; 42,5\n"}) {
        EXPECT_EQ(flat(read(text).points), (std::vector<float>{1.5, -2, 3.5, 42.5})) << text;
    }
    const Dataset data = read("x;name, in full;y\n1;a, b;2,5\n2;c;3\n");
    EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2.5, 2, 3}));
    EXPECT_EQ(data.words, (std::vector<std::string>{"a, b", "c"}));
    expect_input_error([] { read("a;b,c\n1;2,3\n"); }, {"x.csv, line 2, column 1", "\"1;2\""});  // as many commas
    expect_input_error([] { read("a;b\n1;2\n1,2,3;4\n"); }, {"x.csv, line 3, column 1", "\"1,2,3\""});
    expect_input_error([] { read("a;b\n1;2\n1.234,5;4\n"); }, {"x.csv, line 3, column 1", "thousands"});
    expect_input_error([] { read("a;b\n1;2\n3\n"); }, {"x.csv, line 3", "1 columns"});
}

TEST(TableReader, AHeaderMayLackTheNameOfTheFirstColumn) {
    const Dataset named = read("a\tb\nr1\t1.5\t2\nr2\t3\t4\n", {}, Format::Tsv);
    EXPECT_EQ(flat(named.points), (std::vector<float>{1.5, 2, 3, 4}));
    EXPECT_EQ(named.words, (std::vector<std::string>{"r1", "r2"}));
    EXPECT_EQ(named.column_names, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(read("\"a\",\"b\"\n\"1\",1.5,2\n\"2\",3,4\n").words, (std::vector<std::string>{"1", "2"}));
    expect_input_error([] { read("a,b\n0.5,1,2\n"); }, {"x.csv, line 2", "3 columns"});
    expect_input_error([] { read("a,b\nr1,1,2\nr2,3\n"); }, {"x.csv, line 3", "2 columns"});
    expect_input_error([] { read("a,b\nr,1,2\n", {.header = Header::Absent}); }, {"x.csv, line 1"});
}

TEST(TableReader, FaultsAreNamedByLineAndColumn) {
    expect_input_error([] { read("1,2\n3\n"); }, {"x.csv, line 2", "1 columns", "first line has 2"});
    expect_input_error([] { read("a,b\n1,2\n3,4,5\n"); }, {"x.csv, line 3", "3 columns"});
    expect_input_error([] { read("1,2\n3,four\n"); },
                       {"x.csv, line 2, column 2", "\"four\"", "number belongs", "word-column 1"});
    for (const char* missing : {"", "NA", "n/a", "NULL", "None", "?"}) {
        expect_input_error([&] { read("a,b\n1,2\n" + std::string(missing) + ",4\n"); },
                           {"x.csv, line 3, column 1", *missing == 0 ? "empty" : missing, "skip-column a"});
    }
    expect_input_error([] { read("1,2\n3,1e39\n"); }, {"x.csv, line 2, column 2", "float32"});
    expect_input_error([] { read("1,NA\n", {.header = Header::Absent}); }, {"x.csv, line 1, column 2", "\"NA\""});
    expect_input_error([] { read("1,2\n3,4.5\n", {.label_column = "1"}); },
                       {"x.csv, line 2, column 2", "4.5", "whole"});
    expect_input_error([] { read("a,b\n"); }, {"x.csv", "header, but no records"});
    expect_input_error([] { read("\n\r\n"); }, {"x.csv", "blank"});
}

TEST(TableReader, TextThatRepeatsIsLabelsAndOtherTextIsWords) {
    const Dataset iris = read("5.1,3.5,setosa\n4.9,3,setosa\n7,3.2,virginica\n6,3,virginica\n");
    EXPECT_EQ(iris.labels, (std::vector<std::int64_t>{0, 0, 1, 1}));
    EXPECT_EQ(iris.label_names, (std::vector<std::string>{"setosa", "virginica"}));
    EXPECT_EQ(iris.points.dimension, 2U);
    EXPECT_TRUE(iris.words.empty());
    const Dataset both = read("city,x,land,y\nBern,1,CH,2\nBasel,3,CH,4\nUlm,5,D,6\nBonn,7,D,8\n");
    EXPECT_EQ(both.words, (std::vector<std::string>{"Bern", "Basel", "Ulm", "Bonn"}));
    EXPECT_EQ(both.label_names, (std::vector<std::string>{"CH", "D"}));
    EXPECT_EQ(flat(both.points), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(both.column_names, (std::vector<std::string>{"x", "y"}));
    EXPECT_TRUE(both.notes.empty());
}

TEST(TableReader, AColumnCalledLabelIsLabelsOfNumbersOrText) {
    const Dataset wine = read("a,label\n1,class_1\n2,class_0\n3,class_2\n");
    EXPECT_EQ(wine.labels, (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(wine.label_names, (std::vector<std::string>{"class_1", "class_0", "class_2"}));
    EXPECT_EQ(read("label,a\n5,1\n-3,2\n").labels, (std::vector<std::int64_t>{5, -3}));
    const Dataset words = read("a,label\n1,x\n2,y\n", {.word_column = "label"});
    EXPECT_EQ(words.words, (std::vector<std::string>{"x", "y"}));
    EXPECT_TRUE(words.labels.empty());
    EXPECT_EQ(read("Target,a\nx,1\ny,2\n").label_names, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(read("a,label\n1,0.5\n2,0.25\n").points.dimension, 2U) << "no label begins with a fraction";
}

TEST(TableReader, RowNumbersAreNoCoordinate) {
    for (const char* name : {"id", "Index", "", "Unnamed: 0"}) {
        const Dataset data = read(name + std::string(",a,b\n0,1,2\n1,3,4\n"));
        EXPECT_EQ(data.points.dimension, 2U) << name;
        EXPECT_EQ(data.words, (std::vector<std::string>{"0", "1"}));
        ASSERT_EQ(data.notes.size(), 1U);
        expect_holds(data.notes[0], {"column 1", name, "words"});
    }
    const Dataset beside = read("name,a,id,index\nx,1,7,0\ny,2,8,1\n");
    EXPECT_EQ(beside.words, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(flat(beside.points), (std::vector<float>{1, 2}));
    EXPECT_EQ(beside.notes.size(), 2U);
    EXPECT_EQ(read("a,id,index\n1,7,0\n2,8,1\n").words, (std::vector<std::string>{"7", "8"}));
    EXPECT_EQ(read("id,a\n0.5,1\n0.25,2\n").points.dimension, 2U);
}

TEST(TableReader, ClassNumbersAmongCoordinatesAreNoted) {
    const Dataset data = read("a,target\n0.5,1\n0.25,2\n");
    EXPECT_EQ(data.points.dimension, 2U);
    ASSERT_EQ(data.notes.size(), 1U);
    expect_holds(data.notes[0], {"column 2", "target", "label-column target"});
    EXPECT_TRUE(read("a,target\n0.5,1\n0.25,2.5\n").notes.empty());
    EXPECT_TRUE(read("a,target\n0.5,1\n", {.label_column = "target"}).notes.empty());
}

TEST(TableReader, TextThatCannotBeToldIsRefusedWithWhatToType) {
    expect_input_error([] { read("n,a\nx,1\n2,2\n"); },
                       {"line 3, column 1", "\"2\" is a number", "\"x\"", "word-column n"});
    expect_input_error([] { read("n,m,a\nx,y,1\nz,w,2\n"); }, {"\"n\"", "\"m\"", "hardly repeats", "skip-column m"});
    expect_input_error([] { read("n,m,a\nx,y,1\nx,y,2\n"); }, {"\"n\"", "\"m\"", "repeats", "label-column m"});
    expect_input_error([] { read("n,m,k,a\nx,y,z,1\n"); }, {"line 2, column 3", "\"n\"", "\"m\"", "skip-column k"});
    expect_input_error([] { read("n,m,a\nx,y,1\nz,w,2\n", {.word_column = "n"}); }, {"\"m\"", "skip-column m"});
    const ReadOptions said{.label_column = "m", .word_column = "n", .skip_columns = {"k"}};
    const Dataset data = read("n,m,k,a\nx,y,z,1\nw,4,,2\n", said);
    EXPECT_EQ(data.words, (std::vector<std::string>{"x", "w"}));
    EXPECT_EQ(data.label_names, (std::vector<std::string>{"y", "4"}));
    EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2}));
}

TEST(TableReader, MissingLabelsAreUnknown) {
    for (const char* missing : {"", "nan", "NA", "<NA>", "None", "-1"}) {
        const std::string gap = missing;
        const Dataset text = read("c,a\nx,1\nx,2\n" + gap + ",3\ny,4\ny,5\n");
        EXPECT_EQ(text.labels, (std::vector<std::int64_t>{0, 0, -1, 1, 1})) << missing;
        EXPECT_EQ(text.label_names, (std::vector<std::string>{"x", "y"})) << missing;
        EXPECT_EQ(read("label,a\n" + gap + ",1\n7,2\n").labels, (std::vector<std::int64_t>{-1, 7})) << missing;
        EXPECT_EQ(read("a,b\n1," + gap + "\n2,7\n", {.label_column = "b"}).labels, (std::vector<std::int64_t>{-1, 7}));
    }
}

TEST(TableReader, NumbersInOtherNotationAreNoWords) {
    for (const char* cell : {"0.1%", "\"1,234.5\"", "\"0,5\"", "$12", "1'000", "\"1.234.567,8\"", "1 000"}) {
        const std::string bare(cell[0] == '"' ? std::string(cell + 1, std::strlen(cell) - 2) : cell);
        const std::string row = std::string(cell) + ",1\n";
        expect_input_error([&] { read("share,b\n" + row + row); },
                           {"x.csv, line 2, column 1", "share", bare, "write", "word-column share"});
        expect_input_error([&] { read("share,b\nsome,2\n" + row + row); }, {"x.csv, line 3, column 1", "share", bare});
        expect_input_error([&] { read("share,b\n2,3\n" + row); }, {"x.csv, line 3, column 1", "share", bare, "write"});
    }
    expect_input_error([] { read("a\tb\n0,5\t1\n", {}, Format::Tsv); }, {"line 2, column 1", "decimal comma"});
    const Dataset words = read("share,b\n10%,1\n20%,2\n", {.word_column = "share"});
    EXPECT_EQ(words.words, (std::vector<std::string>{"10%", "20%"}));
    for (const char* text : {"v1.2.3", "2021-01-02", "12:30", "A-1", "p12", "5 kg", "1,23,4"}) {
        EXPECT_EQ(notation_trouble(text), "") << text;
    }
    EXPECT_EQ(read("10%,90%\n1,2\n").points.count, 1U) << "names of columns";
}

TEST(TableReader, BlanksAreAPartOfWords) {
    const std::vector<std::string> words{" a", "b ", "  c\t", "d e", "", "f"};
    for (const char* header : {"", "word,x\n"}) {
        EXPECT_EQ(
            read(header + std::string(" a,1\nb , 2\n  c\t,3\n\"d e\",4\n,5\n\"f\",6\n"), {.word_column = "0"}).words,
            words);
    }
    EXPECT_EQ(read(" a\t1\nb \t2\n \t3\n", {.word_column = "0"}, Format::Tsv).words,
              (std::vector<std::string>{" a", "b ", " "}));
    const Dataset style = read("x, word, y\n1, cat, 2\n3, dog, 4\n");
    EXPECT_EQ(style.words, (std::vector<std::string>{"cat", "dog"}));
    const Dataset labels = read("x,y\n1,cat\n2, cat\n3,cat \n4,dog\n");
    EXPECT_EQ(labels.label_names, (std::vector<std::string>{"cat", "dog"}));
}

TEST(TableReader, CoordinatesComeInTheOrderThatIsWanted) {
    const ColumnNames wanted{{"a", "b", "c"}, "model"};
    const Dataset moved = read("c,label,a,b\n3,7,1,2\n", {.columns = wanted});
    EXPECT_EQ(flat(moved.points), (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(moved.column_names, wanted.names);
    EXPECT_EQ(moved.labels, (std::vector<std::int64_t>{7}));
    ASSERT_EQ(moved.notes.size(), 1U);
    expect_holds(moved.notes[0], {"another order", "model"});
    EXPECT_EQ(flat(read("3,1,2\n", {.columns = wanted}).points), (std::vector<float>{3, 1, 2})) << "no names";
    expect_input_error([&] { read("c,d,a\n3,1,2\n", {.columns = wanted}); },
                       {"x.csv, line 1", "model", "missing \"b\"", "unexpected \"d\"", "skip-column"});
}

TEST(TableReader, AHeaderIsLinearInItsColumns) {
    std::string names = "a0";
    std::string numbers = "0";
    for (int column = 1; column < 400'000; ++column) {  // minutes where each column looks at all
        names += ",a" + std::to_string(column);
        numbers += ',' + std::to_string(column % 7);
    }
    EXPECT_EQ(read(names + '\n' + numbers + '\n').points.dimension, 400'000U);
}

TEST(TableReader, AHeaderOfNumbersHasToBeTold) {
    EXPECT_EQ(read("0,1\n2,3\n").points.count, 2U);
    const Dataset data = read("0,1\n2,3\n", {.header = Header::Present});
    EXPECT_EQ(flat(data.points), (std::vector<float>{2, 3}));
    EXPECT_EQ(data.column_names, (std::vector<std::string>{"0", "1"}));
}

TEST(TableReader, DescribesWhatItReads) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.csv", "w,a,b\ncat,1,2\ndog,3,4\n"));
    const FileInfo info = describe_table(stream, Format::Csv, {.word_column = "w"});
    EXPECT_EQ(info.shape, (std::vector<std::uint64_t>{2, 2}));
    EXPECT_EQ(info.scalar, "text");
    EXPECT_TRUE(info.has_header);
    EXPECT_TRUE(info.has_words);
    EXPECT_FALSE(info.has_labels);
}

Labels labels(const std::string& text) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.txt", text));
    return read_text_labels(stream);
}

TEST(TableReader, LabelsAreOneALine) {
    const std::vector<std::int64_t> expected{1, -2, 3};
    EXPECT_EQ(labels("1\n-2\n3\n").values, expected);
    EXPECT_EQ(labels("label\r\n1\r\n-2.0\r\n3e0\r\n\r\n").values, expected);
    const Labels named = labels("cat\ndog\ncat\n");
    EXPECT_EQ(named.values, (std::vector<std::int64_t>{0, 1, 0}));
    EXPECT_EQ(named.names, (std::vector<std::string>{"cat", "dog"}));
    EXPECT_EQ(labels("a\n1\nb\n").names, (std::vector<std::string>{"a", "1", "b"}));
    expect_input_error([] { labels("1.5\n2\n"); }, {"x.txt, line 1", "1.5"});
    EXPECT_EQ(labels("1\nNA\n\n\"\"\nnan\n2\n").values, (std::vector<std::int64_t>{1, -1, -1, -1, -1, 2}));
    EXPECT_EQ(labels("None\ncat\n\n").values, (std::vector<std::int64_t>{-1, 0}));
    EXPECT_EQ(labels("label\n\n3\n").values, (std::vector<std::int64_t>{-1, 3}));
    EXPECT_EQ(labels("ape, big\n\"ape, big\"\n").values, (std::vector<std::int64_t>{0, 0}));
    expect_input_error([] { labels("1,2\n"); }, {"x.txt, line 1", "2 columns"});
    expect_input_error([] { labels("label\n"); }, {"x.txt", "no labels"});
}

}  // namespace
}  // namespace isogon::table_reader_test
