#include "io/safetensors_json.hpp"

#include <set>
#include <vector>

namespace isogon {

namespace {

using Json = nlohmann::json;

/// Watches a parse: keeps the keys of the objects that are open.
class Watch {
public:
    Watch(int most_levels, std::size_t offset) : most_levels_(most_levels), offset_(offset) {}

    bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
        using Event = Json::parse_event_t;
        if ((event == Event::object_start || event == Event::array_start) && depth >= most_levels_) {
            throw SafetensorsFault(place(),
                                   "the JSON is nested more than " + std::to_string(most_levels_) + " levels deep");
        }
        if (event == Event::object_start) {
            keys_.emplace_back();
        } else if (event == Event::object_end) {
            keys_.pop_back();
        } else if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second) {
            throw SafetensorsFault(place(), "the key " + shown_text(parsed.get<std::string>()) + " comes twice");
        }
        return true;
    }

private:
    [[nodiscard]] std::string place() const { return "JSON from byte " + std::to_string(offset_); }

    int most_levels_;
    std::size_t offset_;
    std::vector<std::set<std::string>> keys_;
};

}  // namespace

nlohmann::json parse_strict_json(std::string_view text, int most_levels, std::size_t offset) {
    // The parser takes a zero byte for the end of the text.
    const std::size_t zero = text.find('\0');
    if (zero != std::string_view::npos) {
        throw SafetensorsFault("byte " + std::to_string(offset + zero), "a zero byte within JSON");
    }
    try {
        return Json::parse(text, [watch = Watch(most_levels, offset)](int depth, Json::parse_event_t event,
                                                                      const Json& parsed) mutable {
            return watch(depth, event, parsed);
        });
    } catch (const Json::parse_error& error) {
        const std::size_t read = error.byte > 0 ? error.byte - 1 : 0;
        throw SafetensorsFault("byte " + std::to_string(offset + read), "is not valid JSON here");
    } catch (const Json::exception&) {
        throw SafetensorsFault("JSON from byte " + std::to_string(offset), "holds a number beyond float64's range");
    }
}

std::string shown_text(std::string_view text) {
    constexpr std::size_t most = 40;
    std::string shown(text.substr(0, most));
    for (char& c : shown) {
        c = c < ' ' || c > '~' ? '?' : c;
    }
    return '\'' + shown + (text.size() > most ? "...'" : "'");
}

}  // namespace isogon
