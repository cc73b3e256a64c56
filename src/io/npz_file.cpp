#include "io/npz_file.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/array_reader.hpp"
#include "io/byte_stream.hpp"
#include "io/matrix_formats.hpp"
#include "io/point_formats.hpp"
#include "io/zip_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

ScalarType scalar_of(const Array::Values& values) {
    constexpr std::array types{ScalarType::Float32, ScalarType::Float64, ScalarType::UInt32, ScalarType::UInt64};
    return types.at(values.index());
}

}  // namespace

void require_writable_npz(const std::filesystem::path& path, const WriteOptions& options) {
    if (path.extension() != ".npz") {
        throw OutputError(path.string(), "the name of a file of numpy arrays must end in .npz");
    }
    require_writable_target(path, options.overwrite);
}

void write_npz(const std::filesystem::path& path, const std::vector<std::pair<std::string, Array>>& arrays,
               const WriteOptions& options) {
    require_writable_npz(path, options);
    std::set<std::string> names;
    for (const auto& [name, array] : arrays) {
        check_array(name, array);
        if (!names.insert(name).second) {
            throw InvalidArgument("arrays", name, "is there twice");
        }
    }
    OutputStream out(path, options.overwrite);
    ZipWriter zip(out, path.string());
    for (const auto& [name, array] : arrays) {
        zip.add_npy(name, npy_header(scalar_of(array.values), array.shape), array.values);
    }
    zip.finish();
    out.commit();
}

namespace {

using Stream = std::unique_ptr<ByteStream>;

/// Reads the header of a list; the stream is then at its numbers. Throws unless it is a list that is not empty.
ArrayLayout list_layout(ByteStream& stream) {
    ArrayLayout layout = read_npy_header(stream);
    if (layout.shape.size() != 1) {
        stream.fail("", "must be a list, but has the shape " + shape_text(layout.shape));
    }
    if (layout.shape.front() == 0) {
        stream.fail("", "is an empty list: the matrix has no entries");
    }
    return layout;
}

std::vector<std::int64_t> integers(const ZipFile& zip, const std::string& name) {
    const Stream stream = zip.open(name + ".npy");
    return read_integers(*stream, list_layout(*stream));
}

std::string format_of(const ZipFile& zip) {
    const Stream stream = zip.open("format.npy");
    std::string format = read_npy_text(*stream);
    if (format != "csr" && format != "csc" && format != "coo") {
        stream->fail("", "the sparse format \"" + format + "\" cannot be read; save it as csr (matrix.tocsr())");
    }
    return format;
}

std::pair<std::uint64_t, std::uint64_t> sides_of(const ZipFile& zip) {
    const std::vector<std::int64_t> shape = integers(zip, "shape");
    if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0) {
        zip.open("shape.npy")->fail("", "must hold two numbers, rows and columns");
    }
    return {static_cast<std::uint64_t>(shape[0]), static_cast<std::uint64_t>(shape[1])};
}

/// Numbers of one array as subscripts below `side`.
std::vector<Index> subscripts(const ZipFile& zip, const std::string& name, std::uint64_t side) {
    const std::vector<std::int64_t> wide = integers(zip, name);
    std::vector<Index> list;
    list.reserve(wide.size());
    for (std::size_t k = 0; k < wide.size(); ++k) {
        if (wide[k] < 0 || static_cast<std::uint64_t>(wide[k]) >= side) {
            zip.open(name + ".npy")
                ->fail("entry " + std::to_string(k), "the index " + std::to_string(wide[k]) +
                                                         " does not exist; they are counted from 0, below " +
                                                         std::to_string(side));
        }
        list.push_back(static_cast<Index>(wide[k]));
    }
    return list;
}

/// The row of each entry, from where rows begin and end (csr), or the column (csc).
std::vector<Index> expanded(const ZipFile& zip, std::uint64_t rows, std::uint64_t entries) {
    const std::vector<std::int64_t> begin = integers(zip, "indptr");
    const auto fail = [&](const std::string& why) { zip.open("indptr.npy")->fail("", why); };
    if (begin.size() != rows + 1 || begin.front() != 0) {
        fail("must hold " + std::to_string(rows + 1) + " numbers, the first of them 0; it holds " +
             std::to_string(begin.size()) + ", the first of them " + std::to_string(begin.front()));
    }
    if (begin.back() < 0 || static_cast<std::uint64_t>(begin.back()) != entries) {
        fail("must end with the number of entries, " + std::to_string(entries) + ", not with " +
             std::to_string(begin.back()));
    }
    std::vector<Index> list;
    list.reserve(entries);
    for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
        if (begin[i + 1] < begin[i] || begin[i + 1] > begin.back()) {
            fail("number " + std::to_string(i + 1) + ": must not descend, nor pass the last");
        }
        list.insert(list.end(), static_cast<std::size_t>(begin[i + 1] - begin[i]), static_cast<Index>(i));
    }
    return list;
}

std::vector<double> numbers(const ZipFile& zip) {
    const Stream stream = zip.open("data.npy");
    std::vector<double> values;
    for_each_double(*stream, list_layout(*stream), [&](std::span<const double> some, std::uint64_t) {
        values.insert(values.end(), some.begin(), some.end());
    });
    return values;
}

void require_as_many(const ZipFile& zip, const std::string& name, std::size_t has, std::size_t wanted) {
    if (has != wanted) {
        zip.open(name + ".npy")
            ->fail("", "holds " + std::to_string(has) + " numbers, but data.npy holds " + std::to_string(wanted));
    }
}

}  // namespace

bool is_sparse_npz(const std::filesystem::path& path) {
    const ZipFile zip(path);
    return zip.has("format.npy") && zip.has("shape.npy");
}

namespace {

constexpr std::string_view array_ending = ".npy";

/// The name of the array that holds the points.
std::string points_in(const ZipFile& zip, const std::filesystem::path& path, const ReadOptions& options) {
    if (zip.has("format.npy") && zip.has("shape.npy")) {
        throw InputError(path.string(), "", sparse_instead);
    }
    std::vector<std::string> tables;
    std::string described;
    for (const ZipMember& member : zip.members()) {
        if (!member.name.ends_with(array_ending)) {
            continue;
        }
        std::string name = member.name.substr(0, member.name.size() - array_ending.size());
        if (options.vectors == name) {
            return name;
        }
        try {
            const Stream stream = zip.open(member.name);
            const ArrayLayout layout = read_npy_header(*stream);
            described += (described.empty() ? "" : ", ") + name + " " + shape_text(layout.shape);
            if (layout.shape.size() >= 2) {
                tables.push_back(name);
            }
        } catch (const InputError&) {  // of text or objects
            described += (described.empty() ? "" : ", ") + name;
        }
    }
    if (!options.vectors && tables.size() == 1) {
        return tables.front();
    }
    const std::string holds = described.empty() ? "holds no arrays" : "holds " + described;
    throw InputError(path.string(), "",
                     options.vectors
                         ? Text{holds + ", and none is called " + *options.vectors + " (", Text::option("vectors"), ")"}
                         : Text{holds + ": say which array holds the points (", Text::option("vectors"), ")"});
}

}  // namespace

Dataset read_npz_points(const std::filesystem::path& path, const ReadOptions& options) {
    const ZipFile zip(path);
    const Stream stream = zip.open(points_in(zip, path, options) + std::string(array_ending));
    return read_array(*stream, read_npy_header(*stream));
}

FileInfo describe_npz_points(const std::filesystem::path& path, const ReadOptions& options) {
    const ZipFile zip(path);
    const Stream stream = zip.open(points_in(zip, path, options) + std::string(array_ending));
    return describe_array(*stream, read_npy_header(*stream), Format::Npz);
}

SparseNpzHead read_sparse_npz_head(const std::filesystem::path& path) {
    const ZipFile zip(path);
    SparseNpzHead head;
    head.format = format_of(zip);
    std::tie(head.rows, head.columns) = sides_of(zip);
    const Stream data = zip.open("data.npy");
    const ArrayLayout layout = list_layout(*data);
    static_cast<void>(checked_extent(*data, layout));
    head.scalar = name(layout.scalar);
    head.entries = layout.shape.front();
    require_believable_sides(*data, head.rows, head.columns, head.entries);
    return head;
}

CsrMatrix<double> read_sparse_npz(const std::filesystem::path& path) {
    const SparseNpzHead head = read_sparse_npz_head(path);
    const ZipFile zip(path);
    MatrixEntries entries{.rows = static_cast<Index>(head.rows), .columns = static_cast<Index>(head.columns)};
    if (head.format == "coo") {
        entries.row = subscripts(zip, "row", head.rows);
        entries.column = subscripts(zip, "col", head.columns);
        require_as_many(zip, "row", entries.row.size(), head.entries);
        require_as_many(zip, "col", entries.column.size(), head.entries);
    } else {
        const bool by_row = head.format == "csr";
        entries.column = subscripts(zip, "indices", by_row ? head.columns : head.rows);
        require_as_many(zip, "indices", entries.column.size(), head.entries);
        entries.row = expanded(zip, by_row ? head.rows : head.columns, head.entries);
        if (!by_row) {
            std::swap(entries.row, entries.column);
        }
    }
    entries.values = numbers(zip);
    require_as_many(zip, "data", entries.values.size(), entries.row.size());
    return assemble(std::move(entries), *zip.open("data.npy"),
                    {[](Offset k) { return "entry " + std::to_string(k); }, 0});
}

namespace {

/// Subscripts as signed numbers, which numpy's indices are; below half their range the bits are the same.
void write_columns(ZipWriter& zip, const CsrMatrix<double>& matrix) {
    const std::vector<std::uint64_t> shape{matrix.entries()};
    if (matrix.columns <= static_cast<Index>(std::numeric_limits<std::int32_t>::max())) {
        zip.add_npy("indices", npy_header(ScalarType::Int32, shape), matrix.indices);
    } else {
        zip.add_npy("indices", npy_header(ScalarType::Int64, shape),
                    std::vector<std::uint64_t>(matrix.indices.begin(), matrix.indices.end()));
    }
}

}  // namespace

void write_sparse_npz(const std::filesystem::path& path, const CsrMatrix<double>& matrix, const WriteOptions& options) {
    OutputStream out(path, options.overwrite);
    ZipWriter zip(out, path.string());
    write_columns(zip, matrix);
    zip.add_npy("indptr", npy_header(ScalarType::Int64, {matrix.offsets.size()}),
                std::vector<std::uint64_t>(matrix.offsets.begin(), matrix.offsets.end()));
    zip.add_npy("format", npy_text("csr"), {});
    zip.add_npy("shape", npy_header(ScalarType::Int64, {2}), std::vector<std::uint64_t>{matrix.rows, matrix.columns});
    zip.add_npy("data", npy_header(ScalarType::Float64, {matrix.entries()}), matrix.values);
    zip.finish();
    out.commit();
}

}  // namespace isogon
