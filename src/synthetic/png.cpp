#include "synthetic/png.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <string_view>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

constexpr std::uint64_t largest_side = std::numeric_limits<std::int32_t>::max();

void require_images(const PointsView& images, Index height, Index width, Index columns) {
    if (images.empty()) {
        throw InvalidArgument("images", "0", "must be at least 1, a sheet needs something to show");
    }
    if (columns == 0) {
        throw InvalidArgument("columns", "0", "must be at least 1");
    }
    if (std::uint64_t{height} * width != images.dimension) {
        throw InvalidArgument(
            "height x width", std::to_string(height) + " x " + std::to_string(width),
            "must multiply to " + std::to_string(images.dimension) + ", the number of values of each image");
    }
}

Index sheet_side(std::uint64_t images, Index pixels, const char* what) {
    const std::uint64_t total = images * pixels;
    if (total > largest_side) {
        throw InvalidArgument(
            what, std::to_string(total) + " pixels",
            "must be at most " + std::to_string(largest_side) + ", take fewer images or another number of columns");
    }
    return static_cast<Index>(total);
}

std::uint8_t as_grey(float value) {
    if (!(value > 0.0F)) {  // true for NaN too
        return 0;
    }
    return static_cast<std::uint8_t>(std::lround(std::min(value, 255.0F)));
}

}  // namespace

Sheet contact_sheet(PointsView images, Index height, Index width, Index columns) {
    require_images(images, height, width, columns);
    columns = std::min(columns, images.count);
    const Index rows = (images.count - 1) / columns + 1;
    Sheet sheet;
    sheet.height = sheet_side(rows, height, "height of the sheet");
    sheet.width = sheet_side(columns, width, "width of the sheet");
    sheet.pixels.resize(std::size_t{sheet.height} * sheet.width);
    for (Index i = 0; i < images.count; ++i) {
        const std::size_t top = std::size_t{i / columns} * height;
        const std::size_t left = std::size_t{i % columns} * width;
        for (std::size_t row = 0; row < height; ++row) {
            const auto from = images[i].subspan(row * width, width);
            std::uint8_t* to = sheet.pixels.data() + (top + row) * sheet.width + left;
            std::transform(from.begin(), from.end(), to, as_grey);
        }
    }
    return sheet;
}

namespace {

using Bytes = std::vector<std::uint8_t>;

void append_big_endian(Bytes& bytes, std::uint32_t value) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
        bytes.push_back(static_cast<std::uint8_t>(value >> shift));
    }
}

/// Section 5.3: length of the data, type, data, and the CRC of type and data.
void append_chunk(Bytes& file, std::string_view type, std::span<const std::uint8_t> data) {
    append_big_endian(file, static_cast<std::uint32_t>(data.size()));
    const std::size_t begin = file.size();
    file.insert(file.end(), type.begin(), type.end());
    file.insert(file.end(), data.begin(), data.end());
    append_big_endian(file, static_cast<std::uint32_t>(crc32_z(0, file.data() + begin, file.size() - begin)));
}

Bytes header(Index height, Index width) {
    Bytes data;
    append_big_endian(data, width);
    append_big_endian(data, height);
    constexpr std::array<std::uint8_t, 5> format{8, 0, 0, 0, 0};  // bits, grey, deflate, adaptive filters, no interlace
    data.insert(data.end(), format.begin(), format.end());
    return data;
}

/// Rows, each behind the number of its filter, deflated. Filter 0 (none): drawings compress well enough without.
Bytes compressed_rows(std::span<const std::uint8_t> pixels, std::size_t width) {
    Bytes rows;
    rows.reserve(pixels.size() + pixels.size() / width);
    for (std::size_t begin = 0; begin < pixels.size(); begin += width) {
        const auto row = pixels.subspan(begin, width);
        rows.push_back(0);
        rows.insert(rows.end(), row.begin(), row.end());
    }
    uLongf size = compressBound(rows.size());
    Bytes packed(size);
    if (compress2(packed.data(), &size, rows.data(), rows.size(), Z_DEFAULT_COMPRESSION) != Z_OK) {
        throw std::bad_alloc();  // the only possible error: the output buffer is large enough for any rows
    }
    packed.resize(size);
    return packed;
}

void require_image(std::size_t pixels, Index height, Index width) {
    constexpr Index largest = std::numeric_limits<std::int32_t>::max();
    for (const auto& [what, side] : {std::pair{"height", height}, std::pair{"width", width}}) {
        if (side == 0 || side > largest) {
            throw InvalidArgument(what, std::to_string(side), "must be from 1 to " + std::to_string(largest));
        }
    }
    if (std::uint64_t{height} * width != pixels) {
        throw InvalidArgument(
            "pixels", std::to_string(pixels),
            "must be as many as height times width, " + std::to_string(height) + " x " + std::to_string(width));
    }
}

}  // namespace

std::vector<std::uint8_t> encode_png(std::span<const std::uint8_t> pixels, Index height, Index width) {
    require_image(pixels.size(), height, width);
    constexpr std::size_t piece = std::size_t{1} << 20U;  // a chunk's length has 31 bits
    Bytes file{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    append_chunk(file, "IHDR", header(height, width));
    const Bytes packed = compressed_rows(pixels, width);
    for (std::size_t begin = 0; begin < packed.size(); begin += piece) {
        append_chunk(file, "IDAT", std::span(packed).subspan(begin, std::min(piece, packed.size() - begin)));
    }
    append_chunk(file, "IEND", {});
    return file;
}

}  // namespace isogon
