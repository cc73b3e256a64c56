#pragma once
// JSON of the documents of reports, and the parts that reports and charts share: origin, run, score.

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "isogon/report/report.hpp"

namespace isogon {

/// Appends a text to JSON, in quotes. The result is safe in any place of the page: '<' becomes \u003c, so that no text
/// can end the script element that holds the document, and U+2028 and U+2029, line ends to scripts, are escaped too.
/// Bytes that are not UTF-8 become U+FFFD, one for each maximal beginning of an incomplete character (Unicode, chapter
/// 3, "Substitution of Maximal Subparts").
void append_json_text(std::string& json, std::string_view text);

/// The same document with every '<' (which JSON has within strings only), U+2028 and U+2029 escaped.
[[nodiscard]] std::string escaped_for_page(std::string_view json);

/// Writes JSON in order, piece by piece, so that large values are never in memory twice. It writes the commas; the
/// caller must close every object and array that it opens.
class JsonWriter {
public:
    JsonWriter& begin_object() { return open('{'); }
    JsonWriter& end_object() { return close('}'); }
    JsonWriter& begin_array() { return open('['); }
    JsonWriter& end_array() { return close(']'); }
    /// The name of the next value of an object.
    JsonWriter& key(std::string_view name);

    JsonWriter& text(std::string_view value);
    JsonWriter& number(double value);  ///< with the fewest digits that reproduce it; null if it is not finite
    JsonWriter& null() { return raw("null"); }
    JsonWriter& whole(std::integral auto value) { return raw(std::to_string(value)); }
    /// A value that is JSON already.
    JsonWriter& raw(std::string_view json);
    /// A text that `append` appends without its quotes: of plain ASCII that needs no escape, such as base64.
    template <class Append>
    JsonWriter& plain_text(Append append) {
        raw("\"");
        append(json_);
        json_ += '"';
        return *this;
    }

    /// key(name) and a value.
    JsonWriter& text(std::string_view name, std::string_view value) { return key(name).text(value); }
    JsonWriter& number(std::string_view name, double value) { return key(name).number(value); }
    JsonWriter& whole(std::string_view name, std::integral auto value) { return key(name).whole(value); }
    /// key(name) and an array of texts, whole numbers or numbers.
    template <class Items>
    JsonWriter& list(std::string_view name, const Items& items) {
        key(name).begin_array();
        for (const auto& item : items) {
            if constexpr (std::is_convertible_v<decltype(item), std::string_view>) {
                text(item);
            } else if constexpr (std::is_integral_v<std::decay_t<decltype(item)>>) {
                whole(item);
            } else {
                number(item);
            }
        }
        return end_array();
    }

    [[nodiscard]] const std::string& json() const { return json_; }
    /// Moves the text out; the writer is empty afterwards.
    [[nodiscard]] std::string take();

private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void separate();

    std::string json_;
    bool needs_comma_ = false;
};

/// Writes "made": program, machine and time of the report; unknown fields are omitted.
void write_origin(JsonWriter& json, const ReportOrigin& origin);

/// Writes "run": method, options, how it ended, and its trace, thinned to some two thousand lines.
void write_run(JsonWriter& json, const ReportRun& run);

/// Writes the measures of a score, by the names that `isogon score` has for them. Where no two points are near in the
/// input, those of near pairs are of points with themselves alone, and null here.
void write_score(JsonWriter& json, const Score& score);

}  // namespace isogon
