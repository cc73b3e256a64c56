#include "io/point_formats.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <set>

#include "io/scalar_type.hpp"
#include "io/text_file.hpp"

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

    /// Skips a list with its content; brackets within strings do not count.
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
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
            fail("the key '" + key + "' is none of descr, fortran_order, shape");
        }
        if (!seen_.insert(key).second) {
            fail("the key '" + key + "' comes twice");
        }
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
        for (const std::string_view key : keys) {
            if (!seen_.contains(key)) {
                fail("the key '" + std::string(key) + "' is missing");
            }
        }
    }

    static constexpr std::array<std::string_view, 3> keys{"descr", "fortran_order", "shape"};

    std::string_view text_;
    std::size_t position_ = 0;
    NpyDictionary result_;
    std::set<std::string, std::less<>> seen_;
};

}  // namespace

NpyDictionary parse_npy_dictionary(std::string_view text) {
    return Parser(text).parse();
}

namespace {

constexpr std::string_view npy_magic("\x93NUMPY", 6);
constexpr std::size_t npy_alignment = 64;
// numpy itself refuses headers over 10,000 bytes unless trusted (numpy.load, max_header_size); shapes need far less.
constexpr std::size_t most_npy_header_bytes = std::size_t{1024} * 1024;
constexpr std::size_t most_axes = 64;
constexpr std::int64_t most_text = 64;

// The order is that of ScalarType.
constexpr std::array<std::string_view, 12> npy_types{"b1", "i1", "u1", "i2", "u2", "i4",
                                                     "u4", "i8", "u8", "f2", "f4", "f8"};

/// The name of an unsupported type, for messages.
std::string_view foreign_kind(char kind) {
    switch (kind) {
        case 'O': return "Python objects";
        case 'c': return "complex numbers";
        case 'S':
        case 'a':
        case 'U': return "text";
        case 'V': return "raw or structured records";
        case 'M':
        case 'm': return "dates or times";
        case 'f': return "floating-point numbers of an unusual size";
        default: return "values of an unknown type";
    }
}

std::optional<ScalarType> plain_type(std::string_view kind_and_size) {
    const auto found = std::find(npy_types.begin(), npy_types.end(), kind_and_size);
    return found == npy_types.end() ? std::nullopt : std::optional(static_cast<ScalarType>(found - npy_types.begin()));
}

/// Sets type and byte order of `layout` from "<f4" and the like.
void apply_descr(const ByteStream& stream, std::string_view descr, ArrayLayout& layout) {
    std::string_view type = descr;
    layout.order = std::endian::native;
    if (!type.empty() && std::string_view("<>|=").find(type.front()) != std::string_view::npos) {
        layout.order = type.front() == '<'   ? std::endian::little
                       : type.front() == '>' ? std::endian::big
                                             : std::endian::native;
        type.remove_prefix(1);
    }
    const auto scalar = plain_type(type);
    if (!scalar) {
        stream.fail("", "the array holds " + std::string(foreign_kind(type.empty() ? '\0' : type.front())) +
                            " (dtype '" + std::string(descr) +
                            "'); save it as float32, for instance with array.astype('float32')");
    }
    layout.scalar = *scalar;
}

std::size_t read_header_length(ByteStream& stream) {
    std::array<char, 8> start{};
    stream.read(start, "the first eight bytes of an .npy header");
    if (std::string_view(start.data(), npy_magic.size()) != npy_magic) {
        stream.fail("byte 0", "is not .npy: that begins with \\x93NUMPY");
    }
    const int version = static_cast<unsigned char>(start[6]);
    if (version < 1 || version > 3 || start[7] != 0) {
        stream.fail("byte 6", ".npy version " + std::to_string(version) + "." +
                                  std::to_string(static_cast<unsigned char>(start[7])) +
                                  " is unknown; 1.0, 2.0 and 3.0 can be read");
    }
    std::array<char, 4> length{};
    stream.read(std::span(length).first(version == 1 ? 2 : 4), "the length of an .npy header");
    return load<std::uint32_t>(length.data(), std::endian::little);
}

std::string read_dictionary_text(ByteStream& stream) {
    const std::size_t length = read_header_length(stream);
    if (length > most_npy_header_bytes) {
        stream.fail("byte 8", "an .npy header of " + std::to_string(length) + " bytes; at most " +
                                  std::to_string(most_npy_header_bytes) + " make sense");
    }
    std::string text(length, '\0');
    stream.read(text, "the .npy header");
    return text;
}

NpyDictionary read_dictionary(ByteStream& stream) {
    const std::string text = read_dictionary_text(stream);
    try {
        return parse_npy_dictionary(text);
    } catch (const NpySyntaxError& error) {
        stream.fail("byte " + std::to_string(stream.position() - text.size() + error.position()),
                    std::string("the .npy header is damaged: ") + error.what());
    }
}

std::string header_of(const std::string& descr, const std::vector<std::uint64_t>& shape) {
    std::string dictionary = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape_text(shape) + ", }";
    constexpr std::size_t fixed = 10;  // magic, version, length
    const std::size_t used = fixed + dictionary.size() + 1;
    dictionary.append((npy_alignment - used % npy_alignment) % npy_alignment, ' ');
    dictionary += '\n';
    std::string bytes(npy_magic);
    bytes += std::string("\x01\x00", 2);
    store(bytes, static_cast<std::uint16_t>(dictionary.size()), std::endian::little);
    return bytes + dictionary;
}

}  // namespace

bool is_npy(std::string_view first_bytes) {
    return first_bytes.substr(0, npy_magic.size()) == npy_magic;
}

ArrayLayout read_npy_header(ByteStream& stream) {
    NpyDictionary dictionary = read_dictionary(stream);
    if (dictionary.structured) {
        stream.fail("", "the array holds structured records (a dtype with named fields); save one plain array instead");
    }
    ArrayLayout layout;
    apply_descr(stream, dictionary.descr, layout);
    layout.fortran_order = dictionary.fortran_order;
    layout.shape = std::move(dictionary.shape);
    if (layout.shape.empty() || layout.shape.size() > most_axes) {
        stream.fail("", layout.shape.empty() ? "holds a single number (shape ()), not points"
                                             : "has " + std::to_string(layout.shape.size()) + " axes; numpy allows 64");
    }
    return layout;
}

std::string read_npy_text(ByteStream& stream) {
    const NpyDictionary dictionary = read_dictionary(stream);
    std::string_view descr = dictionary.descr;
    descr.remove_prefix(descr.find_first_not_of("<>|=") == 1 ? 1 : 0);
    const bool wide = descr.starts_with('U');
    const auto length = parse_integer(descr.substr(std::min<std::size_t>(1, descr.size())));
    if (dictionary.structured || !dictionary.shape.empty() || !(wide || descr.starts_with('S')) || !length ||
        *length < 1 || *length > most_text) {
        stream.fail("", "must hold one short text (dtype 'S' or 'U', shape ())");
    }
    const std::size_t width = wide ? 4 : 1;
    std::string bytes(static_cast<std::size_t>(*length) * width, '\0');
    stream.read(bytes, "a text");
    stream.require_end();
    std::string text;
    for (const char c : bytes) {  // in plain ASCII, whatever the byte order, all others are zeros
        text += c == '\0' ? "" : std::string(1, c);
    }
    return text;
}

std::string npy_header(ScalarType scalar, const std::vector<std::uint64_t>& shape) {
    return header_of((size_of(scalar) == 1 ? "|" : "<") + std::string(npy_types.at(static_cast<std::size_t>(scalar))),
                     shape);
}

std::string npy_text(std::string_view text) {
    return header_of("|S" + std::to_string(text.size()), {}) + std::string(text);
}

}  // namespace isogon
