#include "io/array_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/system_memory.hpp"
#include "io/label_numbers.hpp"

namespace isogon {

namespace {
// Numerical data seldom compress better than this; beyond it, memory grows with the data.
constexpr std::uint64_t believable_ratio = 32;
}  // namespace

GrowingPoints::GrowingPoints(const ByteStream& stream, std::uint64_t expected) {
    const std::uint64_t believable = stream.gzip() ? believable_ratio * stream.file().size() : expected;
    values_.reserve(std::min(expected, believable));
    request_large_pages(values_.data(), values_.capacity() * sizeof(float));
}

std::span<float> GrowingPoints::extend(std::size_t count) {
    counted_ += count;
    const std::size_t before = counts_ ? 0 : values_.size();
    values_.resize(before + count);
    return {values_.data() + before, count};
}

Dataset GrowingPoints::finish(Index dimension) && {
    const auto count = static_cast<Index>(size() / dimension);
    const auto owner = std::make_shared<std::vector<float>>(std::move(values_));
    Dataset dataset;
    dataset.points = PointsView(counts_ ? nullptr : owner->data(), count, dimension);
    dataset.storage = owner;
    return dataset;
}

void require_countable(const ByteStream& stream, std::uint64_t rows) {
    if (rows > std::numeric_limits<Index>::max()) {
        stream.fail("", "holds " + std::to_string(rows) + " points or more; at most " +
                            std::to_string(std::numeric_limits<Index>::max()) + " can be numbered");
    }
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
    constexpr auto limit = std::numeric_limits<std::uint64_t>::max();
    return b != 0 && a > limit / b ? limit : a * b;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
    std::string text = "(";
    for (const std::uint64_t size : shape) {
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

ArrayExtent checked_extent(const ByteStream& stream, const ArrayLayout& layout) {
    constexpr std::uint64_t limit = std::numeric_limits<Index>::max();
    const std::string array = "an array of shape " + shape_text(layout.shape);
    std::uint64_t dimension = 1;
    for (std::size_t k = 1; k < layout.shape.size(); ++k) {
        dimension = saturating_product(dimension, layout.shape[k]);
    }
    const std::uint64_t points = layout.shape.front();
    if (points == 0 || dimension == 0) {
        stream.fail("", array + " holds no numbers");
    }
    if (points > limit || dimension > limit) {
        stream.fail("", array + " has " + (points > limit ? "more points" : "points of more numbers") + " than " +
                            std::to_string(limit) + ", the most there may be");
    }
    // Two factors below 2^32 fit 64 bits; the size of a number may then overflow.
    const std::uint64_t bytes = saturating_product(points * dimension, size_of(layout.scalar));
    stream.require_bytes(bytes, array + " of " + std::string(name(layout.scalar)));
    return {static_cast<Index>(points), static_cast<Index>(dimension), bytes};
}

FileInfo describe_array(const ByteStream& stream, const ArrayLayout& layout, Format format) {
    static_cast<void>(checked_extent(stream, layout));
    FileInfo info;
    info.format = format;
    info.scalar = name(layout.scalar);
    info.shape = layout.shape;
    info.fortran_order = layout.fortran_order;
    return info;
}

namespace {

constexpr std::size_t chunk_numbers = std::size_t{64} * 1024;

bool mappable(const ByteStream& stream, const ArrayLayout& layout) {
    const bool as_in_memory = layout.scalar == ScalarType::Float32 && layout.order == std::endian::native &&
                              (!layout.fortran_order || layout.shape.size() == 1);
    return as_in_memory && stream.plain() && stream.position() % alignof(float) == 0;
}

Dataset map_array(const ByteStream& stream, const ArrayExtent& extent) {
    const std::shared_ptr<const char> memory = stream.file().map();
    Dataset dataset;
    dataset.points =
        PointsView(reinterpret_cast<const float*>(memory.get() + stream.position()), extent.points, extent.dimension);
    dataset.storage = memory;
    dataset.mapped = true;
    return dataset;
}

/// Calls consume(bytes, first, count) for chunks of the `count` numbers that follow.
template <class Consume>
void for_chunks(ByteStream& stream, const ArrayLayout& layout, std::uint64_t count, Consume consume) {
    const std::size_t size = size_of(layout.scalar);
    std::vector<char> bytes(std::min<std::uint64_t>(count, chunk_numbers) * size);
    for (std::uint64_t first = 0; first < count; first += chunk_numbers) {
        const std::size_t numbers = std::min<std::uint64_t>(count - first, chunk_numbers);
        stream.read(std::span(bytes).first(numbers * size),
                    "the numbers of an array of shape " + shape_text(layout.shape));
        consume(bytes.data(), first, numbers);
    }
    stream.require_end();
}

/// rows[i, j] = columns[i + offset(j)], where column j is one choice of all subscripts but the first, in C order, and
/// offset(j) where its numbers begin in Fortran order.
std::vector<std::uint64_t> fortran_offsets(const std::vector<std::uint64_t>& shape) {
    std::vector<std::uint64_t> offsets{0};
    std::uint64_t step = shape.front();
    std::vector<std::uint64_t> steps;
    for (std::size_t k = 1; k < shape.size(); ++k) {
        steps.push_back(step);
        step *= shape[k];
    }
    for (std::size_t k = 1; k < shape.size(); ++k) {
        std::vector<std::uint64_t> longer;
        longer.reserve(offsets.size() * shape[k]);
        for (const std::uint64_t offset : offsets) {
            for (std::uint64_t subscript = 0; subscript < shape[k]; ++subscript) {
                longer.push_back(offset + subscript * steps[k - 1]);
            }
        }
        offsets = std::move(longer);
    }
    return offsets;
}

void reorder_from_fortran(std::vector<float>& values, const ArrayLayout& layout, const ArrayExtent& extent) {
    const std::vector<std::uint64_t> offsets = fortran_offsets(layout.shape);
    std::vector<float> rows(values.size());
    constexpr std::size_t block = 64;  // rows whose cache lines stay in the cache during a pass over all columns
    for (std::size_t begin = 0; begin < extent.points; begin += block) {
        const std::size_t end = std::min<std::size_t>(begin + block, extent.points);
        for (std::size_t j = 0; j < extent.dimension; ++j) {
            for (std::size_t i = begin; i < end; ++i) {
                rows[i * extent.dimension + j] = values[i + offsets[j]];
            }
        }
    }
    values = std::move(rows);
}

Dataset convert_array(ByteStream& stream, const ArrayLayout& layout, const ArrayExtent& extent) {
    GrowingPoints points(stream, extent.numbers());
    for_chunks(stream, layout, extent.numbers(), [&](const char* bytes, std::uint64_t first, std::size_t count) {
        const std::size_t good = to_floats(layout.scalar, layout.order, bytes, points.extend(count));
        if (good < count) {
            stream.fail("number " + std::to_string(first + good) + " in the order of the file",
                        "the value is beyond the range of float32 (3.4e38); scale the data first");
        }
    });
    if (layout.fortran_order) {
        reorder_from_fortran(points.values(), layout, extent);
    }
    return std::move(points).finish(extent.dimension);
}

}  // namespace

Dataset read_array(ByteStream& stream, const ArrayLayout& layout) {
    const ArrayExtent extent = checked_extent(stream, layout);
    if (!mappable(stream, layout)) {
        return convert_array(stream, layout, extent);
    }
    if (extent.bytes < stream.most_bytes_left()) {
        stream.skip(extent.bytes);
        stream.fail("byte " + std::to_string(stream.position()), "more bytes follow where the data should end");
    }
    return map_array(stream, extent);
}

void for_each_double(ByteStream& stream, const ArrayLayout& layout,
                     const std::function<void(std::span<const double>, std::uint64_t)>& use) {
    const ArrayExtent extent = checked_extent(stream, layout);
    std::vector<double> values;
    for_chunks(stream, layout, extent.numbers(), [&](const char* bytes, std::uint64_t first, std::size_t count) {
        values.resize(count);
        to_doubles(layout.scalar, layout.order, bytes, values);
        use(values, first);
    });
}

IntegerTable read_integer_rows(ByteStream& stream, const ArrayLayout& layout) {
    const ArrayExtent extent = checked_extent(stream, layout);
    if (!is_integer(layout.scalar)) {
        stream.fail("", "holds " + std::string(name(layout.scalar)) + ", but these must be whole numbers");
    }
    if (layout.fortran_order && extent.dimension > 1) {
        stream.fail("", "is in Fortran order; save it in C order (numpy.ascontiguousarray)");
    }
    IntegerTable table{.rows = extent.points, .columns = extent.dimension};
    std::vector<std::int64_t>& values = table.values;
    for_chunks(stream, layout, extent.numbers(), [&](const char* bytes, std::uint64_t first, std::size_t count) {
        values.resize(first + count);
        const std::size_t good = to_integers(layout.scalar, layout.order, bytes, std::span(values).subspan(first));
        if (good < count) {
            stream.fail("row " + std::to_string((first + good) / extent.dimension),
                        "the number is beyond the range of int64");
        }
    });
    return table;
}

namespace {

void require_list(ByteStream& stream, const ArrayLayout& layout) {
    if (checked_extent(stream, layout).dimension != 1) {
        stream.fail("", "has the shape " + shape_text(layout.shape) + ", but labels are one number a point");
    }
}

}  // namespace

std::vector<std::int64_t> read_integers(ByteStream& stream, const ArrayLayout& layout) {
    require_list(stream, layout);
    return read_integer_rows(stream, layout).values;
}

std::vector<std::int64_t> read_array_labels(ByteStream& stream, const ArrayLayout& layout) {
    if (is_integer(layout.scalar)) {
        return read_integers(stream, layout);
    }
    require_list(stream, layout);
    constexpr double exact = 9007199254740992.0;  // 2^53: up to here float64 has every whole number
    std::vector<std::int64_t> labels;
    for_each_double(stream, layout, [&](std::span<const double> values, std::uint64_t /*first*/) {
        for (const double value : values) {
            if (!std::isnan(value) && !(std::abs(value) <= exact && value == std::trunc(value))) {
                stream.fail(
                    "row " + std::to_string(labels.size()),
                    "a label must be a whole number, or NaN where it is unknown, but is " + std::to_string(value));
            }
            labels.push_back(std::isnan(value) ? unknown_label : static_cast<std::int64_t>(value));
        }
    });
    return labels;
}

}  // namespace isogon
