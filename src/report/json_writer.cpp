#include "report/json_writer.hpp"

#include <utility>

#include "report/json_text.hpp"

namespace isogon {

void JsonWriter::separate() {
    if (needs_comma_) {
        json_ += ',';
    }
    needs_comma_ = true;
}

JsonWriter& JsonWriter::begin_object() {
    separate();
    json_ += '{';
    needs_comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::end_object() {
    json_ += '}';
    needs_comma_ = true;
    return *this;
}

JsonWriter& JsonWriter::begin_array() {
    separate();
    json_ += '[';
    needs_comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::end_array() {
    json_ += ']';
    needs_comma_ = true;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    separate();
    append_json_text(json_, name);
    json_ += ':';
    needs_comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
    separate();
    append_json_text(json_, value);
    return *this;
}

JsonWriter& JsonWriter::number(double value) {
    separate();
    append_json_number(json_, value);
    return *this;
}

JsonWriter& JsonWriter::flag(bool value) {
    return raw(value ? "true" : "false");
}

JsonWriter& JsonWriter::null() {
    return raw("null");
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    separate();
    json_ += json;
    return *this;
}

std::string JsonWriter::take() {
    needs_comma_ = false;
    return std::exchange(json_, {});
}

}  // namespace isogon
