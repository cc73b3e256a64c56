#include <cmath>
#include <limits>

#include "io/byte_order.hpp"
#include "io/idx.hpp"
#include "io/npy.hpp"
#include "io/point_writers.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// Appends a row as float32 of the given byte order.
void append_row(std::string& bytes, std::span<const float> row, std::endian order) {
    if (order == std::endian::native) {
        bytes.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
        return;
    }
    for (const float value : row) {
        store(bytes, value, order);
    }
}

/// Appends a row as whole numbers of type Number.
template <class Number>
void append_whole(std::string& bytes, std::span<const float> row, Index number, Format format) {
    constexpr double low = std::numeric_limits<Number>::min();
    constexpr double high = std::numeric_limits<Number>::max();
    for (std::size_t j = 0; j < row.size(); ++j) {
        const double value = row[j];
        if (!(value >= low && value <= high) || value != std::trunc(value)) {
            throw InvalidArgument(
                "points", std::to_string(value) + " in row " + std::to_string(number) + ", column " + std::to_string(j),
                "." + std::string(name(format)) + " holds whole numbers from " +
                    std::to_string(static_cast<std::int64_t>(low)) + " to " +
                    std::to_string(static_cast<std::int64_t>(high)) + "; write .fvecs or .npy");
        }
        store(bytes, static_cast<Number>(value), std::endian::little);
    }
}

}  // namespace

std::string array_head(Format format, const PointsShape& shape) {
    if (format == Format::Npy) {
        return npy_header(ScalarType::Float32, {shape.count, shape.dimension});
    }
    if (format != Format::Idx) {
        return "";
    }
    return shape.image_height > 0 ? idx_header(ScalarType::UInt8, {shape.count, shape.image_height, shape.image_width})
                                  : idx_header(ScalarType::Float32, {shape.count, shape.dimension});
}

void write_float_rows(OutputStream& out, const PointsView& rows, std::endian order) {
    if (order == std::endian::native && rows.stride == rows.dimension) {
        const std::size_t numbers = std::size_t{rows.count} * rows.dimension;
        out.write({reinterpret_cast<const char*>(rows.data), numbers * sizeof(float)});
        return;
    }
    std::string bytes;
    for (Index i = 0; i < rows.count; ++i) {
        bytes.clear();
        append_row(bytes, rows[i], order);
        out.write(bytes);
    }
}

void write_vecs_rows(OutputStream& out, const PointsView& rows, Format format, Index first) {
    std::string bytes;
    for (Index i = 0; i < rows.count; ++i) {
        bytes.clear();
        store(bytes, rows.dimension, std::endian::little);
        if (format == Format::Fvecs) {
            append_row(bytes, rows[i], std::endian::little);
        } else if (format == Format::Bvecs) {
            append_whole<std::uint8_t>(bytes, rows[i], first + i, format);
        } else {
            append_whole<std::int32_t>(bytes, rows[i], first + i, format);
        }
        out.write(bytes);
    }
}

}  // namespace isogon
