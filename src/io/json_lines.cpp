#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/array_reader.hpp"
#include "io/label_numbers.hpp"
#include "io/point_formats.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

using Json = nlohmann::json;

/// "response.data.0.embedding" as a pointer; a part of digits counts in an array.
Json::json_pointer pointer_of(const std::string& path) {
    Json::json_pointer pointer;
    for (std::size_t begin = 0; !path.empty() && begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        pointer.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return pointer;
}

std::string joined(const std::string& path, const std::string& part) {
    return path.empty() ? part : path + "." + part;
}

/// What stands there; null where nothing does.
const Json* find(const Json& json, const Json::json_pointer& pointer) {
    try {
        return json.contains(pointer) ? &json.at(pointer) : nullptr;
    } catch (const Json::exception&) {  // a number of an element beyond all
        return nullptr;
    }
}

/// The paths of all lists of numbers in a line, down to some levels: a line may be nested millions deep.
void find_vectors(const Json& json, const std::string& path, int levels, std::vector<std::string>& found) {
    if (json.is_array() && !json.empty() &&
        std::ranges::all_of(json, [](const Json& item) { return item.is_number(); })) {
        found.push_back(path);
    } else if (json.is_structured() && levels > 0) {
        for (const auto& [key, value] : json.items()) {
            find_vectors(value, joined(path, key), levels - 1, found);
        }
    }
}

/// One object a line (JSON Lines): where in each its vector is, its word and its label.
class JsonLinesReader {
public:
    JsonLinesReader(ByteStream& stream, const ReadOptions& options) : lines_(stream) {
        if (!next()) {
            stream.fail("", "holds no lines");
        }
        find_vector(options.vectors);
        word_ = member(options.word_column, {"word", "id", "text"});
        label_ = member(options.label_column, {"label"});
        dimension_ = json_.at(vector_).size();
    }

    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] bool has_words() const { return word_.has_value(); }
    [[nodiscard]] bool has_labels() const { return label_.has_value(); }

    Dataset read(GrowingPoints points) {
        std::vector<std::string> words;
        LabelNumbers labels;
        std::uint64_t rows = 0;
        do {
            require_countable(lines_.stream(), ++rows);
            take_vector(points.extend(dimension_));
            if (word_) {
                words.push_back(text_at(*word_));
                lines_.stream().require_memory(2 * words.size() * sizeof(std::string));
            }
            if (label_) {
                labels.add(text_at(*label_));
            }
        } while (next());
        Dataset dataset = std::move(points).finish(static_cast<Index>(dimension_));
        dataset.words = std::move(words);
        dataset.labels = labels.labels();
        dataset.label_names = labels.names();
        return dataset;
    }

private:
    /// Parses the next line that is not blank; false at the end.
    bool next() {
        std::string_view line;
        do {
            if (!lines_.next(line)) {
                return false;
            }
        } while (trim(line).empty());
        json_ = Json::parse(line, nullptr, false);
        if (json_.is_discarded()) {
            lines_.fail(
                "is not one whole JSON value: JSON Lines has one object a line (jq -c '.[]' makes them of a list)");
        }
        return true;
    }

    void find_vector(const std::optional<std::string>& asked) {
        std::vector<std::string> found;
        find_vectors(json_, "", most_levels, found);
        std::string names;
        for (const std::string& path : found) {
            names += (names.empty() ? "" : ", ") + (path.empty() ? "the line itself" : path);
        }
        if (asked) {
            path_ = *asked;
            if (std::ranges::find(found, path_) == found.end()) {
                lines_.fail({"has no list of numbers at " + in_quotes(path_) + " (", Text::option("vectors"),
                             "); lists of numbers are " + (names.empty() ? "nowhere" : "at " + names)});
            }
        } else if (found.size() == 1) {
            path_ = found.front();
        } else {
            lines_.fail(found.empty() ? Text{"has no list of numbers: the vectors are not there"}
                                      : Text{"has lists of numbers at " + names + ": say which is the vector (",
                                             Text::option("vectors"), ")"});
        }
        vector_ = pointer_of(path_);
    }

    /// The path of a member of the first line: the one asked for, or the first of those it has.
    std::optional<std::string> member(const std::optional<std::string>& asked, const std::vector<std::string>& usual) {
        const auto has = [this](const std::string& path) {
            const Json* value = find(json_, pointer_of(path));
            return value != nullptr && value->is_primitive();
        };
        if (asked) {
            if (!has(*asked)) {
                lines_.fail("has no text and no number at " + in_quotes(*asked));
            }
            return asked;
        }
        const auto found =
            std::ranges::find_if(usual, [&](const auto& path) { return json_.is_object() && has(path); });
        return found == usual.end() ? std::nullopt : std::optional(*found);
    }

    /// A member of the line as text; nothing where there is none.
    std::string text_at(const std::string& path) {
        const Json* value = find(json_, pointer_of(path));
        if (value == nullptr || value->is_null()) {
            return "";
        }
        if (!value->is_primitive()) {
            lines_.fail("has no text and no number at " + in_quotes(path) + ", where line 1 has one");
        }
        return value->is_string() ? value->get<std::string>() : value->dump();
    }

    void take_vector(std::span<float> into) {
        const Json* found = find(json_, vector_);
        if (found == nullptr || !found->is_array()) {
            lines_.fail("has no list of numbers at " + in_quotes(path_) + ", where line 1 has one");
        }
        const Json& numbers = *found;
        if (numbers.size() != into.size()) {
            lines_.fail("has " + std::to_string(numbers.size()) + " numbers at " + in_quotes(path_) +
                        ", where line 1 has " + std::to_string(into.size()));
        }
        for (std::size_t k = 0; k < into.size(); ++k) {
            if (!numbers[k].is_number()) {
                lines_.fail("number " + std::to_string(k + 1) + " at " + in_quotes(path_) + " is " +
                            (numbers[k].is_primitive() ? numbers[k].dump() : numbers[k].type_name()));
            }
            const auto value = numbers[k].get<double>();
            if (std::abs(value) > double{std::numeric_limits<float>::max()}) {
                lines_.fail("number " + std::to_string(k + 1) + " at " + in_quotes(path_) + " is beyond float32");
            }
            into[k] = static_cast<float>(value);
        }
    }

    static constexpr int most_levels = 16;

    LineReader lines_;
    Json json_;  ///< of the last line
    std::string path_;
    Json::json_pointer vector_;
    std::optional<std::string> word_;
    std::optional<std::string> label_;
    std::size_t dimension_ = 0;
};

}  // namespace

Dataset read_json_lines(ByteStream& stream, const ReadOptions& options) {
    return JsonLinesReader(stream, options).read(GrowingPoints(stream));
}

FileInfo describe_json_lines(ByteStream& stream, const ReadOptions& options) {
    JsonLinesReader reader(stream, options);
    FileInfo info;
    info.format = Format::Jsonl;
    info.scalar = "text";
    info.has_words = reader.has_words();
    info.has_labels = reader.has_labels();
    const Dataset counted = reader.read(GrowingPoints(GrowingPoints::Count{}));
    info.shape = {counted.points.count, counted.points.dimension};
    return info;
}

}  // namespace isogon
