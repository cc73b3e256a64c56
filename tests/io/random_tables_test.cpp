// Random files, against a reader of records that looks at one byte after the other.
#include <algorithm>
#include <optional>
#include <random>

#include "io/files.hpp"
#include "io/text_file.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon::random_tables_test {
namespace {

using namespace test;
using Record = std::vector<std::string>;
using Records = std::vector<Record>;

/// RFC 4180 with the additions of RecordReader: LF ends lines too, blanks around plain fields are dropped, blank lines
/// at the end are ignored. Nothing for what must be refused.
class SlowReader {
public:
    explicit SlowReader(std::string text) : text_(std::move(text)) {}

    std::optional<Records> read() {
        Records records;
        std::size_t blank = 0;
        while (at_ < text_.size()) {
            if (line_end() > 0) {
                at_ += line_end();
                ++blank;
                continue;
            }
            if (blank > 0 || !read_record(records.emplace_back())) {
                return std::nullopt;
            }
        }
        return records;
    }

private:
    /// Bytes of the line end here; 0: none.
    [[nodiscard]] std::size_t line_end() const {
        return text_.compare(at_, 1, "\n") == 0 ? 1 : text_.compare(at_, 2, "\r\n") == 0 ? 2 : 0;
    }
    [[nodiscard]] bool at_end() const { return at_ == text_.size() || line_end() > 0; }

    bool read_record(Record& record) {
        while (true) {
            std::string& field = record.emplace_back();
            const bool good = at_ < text_.size() && text_[at_] == '"' ? read_quoted(field) : read_plain(field);
            if (!good) {
                return false;
            }
            if (at_end()) {
                at_ += line_end();
                return true;
            }
            ++at_;  // the comma
        }
    }

    bool read_plain(std::string& field) {
        while (!at_end() && text_[at_] != ',') {
            field += text_[at_++];
        }
        while (!field.empty() && field.front() == ' ') {
            field.erase(0, 1);
        }
        while (!field.empty() && field.back() == ' ') {
            field.pop_back();
        }
        return true;
    }

    bool read_quoted(std::string& field) {
        ++at_;
        while (at_ < text_.size()) {
            if (text_[at_] != '"') {
                field += text_[at_++];
            } else if (text_.compare(at_, 2, "\"\"") == 0) {
                field += '"';
                at_ += 2;
            } else {
                ++at_;
                return at_end() || text_[at_] == ',';
            }
        }
        return false;
    }

    std::string text_;
    std::size_t at_ = 0;
};

std::optional<Records> read_records(const TemporaryFolder& folder, const std::string& text) {
    ByteStream stream(folder.file("x.csv", text));
    RecordReader reader(stream, ',');
    Records records;
    std::vector<std::string_view> fields;
    try {
        while (reader.next(fields)) {
            records.emplace_back(fields.begin(), fields.end());
        }
    } catch (const InputError&) {
        return std::nullopt;
    }
    return records;
}

TEST(RandomTables, RecordsAreThoseOfAReaderByteByByte) {
    const TemporaryFolder folder(memory_folder());
    std::mt19937 random(4180);  // NOLINT(cert-msc51-cpp): the same files every time
    const std::vector<std::string> pieces{"a", "1", " ", ",", ",", "\"", "\"", "\n", "\r\n", "\"\"", ",\"a"};
    std::size_t refused = 0;
    constexpr int files = 4000;
    for (int file = 0; file < files; ++file) {
        std::string text = "a";  // a stream of no bytes is another error
        for (std::size_t piece = random() % 24; piece > 0; --piece) {
            text += pieces[random() % pieces.size()];
        }
        const auto expected = SlowReader(text).read();
        refused += expected ? 0 : 1;
        ASSERT_EQ(read_records(folder, text), expected) << text;
    }
    EXPECT_GT(refused, files / 20);
    EXPECT_LT(refused, files - files / 20);
}

TEST(RandomTables, EveryColumnIsFoundWhereverItStands) {
    const TemporaryFolder folder(memory_folder());
    std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): likewise
    const Record classes{"oak", "ash, grey", "\"elm\"", "two\nlines", " pine "};
    for (int file = 0; file < 300; ++file) {
        const std::size_t rows = 12 + random() % 20;
        std::string order = "wl123";  // words, labels, coordinates
        std::shuffle(order.begin(), order.end(), random);
        const bool header = random() % 2 == 0;
        std::string text;
        for (const char column : header ? order : "") {
            append_field(text.append(text.empty() ? "" : ","), std::string("the ") + column, ',');
        }
        text += header ? "\n" : "";
        Dataset expected;
        std::vector<float> numbers;
        Record labels;
        for (std::size_t row = 0; row < rows; ++row) {
            std::string line;
            for (const char column : order) {
                line += line.empty() ? "" : ",";
                if (column == 'w') {
                    append_field(line, expected.words.emplace_back("\"word\", " + std::to_string(row)), ',');
                } else if (column == 'l') {
                    append_field(line, labels.emplace_back(classes[random() % classes.size()]), ',');
                } else {
                    numbers.push_back(static_cast<float>(random()) / 1e9F - 2.0F);
                    append_number(line, numbers.back());
                }
            }
            text += line + (random() % 2 == 0 ? "\n" : "\r\n");
        }
        const Dataset data = read_points(folder.file("x.csv", text));
        Record names;
        for (const std::int64_t label : data.labels) {
            names.push_back(data.label_names.at(static_cast<std::size_t>(label)));
        }
        ASSERT_EQ(names, labels) << text;
        ASSERT_EQ(data.words, expected.words);
        ASSERT_EQ(std::vector<float>(data.points.data, data.points.data + numbers.size()), numbers);
        ASSERT_EQ(data.points.dimension, 3U);
        ASSERT_EQ(data.column_names.size(), header ? 3U : 0U);
    }
}

}  // namespace
}  // namespace isogon::random_tables_test
