#include "io/word_lists.hpp"

#include <limits>
#include <string>
#include <string_view>

#include "io/byte_stream.hpp"
#include "io/text_file.hpp"

namespace isogon {

std::vector<std::string> read_names(const std::filesystem::path& path) {
    ByteStream stream(path);
    LineReader lines(stream);
    std::vector<std::string> names;
    std::string_view line;
    while (lines.next(line)) {
        names.emplace_back(line);
    }
    while (!names.empty() && names.back().empty()) {
        names.pop_back();
    }
    if (names.empty()) {
        stream.fail("", "holds no names; write one a line");
    }
    return names;
}

namespace {

/// Removes the first word of a trimmed text, and the white space after it; returns the word.
std::string_view take_word(std::string_view& text) {
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    text = trim(text);
    return word;
}

class QuestionReader {
public:
    explicit QuestionReader(ByteStream& stream) : lines_(stream) {}

    AnalogyQuestions read() {
        std::string_view line;
        while (lines_.next(line)) {
            line = trim(line);
            if (line.starts_with(':')) {
                add_category(trim(line.substr(1)));
            } else if (!line.empty()) {
                add_question(line);
            }
        }
        if (result_.questions.empty()) {
            lines_.stream().fail("", "holds no questions; a line of four words is one, after a line \": category\"");
        }
        return std::move(result_);
    }

private:
    void add_category(std::string_view name) {
        if (name.empty()) {
            lines_.fail("the category has no name; write it after the colon, as in \": family\"");
        }
        require_countable(result_.categories.size(), "categories");
        result_.categories.emplace_back(name);
    }

    void add_question(std::string_view line) {
        if (result_.categories.empty()) {
            lines_.fail("a line \": category\" must come before the first question; is this a file of analogies?");
        }
        require_countable(result_.questions.size(), "questions");
        AnalogyQuestion question;
        std::size_t words = 0;
        while (!line.empty()) {
            const std::string_view word = take_word(line);
            if (words < question.words.size()) {
                question.words[words] = word;
            }
            ++words;
        }
        if (words != question.words.size()) {
            lines_.fail("has " + std::to_string(words) + (words == 1 ? " word" : " words") +
                        ", where a question has four: a is to b as c is to d");
        }
        question.category = static_cast<Index>(result_.categories.size() - 1);
        result_.questions.push_back(std::move(question));
    }

    void require_countable(std::size_t count, const std::string& what) const {
        if (count == std::numeric_limits<Index>::max()) {
            lines_.fail("more than " + std::to_string(count) + " " + what + "; split the file");
        }
    }

    LineReader lines_;
    AnalogyQuestions result_;
};

}  // namespace

AnalogyQuestions read_questions(const std::filesystem::path& path) {
    ByteStream stream(path);
    return QuestionReader(stream).read();
}

}  // namespace isogon
