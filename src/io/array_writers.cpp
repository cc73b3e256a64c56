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

void write_rows(OutputStream& out, const PointsView& points, std::endian order) {
    std::string bytes;
    for (Index i = 0; i < points.count; ++i) {
        bytes.clear();
        append_row(bytes, points[i], order);
        out.write(bytes);
    }
}

/// Appends a row as whole numbers of type Number.
template <class Number>
void append_whole(std::string& bytes, const PointsView& points, Index i, Format format) {
    constexpr double low = std::numeric_limits<Number>::min();
    constexpr double high = std::numeric_limits<Number>::max();
    for (Index j = 0; j < points.dimension; ++j) {
        const double value = points[i][j];
        if (!(value >= low && value <= high) || value != std::trunc(value)) {
            throw InvalidArgument(
                "points", std::to_string(value) + " in row " + std::to_string(i) + ", column " + std::to_string(j),
                "." + std::string(name(format)) + " holds whole numbers from " +
                    std::to_string(static_cast<std::int64_t>(low)) + " to " +
                    std::to_string(static_cast<std::int64_t>(high)) + "; write .fvecs or .npy");
        }
        store(bytes, static_cast<Number>(value), std::endian::little);
    }
}

}  // namespace

void write_npy(OutputStream& out, const PointsView& points) {
    out.write(npy_header(ScalarType::Float32, {points.count, points.dimension}));
    write_rows(out, points, std::endian::little);
}

void write_idx(OutputStream& out, const PointsView& points) {
    out.write(idx_header(ScalarType::Float32, {points.count, points.dimension}));
    write_rows(out, points, std::endian::big);
}

void write_vecs(OutputStream& out, const PointsView& points, Format format) {
    std::string bytes;
    for (Index i = 0; i < points.count; ++i) {
        bytes.clear();
        store(bytes, points.dimension, std::endian::little);
        if (format == Format::Fvecs) {
            append_row(bytes, points[i], std::endian::little);
        } else if (format == Format::Bvecs) {
            append_whole<std::uint8_t>(bytes, points, i, format);
        } else {
            append_whole<std::int32_t>(bytes, points, i, format);
        }
        out.write(bytes);
    }
}

}  // namespace isogon
