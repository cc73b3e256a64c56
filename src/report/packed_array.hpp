#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/gzip_packer.hpp"
#include "isogon/core/points.hpp"
#include "report/json_writer.hpp"

namespace isogon {

/// Bytes as text (RFC 4648, section 4), appended to a string in pieces.
class Base64 {
public:
    explicit Base64(std::string& text) : text_(text) {}

    void write(std::string_view bytes);
    /// Appends the remaining bytes, padded with '='. Call it once, last.
    void finish();

private:
    void append_group(std::size_t bytes);

    std::string& text_;
    std::array<unsigned char, 3> group_{};
    std::size_t used_ = 0;
};

/// Bytes, packed as gzip and then as base64, appended to a string in pieces: the form of large values in a page (the
/// browser decompresses them, DecompressionStream). The same bytes give the same text.
class PackedText {
public:
    explicit PackedText(std::string& text)
        : base64_(text), packer_([this](std::string_view packed) { base64_.write(packed); }) {}
    PackedText(const PackedText&) = delete;  // the packer holds the address of base64_
    PackedText& operator=(const PackedText&) = delete;

    void write(std::string_view bytes) { packer_.write(bytes); }
    /// Call it once, last.
    void finish() {
        packer_.finish();
        base64_.finish();
    }

private:
    Base64 base64_;
    GzipPacker packer_;
};

/// value = offset + scale * stored: the conversion of the whole numbers of an array.
struct Scaling {
    double scale = 1.0;
    double offset = 0.0;
};

/// The code of a missing number in an array of 16 bits.
inline constexpr std::uint16_t no_number = 65535;

/// The arrays of a report (docs/report_data.md): type, shape, scaling, and the packed numbers, little-endian, row by
/// row. Each writes one JSON value.
void write_array(JsonWriter& json, std::span<const std::uint8_t> values, const std::vector<std::size_t>& shape);
void write_array(JsonWriter& json, std::span<const std::uint16_t> values, const std::vector<std::size_t>& shape,
                 const std::optional<Scaling>& scaling = {});
void write_array(JsonWriter& json, std::span<const std::uint32_t> values, const std::vector<std::size_t>& shape);
void write_array(JsonWriter& json, std::span<const float> values, const std::vector<std::size_t>& shape);
void write_array(JsonWriter& json, std::span<const double> values, const std::vector<std::size_t>& shape);

/// Numbers below `count` in the smallest type that holds them.
void write_small_array(JsonWriter& json, std::span<const std::uint32_t> values, std::uint64_t count);

/// Writes "labels": the names of the classes and the class of each point; null without labels.
void write_classes(JsonWriter& json, const Classes& labels);

/// Texts, at least one, as one value: base64 of gzip of a JSON list.
template <class Texts>
void write_packed_texts(JsonWriter& json, const Texts& texts) {
    json.plain_text([&](std::string& text) {
        PackedText packed(text);
        std::string piece = "[";
        for (const auto& one : texts) {
            append_json_text(piece, one);
            piece += &one == &texts.back() ? ']' : ',';
            packed.write(piece);
            piece.clear();
        }
        packed.finish();
    });
}

/// An array of bytes that is written row by row: fill(i, row) fills row i of `shape`.
void write_rows(JsonWriter& json, const std::vector<std::size_t>& shape,
                const std::function<void(std::size_t, std::span<std::uint8_t>)>& fill);

/// Points in 16 bits a number, each column over its own range: off by at most the range over 131,070. Of 3 numbers or
/// fewer in 32 bits, exactly, where a few points lie so far from all others that the rest would share few steps.
void write_coordinates(JsonWriter& json, const PointsView& points);

/// Angles in hundredths of a degree; negative ones are none.
[[nodiscard]] std::uint16_t angle_code(double degrees);
inline constexpr Scaling angle_scaling{0.01, 0.0};

}  // namespace isogon
