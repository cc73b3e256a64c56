#include "io/files.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon::json_lines_test {

namespace {

using namespace test;

Dataset read(const std::string& text, const ReadOptions& options = {}) {
    const TemporaryFolder folder;
    return read_points(folder.file("x.jsonl", text), options);
}

std::string refusal(const std::string& text, const ReadOptions& options = {}) {
    return message_of<InputError>([&] { (void)read(text, options); });
}

TEST(JsonLines, TheListOfNumbersIsThePointAndTheRestItsWordAndLabel) {
    const Dataset data = read(R"({"id": "a", "label": "x", "embedding": [1, -2.5e1, 3]})"
                              "\n\n"
                              R"({"embedding": [4, 5, 0.1], "label": "y", "id": 7, "more": {"z": [true]}})"
                              "\r\n"
                              R"({"id": "c", "label": null, "embedding": [7, 8, 9]})");
    EXPECT_EQ(flat(data.points), (std::vector<float>{1, -25, 3, 4, 5, 0.1F, 7, 8, 9}));
    EXPECT_EQ(data.words, (std::vector<std::string>{"a", "7", "c"}));
    EXPECT_EQ(data.label_names, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(data.labels, (std::vector<std::int64_t>{0, 1, -1}));
}

TEST(JsonLines, PathsSayWhatIsMeant) {
    const std::string text = R"({"name": "a", "response": {"data": [{"embedding": [1, 2]}]}, "sizes": [5, 6, 7]})"
                             "\n";
    const Dataset data = read(text + text, {.vectors = "response.data.0.embedding", .word_column = "name"});
    EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 1, 2}));
    EXPECT_EQ(data.words.front(), "a");
    EXPECT_EQ(read(text, {.vectors = "sizes"}).points.dimension, 3U);
    expect_holds(refusal(text), {"x.jsonl, line 1", "response.data.0.embedding, sizes", "vectors"});
    expect_holds(refusal(text, {.vectors = "nowhere"}), {"\"nowhere\"", "sizes"});
    expect_holds(refusal(text, {.vectors = "sizes", .label_column = "kind"}), {"\"kind\""});
}

TEST(JsonLines, ALineMayBeTheVectorItself) {
    const Dataset data = read("[1, 2]\n[3, 4]\n");
    EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_TRUE(data.words.empty());
}

TEST(JsonLines, WhatIsNoPointIsRefusedByItsLine) {
    const std::string first = "{\"v\": [1, 2]}\n";
    expect_holds(refusal(""), {"x.jsonl"});
    expect_holds(refusal("{\"v\": 1}\n"), {"line 1", "no list of numbers"});
    expect_holds(refusal(first + "{\"v\": [1, 2, 3]}\n"), {"line 2", "3 numbers", "line 1 has 2"});
    expect_holds(refusal(first + "{\"v\": [1, null]}\n"), {"line 2", "number 2", "null"});
    expect_holds(refusal(first + "{\"v\": [1, \"2\"]}\n"), {"line 2", "number 2", "\"2\""});
    expect_holds(refusal(first + "{\"v\": [1, 1e300]}\n"), {"line 2", "beyond float32"});
    expect_holds(refusal(first + "{\"w\": [1, 2]}\n"), {"line 2", "\"v\""});
    expect_holds(refusal(first + "{\"v\": [1, 2]\n"), {"line 2", "JSON"});
    expect_holds(refusal("[\n{\"v\": [1, 2]},\n"), {"line 1", "jq"});
    expect_holds(refusal(first + std::string(100000, '[') + "\n"), {"line 2"});
    const std::string deep = std::string(100000, '[') + std::string(100000, ']');
    expect_holds(refusal(deep + "\n"), {"line 1", "no list of numbers"});
    expect_holds(refusal(first + "{\"v\": [1, " + deep + "]}\n"), {"line 2", "number 2", "array"});
    const std::string named = "{\"id\": 1, \"v\": [1, 2]}\n";
    expect_holds(refusal(named + "{\"id\": " + deep + ", \"v\": [1, 2]}\n"), {"line 2", "\"id\""});
    expect_holds(refusal("[[1, 2]]\n", {.vectors = "99999999999999999999"}), {"line 1"});
}

TEST(JsonLines, AreDescribedAndFoundByTheirFirstBytes) {
    const TemporaryFolder folder;
    const FileInfo info =
        describe_file(folder.file("unnamed", "{\"id\": 1, \"v\": [1, 2]}\n{\"id\": 2, \"v\": [3, 4]}\n"));
    EXPECT_EQ(info.format, Format::Jsonl);
    EXPECT_EQ(info.shape, (std::vector<std::uint64_t>{2, 2}));
    EXPECT_TRUE(info.has_words);
    EXPECT_FALSE(info.has_labels);
    EXPECT_THROW((void)read_points(folder.file("x.csv", "1,2\n"), {.vectors = "v"}), InvalidArgument);
}

}  // namespace

}  // namespace isogon::json_lines_test
