#include "io/npy_dictionary.hpp"

#include <charconv>

namespace isogon {

namespace {

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    NpyDictionary parse() {
        expect('{');
        while (!accept('}')) {
            entry();
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        if (peek() != '\0' || position_ < text_.size()) {
            fail("something follows the dictionary");
        }
        require_all_keys();
        return result_;
    }

private:
    [[noreturn]] void fail(const std::string& why) const { throw NpySyntaxError(position_, why); }

    char peek() {
        while (position_ < text_.size() &&
               std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos) {
            ++position_;
        }
        return position_ < text_.size() ? text_[position_] : '\0';
    }

    bool accept(char c) {
        const bool here = peek() == c && position_ < text_.size();
        position_ += here ? 1 : 0;
        return here;
    }

    void expect(char c) {
        if (!accept(c)) {
            fail(std::string("expected '") + c + "'");
        }
    }

    std::string string() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') {
            fail("expected a string in quotes");
        }
        const std::size_t end = text_.find(quote, position_ + 1);
        if (end == std::string_view::npos) {
            fail("the string that begins here has no end");
        }
        std::string content(text_.substr(position_ + 1, end - position_ - 1));
        position_ = end + 1;
        return content;
    }

    bool boolean() {
        peek();
        for (const std::string_view word : {"True", "False"}) {
            if (text_.substr(position_, word.size()) == word) {
                position_ += word.size();
                return word == "True";
            }
        }
        fail("expected True or False");
    }

    std::uint64_t whole_number() {
        peek();
        std::uint64_t value = 0;
        const auto parsed = std::from_chars(text_.data() + position_, text_.data() + text_.size(), value);
        if (parsed.ec != std::errc{}) {
            fail(parsed.ec == std::errc::result_out_of_range ? "the size is beyond 64 bits"
                                                             : "expected a whole number");
        }
        position_ = static_cast<std::size_t>(parsed.ptr - text_.data());
        accept('L');
        return value;
    }

    void tuple() {
        expect('(');
        while (!accept(')')) {
            result_.shape.push_back(whole_number());
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
    }

    /// Steps over a list with all it holds; brackets within strings do not count.
    void list() {
        std::size_t depth = 0;
        do {
            const char c = peek();
            if (c == '\0') {
                fail("a list has no end");
            }
            if (c == '\'' || c == '"') {
                string();
                continue;
            }
            depth += c == '[' ? 1 : 0;
            depth -= c == ']' ? 1 : 0;
            ++position_;
        } while (depth > 0);
    }

    void entry() {
        const std::string key = string();
        expect(':');
        bool& seen = key == "descr" ? has_descr_ : key == "shape" ? has_shape_ : has_order_;
        if (key != "descr" && key != "shape" && key != "fortran_order") {
            fail("the key '" + key + "' is none of descr, fortran_order, shape");
        }
        if (seen) {
            fail("the key '" + key + "' comes twice");
        }
        seen = true;
        value(key);
    }

    void value(const std::string& key) {
        if (key == "shape") {
            tuple();
        } else if (key == "fortran_order") {
            result_.fortran_order = boolean();
        } else if (peek() == '[') {
            list();
            result_.structured = true;
        } else {
            result_.descr = string();
        }
    }

    void require_all_keys() const {
        if (!has_descr_ || !has_order_ || !has_shape_) {
            fail(std::string("the key '") +
                 (!has_descr_   ? "descr"
                  : !has_order_ ? "fortran_order"
                                : "shape") +
                 "' is missing");
        }
    }

    std::string_view text_;
    std::size_t position_ = 0;
    NpyDictionary result_;
    bool has_descr_ = false;
    bool has_order_ = false;
    bool has_shape_ = false;
};

}  // namespace

NpyDictionary parse_npy_dictionary(std::string_view text) {
    return Parser(text).parse();
}

}  // namespace isogon
