#include "report/packed_array.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

namespace isogon {

namespace {
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}  // namespace

void Base64::append_group(std::size_t bytes) {
    const unsigned bits = unsigned{group_[0]} << 16U | unsigned{group_[1]} << 8U | unsigned{group_[2]};
    text_ += alphabet[bits >> 18U];
    text_ += alphabet[bits >> 12U & 63U];
    text_ += bytes > 1 ? alphabet[bits >> 6U & 63U] : '=';
    text_ += bytes > 2 ? alphabet[bits & 63U] : '=';
}

void Base64::write(std::string_view bytes) {
    for (const char byte : bytes) {
        group_.at(used_) = static_cast<unsigned char>(byte);
        if (++used_ == group_.size()) {
            append_group(used_);
            used_ = 0;
        }
    }
}

void Base64::finish() {
    if (used_ > 0) {
        std::fill(group_.begin() + static_cast<std::ptrdiff_t>(used_), group_.end(), static_cast<unsigned char>(0));
        append_group(used_);
    }
    used_ = 0;
}

namespace {

template <class Number>
void append_little_endian(std::string& bytes, Number number) {
    using Large = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
    using Bits = std::conditional_t<sizeof(Number) == 1, std::uint8_t,
                                    std::conditional_t<sizeof(Number) == 2, std::uint16_t, Large>>;
    const std::uint64_t bits = std::bit_cast<Bits>(number);
    for (std::size_t k = 0; k < sizeof(Number); ++k) {
        bytes += static_cast<char>(bits >> (8 * k) & 255U);
    }
}

void begin_array_value(JsonWriter& json, std::string_view type, const std::vector<std::size_t>& shape) {
    json.begin_object().text("type", type).list("shape", shape);
}

/// Packs `count` pieces of bytes, some at a time; piece(i, bytes) appends the i-th.
template <class Piece>
void end_array_value(JsonWriter& json, std::size_t count, Piece piece) {
    constexpr std::size_t enough = std::size_t{64} * 1024;
    json.key("gzip").plain_text([&](std::string& text) {
        PackedText packed(text);
        std::string bytes;
        for (std::size_t i = 0; i < count; ++i) {
            piece(i, bytes);
            if (bytes.size() >= enough) {
                packed.write(bytes);
                bytes.clear();
            }
        }
        packed.write(bytes);
        packed.finish();
    });
    json.end_object();
}

template <class Number>
void write_numbers(JsonWriter& json, std::string_view type, std::span<const Number> values,
                   const std::vector<std::size_t>& shape, const std::optional<Scaling>& scaling = {}) {
    begin_array_value(json, type, shape);
    if (scaling) {
        json.number("scale", scaling->scale).number("offset", scaling->offset);
    }
    end_array_value(json, values.size(),
                    [&](std::size_t i, std::string& bytes) { append_little_endian(bytes, values[i]); });
}

/// The ranges of the columns. A column of one value has scale 0.
std::vector<Scaling> column_ranges(const PointsView& points) {
    std::vector<Scaling> ranges(points.dimension);
    for (Index k = 0; k < points.dimension && points.count > 0; ++k) {
        float low = points[0][k];
        float high = low;
        for (Index i = 1; i < points.count; ++i) {
            low = std::min(low, points[i][k]);
            high = std::max(high, points[i][k]);
        }
        ranges[k] = {(double{high} - double{low}) / std::numeric_limits<std::uint16_t>::max(), double{low}};
    }
    return ranges;
}

constexpr Index most_map_dimensions = 3;

/// Whether a column has values so far from nearly all others that these would be in few steps of 16 bits.
bool has_outliers(const PointsView& points) {
    constexpr Index few = 10;
    constexpr Index of_each_end = 50;  // one in so many values may lie far off
    constexpr double far = 16.0;
    if (points.count < few) {
        return false;
    }
    const auto skipped = static_cast<std::ptrdiff_t>(std::max<Index>(1, points.count / of_each_end));
    std::vector<float> values(points.count);
    for (Index k = 0; k < points.dimension; ++k) {
        for (Index i = 0; i < points.count; ++i) {
            values[i] = points[i][k];
        }
        std::nth_element(values.begin(), values.begin() + skipped, values.end());
        const double low = values[static_cast<std::size_t>(skipped)];
        std::nth_element(values.begin(), values.end() - 1 - skipped, values.end());
        const double high = *(values.end() - 1 - skipped);
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        if (high > low && double{*most} - double{*least} > far * (high - low)) {
            return true;
        }
    }
    return false;
}

std::uint16_t code_in(const Scaling& range, float value) {
    return range.scale > 0.0 ? static_cast<std::uint16_t>(std::lround((double{value} - range.offset) / range.scale))
                             : std::uint16_t{0};
}

}  // namespace

void write_array(JsonWriter& json, std::span<const std::uint8_t> values, const std::vector<std::size_t>& shape) {
    write_numbers(json, "uint8", values, shape);
}

void write_array(JsonWriter& json, std::span<const std::uint16_t> values, const std::vector<std::size_t>& shape,
                 const std::optional<Scaling>& scaling) {
    write_numbers(json, "uint16", values, shape, scaling);
}

void write_array(JsonWriter& json, std::span<const std::uint32_t> values, const std::vector<std::size_t>& shape) {
    write_numbers(json, "uint32", values, shape);
}

void write_array(JsonWriter& json, std::span<const float> values, const std::vector<std::size_t>& shape) {
    write_numbers(json, "float32", values, shape);
}

void write_array(JsonWriter& json, std::span<const double> values, const std::vector<std::size_t>& shape) {
    write_numbers(json, "float64", values, shape);
}

void write_small_array(JsonWriter& json, std::span<const std::uint32_t> values, std::uint64_t count) {
    // The largest number of a type is reserved: it may mean "none".
    const std::vector<std::size_t> shape{values.size()};
    if (count <= std::numeric_limits<std::uint8_t>::max()) {
        write_array(json, std::vector<std::uint8_t>(values.begin(), values.end()), shape);
    } else if (count <= std::numeric_limits<std::uint16_t>::max()) {
        write_array(json, std::vector<std::uint16_t>(values.begin(), values.end()), shape);
    } else {
        write_array(json, values, shape);
    }
}

void write_classes(JsonWriter& json, const Classes& labels) {
    json.key("labels");
    if (labels.empty()) {
        json.null();
        return;
    }
    json.begin_object().list("names", labels.names).key("index");
    write_small_array(json, labels.index, labels.names.size());
    json.end_object();
}

void write_rows(JsonWriter& json, const std::vector<std::size_t>& shape,
                const std::function<void(std::size_t, std::span<std::uint8_t>)>& fill) {
    begin_array_value(json, "uint8", shape);
    std::vector<std::uint8_t> row(shape.back());
    end_array_value(json, shape.front(), [&](std::size_t i, std::string& bytes) {
        fill(i, row);
        bytes.append(row.begin(), row.end());
    });
}

void write_coordinates(JsonWriter& json, const PointsView& points) {
    if (points.dimension <= most_map_dimensions && has_outliers(points)) {
        begin_array_value(json, "float32", {points.count, points.dimension});
        end_array_value(json, points.count, [&](std::size_t i, std::string& bytes) {
            for (const float value : points[static_cast<Index>(i)]) {
                append_little_endian(bytes, value);
            }
        });
        return;
    }
    const std::vector<Scaling> ranges = column_ranges(points);
    begin_array_value(json, "uint16", {points.count, points.dimension});
    std::vector<double> numbers(ranges.size());
    std::transform(ranges.begin(), ranges.end(), numbers.begin(), [](const Scaling& range) { return range.scale; });
    json.list("scale", numbers);
    std::transform(ranges.begin(), ranges.end(), numbers.begin(), [](const Scaling& range) { return range.offset; });
    json.list("offset", numbers);
    end_array_value(json, points.count, [&](std::size_t i, std::string& bytes) {
        const auto row = points[static_cast<Index>(i)];
        for (std::size_t k = 0; k < row.size(); ++k) {
            append_little_endian(bytes, code_in(ranges[k], row[k]));
        }
    });
}

std::uint16_t angle_code(double degrees) {
    constexpr double most = 180.0;
    return degrees < 0.0 ? no_number
                         : static_cast<std::uint16_t>(std::lround(std::min(degrees, most) / angle_scaling.scale));
}

}  // namespace isogon
