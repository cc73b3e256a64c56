#include "io/matrix_formats.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "io/array_reader.hpp"
#include "io/point_formats.hpp"
#include "io/table_columns.hpp"
#include "io/text_file.hpp"

namespace isogon {

namespace {

std::string place_of(std::uint64_t row, std::uint64_t column) {
    return "row " + std::to_string(row) + ", column " + std::to_string(column);
}

/// Takes numbers row by row.
class RowCollector {
public:
    explicit RowCollector(Index columns) { matrix_.columns = columns; }

    void add(double value) {
        if (value != 0.0) {
            matrix_.indices.push_back(column_);
            matrix_.values.push_back(value);
        }
        if (++column_ == matrix_.columns) {
            column_ = 0;
            ++matrix_.rows;
            matrix_.offsets.push_back(matrix_.indices.size());
        }
    }
    [[nodiscard]] Index row() const { return matrix_.rows; }
    [[nodiscard]] Index column() const { return column_; }
    [[nodiscard]] CsrMatrix<double> finish() && { return std::move(matrix_); }

private:
    CsrMatrix<double> matrix_;
    Index column_ = 0;
};

[[noreturn]] void fail_not_finite(const ByteStream& stream, const std::string& place, double value) {
    stream.fail(place, std::isnan(value) ? "the value is NaN" : "the value is infinite");
}

CsrMatrix<double> of_array(ByteStream& stream, const ArrayLayout& layout) {
    const ArrayExtent extent = checked_extent(stream, layout);
    const bool turned = layout.fortran_order && layout.shape.size() > 1;
    if (turned && layout.shape.size() > 2) {
        stream.fail("", "has " + std::to_string(layout.shape.size()) +
                            " axes in Fortran order; save it in C order (numpy.ascontiguousarray)");
    }
    RowCollector rows(turned ? extent.points : extent.dimension);
    for_each_double(stream, layout, [&](std::span<const double> values, std::uint64_t) {
        for (const double value : values) {
            if (!std::isfinite(value)) {
                fail_not_finite(
                    stream, turned ? place_of(rows.column(), rows.row()) : place_of(rows.row(), rows.column()), value);
            }
            rows.add(value);
        }
    });
    return turned ? transpose(std::move(rows).finish()) : std::move(rows).finish();
}

/// One record's numbers.
void add_record(const TableRecords& records, const std::vector<std::string_view>& fields, RowCollector& rows) {
    for (std::size_t column = 0; column < fields.size(); ++column) {
        if (records.columns().roles[column] != ColumnRole::Coordinate) {
            continue;
        }
        double value = 0.0;
        const NumberFault fault = parse_double(fields[column], value);
        if (fault != NumberFault::None) {
            records.fail(column, fault == NumberFault::OutOfRange
                                     ? in_quotes(fields[column]) + " is beyond the range of float64"
                                     : number_trouble(fault, fields[column]));
        }
        if (!std::isfinite(value)) {
            records.fail(column, std::isnan(value) ? "the value is NaN" : "the value is infinite");
        }
        rows.add(value);
    }
}

CsrMatrix<double> of_table(ByteStream& stream, Format format, const ReadOptions& options) {
    TableRecords records(stream, format, options);
    if (!records.columns().notes.empty()) {  // with points there is a note; here nobody would hear it
        stream.fail("line 1",
                    "counts as names of columns do: take the line out, or, if it is a row of the matrix, write .npy");
    }
    std::vector<std::string_view> fields;
    RowCollector rows(static_cast<Index>(records.columns().dimension()));
    while (records.next(fields)) {
        require_countable(stream, std::uint64_t{rows.row()} + 1);
        add_record(records, fields, rows);
    }
    return std::move(rows).finish();
}

CsrMatrix<double> of_points(const ByteStream& stream, const PointsView& points) {
    RowCollector rows(points.dimension);
    for (Index i = 0; i < points.count; ++i) {
        for (const float value : points[i]) {
            if (!std::isfinite(value)) {
                fail_not_finite(stream, place_of(rows.row(), rows.column()), value);
            }
            rows.add(value);
        }
    }
    return std::move(rows).finish();
}

}  // namespace

CsrMatrix<double> read_dense_matrix(ByteStream& stream, const std::filesystem::path& path, Format format,
                                    const ReadOptions& options) {
    switch (format) {
        case Format::Npy: return of_array(stream, read_npy_header(stream));
        case Format::Idx: return of_array(stream, read_idx_header(stream));
        case Format::Csv:
        case Format::Tsv: return of_table(stream, format, options);
        default: break;
    }
    ReadOptions said = options;
    said.format = format;
    return of_points(stream, read_points(path, said).points);
}

}  // namespace isogon
