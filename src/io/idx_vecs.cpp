#include "io/point_formats.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "io/array_reader.hpp"
#include "io/scalar_type.hpp"

namespace isogon {

namespace {

constexpr std::array<std::pair<char, ScalarType>, 6> idx_types = {{{'\x08', ScalarType::UInt8},
                                                                   {'\x09', ScalarType::Int8},
                                                                   {'\x0b', ScalarType::Int16},
                                                                   {'\x0c', ScalarType::Int32},
                                                                   {'\x0d', ScalarType::Float32},
                                                                   {'\x0e', ScalarType::Float64}}};

std::optional<ScalarType> type_of(char code) {
    for (const auto& [byte, type] : idx_types) {
        if (byte == code) {
            return type;
        }
    }
    return std::nullopt;
}

}  // namespace

bool is_idx(std::string_view first_bytes) {
    return first_bytes.size() >= 4 && first_bytes[0] == 0 && first_bytes[1] == 0 && type_of(first_bytes[2]) &&
           first_bytes[3] != 0;
}

ArrayLayout read_idx_header(ByteStream& stream) {
    std::array<char, 4> magic{};
    stream.read(magic, "the first four bytes of an IDX header");
    if (magic[0] != 0 || magic[1] != 0) {
        stream.fail("byte 0", "is not IDX: that begins with two zero bytes");
    }
    const auto type = type_of(magic[2]);
    if (!type) {
        stream.fail("byte 2", "IDX has no type " + std::to_string(static_cast<unsigned char>(magic[2])) +
                                  "; known are 8 (ubyte), 9 (byte), 11 (short), 12 (int), 13 (float), 14 (double)");
    }
    const std::size_t rank = static_cast<unsigned char>(magic[3]);
    if (rank == 0) {
        stream.fail("byte 3", "an IDX array of rank 0 holds no points");
    }
    std::vector<char> sizes(4 * rank);
    stream.read(sizes, "the sizes in an IDX header");
    ArrayLayout layout{*type, std::endian::big, false, {}};
    for (std::size_t k = 0; k < rank; ++k) {
        layout.shape.push_back(load<std::uint32_t>(sizes.data() + 4 * k, std::endian::big));
    }
    return layout;
}

std::string idx_header(ScalarType scalar, const std::vector<std::uint32_t>& shape) {
    std::string bytes(2, '\0');
    for (const auto& [code, type] : idx_types) {
        if (type == scalar) {
            bytes += code;
        }
    }
    bytes += static_cast<char>(shape.size());
    for (const std::uint32_t size : shape) {
        store(bytes, size, std::endian::big);
    }
    return bytes;
}

namespace {

constexpr std::size_t vector_prefix = sizeof(std::int32_t);

/// Reads the rows of a file one after the other, in pieces, and checks that they agree.
class RowReader {
public:
    RowReader(ByteStream& stream, Format format) : stream_(stream), scalar_(vecs_scalar(format)) {
        begin_row();
        dimension_ = upcoming_;
        stream_.require_bytes(number_bytes(), "row 0 of " + std::to_string(dimension_) + " numbers");
    }

    [[nodiscard]] Index dimension() const { return dimension_; }
    [[nodiscard]] std::uint64_t row_bytes() const { return vector_prefix + number_bytes(); }

    /// Calls use(bytes, count) for pieces of the row whose prefix has been read, and reads the next prefix; false when
    /// this row is the last.
    template <class Use>
    bool next(Use use) {
        for (Index first = 0; first < dimension_; first += piece_numbers) {
            const Index count = std::min(piece_numbers, dimension_ - first);
            bytes_.resize(std::size_t{count} * size_of(scalar_));
            stream_.read(std::span(bytes_), "row " + std::to_string(row_));
            use(bytes_.data(), count);
        }
        ++row_;
        if (stream_.at_end()) {
            return false;
        }
        require_countable(stream_, row_ + 1);
        begin_row();
        if (upcoming_ != dimension_) {
            fail("has " + std::to_string(upcoming_) + " numbers, but row 0 has " + std::to_string(dimension_));
        }
        return true;
    }

private:
    static constexpr Index piece_numbers = 64 * 1024;

    [[nodiscard]] std::uint64_t number_bytes() const { return std::uint64_t{dimension_} * size_of(scalar_); }

    [[noreturn]] void fail(const std::string& why) const {
        stream_.fail(
            "row " + std::to_string(row_) + " (byte " + std::to_string(stream_.position() - vector_prefix) + ")", why);
    }

    void begin_row() {
        std::array<char, vector_prefix> prefix{};
        stream_.read(prefix, "the dimension of row " + std::to_string(row_));
        const auto count = load<std::int32_t>(prefix.data(), std::endian::little);
        if (count <= 0) {
            fail("has the dimension " + std::to_string(count) + "; it must be positive");
        }
        upcoming_ = static_cast<Index>(count);
    }

    ByteStream& stream_;
    ScalarType scalar_;
    Index dimension_ = 0;
    Index upcoming_ = 0;
    std::uint64_t row_ = 0;
    std::vector<char> bytes_;
};

}  // namespace

ScalarType vecs_scalar(Format format) {
    return format == Format::Fvecs   ? ScalarType::Float32
           : format == Format::Bvecs ? ScalarType::UInt8
                                     : ScalarType::Int32;
}

Dataset read_vecs(ByteStream& stream, Format format) {
    RowReader rows(stream, format);
    GrowingPoints points(stream, stream.file().size() / rows.row_bytes() * rows.dimension());
    bool more = true;
    while (more) {
        // None of the three types goes beyond float32.
        more = rows.next([&](const char* bytes, Index count) {
            static_cast<void>(to_floats(vecs_scalar(format), std::endian::little, bytes, points.extend(count)));
        });
    }
    return std::move(points).finish(rows.dimension());
}

namespace {

IntegerTable read_integer_rows(RowReader& rows, Format format) {
    IntegerTable table{.columns = rows.dimension()};
    bool more = true;
    while (more) {
        more = rows.next([&](const char* bytes, Index count) {
            table.values.resize(table.values.size() + count);
            static_cast<void>(
                to_integers(vecs_scalar(format), std::endian::little, bytes, std::span(table.values).last(count)));
        });
        ++table.rows;
    }
    return table;
}

}  // namespace

IntegerTable read_vecs_integers(ByteStream& stream, Format format) {
    RowReader rows(stream, format);
    return read_integer_rows(rows, format);
}

std::vector<std::int64_t> read_vecs_labels(ByteStream& stream, Format format) {
    RowReader rows(stream, format);
    if (format == Format::Fvecs || rows.dimension() != 1) {
        stream.fail("", "labels must be whole numbers, one a point, but this file has " +
                            std::to_string(rows.dimension()) + " " + std::string(name(vecs_scalar(format))) +
                            " a point");
    }
    return read_integer_rows(rows, format).values;
}

FileInfo describe_vecs(ByteStream& stream, Format format) {
    FileInfo info;
    info.format = format;
    info.scalar = name(vecs_scalar(format));
    RowReader rows(stream, format);
    std::uint64_t count = stream.file().size() / rows.row_bytes();
    if (stream.gzip()) {
        count = 1;
        while (rows.next([](const char* /*bytes*/, Index /*count*/) {})) {
            ++count;
        }
    } else if (stream.file().size() % rows.row_bytes() != 0) {
        stream.fail("", "its " + std::to_string(stream.file().size()) + " bytes are no whole number of rows of " +
                            std::to_string(rows.row_bytes()) + " bytes: it is truncated or damaged");
    }
    info.shape = {count, rows.dimension()};
    return info;
}

}  // namespace isogon
