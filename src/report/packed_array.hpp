#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isogon/core/points.hpp"
#include "report/json_writer.hpp"
#include "report/packed_text.hpp"

namespace isogon {

/// value = offset + scale * stored: what turns the whole numbers of an array back into numbers.
struct Scaling {
    double scale = 1.0;
    double offset = 0.0;
};

/// 16 bits stand for "none" at this value, where an array may lack a number.
inline constexpr std::uint16_t no_number = 65535;

/// The arrays of a report (docs/report_data.md): type, shape, scaling, and the packed numbers, little-endian, row by
/// row. Each writes one JSON value.
void write_array(JsonWriter& json, std::span<const std::uint8_t> values, const std::vector<std::size_t>& shape);
void write_array(JsonWriter& json, std::span<const std::uint16_t> values, const std::vector<std::size_t>& shape,
                 const std::optional<Scaling>& scaling = {});
void write_array(JsonWriter& json, std::span<const std::uint32_t> values, const std::vector<std::size_t>& shape);
void write_array(JsonWriter& json, std::span<const float> values, const std::vector<std::size_t>& shape);

/// Numbers below `count` in the smallest type that holds them.
void write_small_array(JsonWriter& json, std::span<const std::uint32_t> values, std::uint64_t count);

/// An array of bytes that come row by row: fill(i, row) fills row i of `shape`.
void write_rows(JsonWriter& json, const std::vector<std::size_t>& shape,
                const std::function<void(std::size_t, std::span<std::uint8_t>)>& fill);

/// Points in 16 bits a number, each column over its own range: off by at most the range over 131,070.
void write_coordinates(JsonWriter& json, const PointsView& points);

/// Angles in hundredths of a degree; negative ones are none.
[[nodiscard]] std::uint16_t angle_code(double degrees);
inline constexpr Scaling angle_scaling{0.01, 0.0};

}  // namespace isogon
