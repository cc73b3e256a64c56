#include "io/sparse_npz_writer.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "io/npy.hpp"
#include "io/npz_member.hpp"

namespace isogon {

namespace {

/// Subscripts as signed numbers, which numpy's indices are; below half their range the bits are the same.
void write_columns(OutputStream& out, ZipWriter& zip, const std::string& path, const CsrMatrix<double>& matrix) {
    const std::vector<std::uint64_t> shape{matrix.entries()};
    if (matrix.columns <= static_cast<Index>(std::numeric_limits<std::int32_t>::max())) {
        write_npz_member(out, zip, path, "indices", npy_header(ScalarType::Int32, shape), matrix.indices);
    } else {
        write_npz_member(out, zip, path, "indices", npy_header(ScalarType::Int64, shape),
                         std::vector<std::uint64_t>(matrix.indices.begin(), matrix.indices.end()));
    }
}

}  // namespace

void write_sparse_npz(const std::filesystem::path& path, const CsrMatrix<double>& matrix, const WriteOptions& options) {
    const std::string name = path.string();
    OutputStream out(path, options.overwrite);
    ZipWriter zip(out);
    write_columns(out, zip, name, matrix);
    write_npz_member(out, zip, name, "indptr", npy_header(ScalarType::Int64, {matrix.offsets.size()}),
                     std::vector<std::uint64_t>(matrix.offsets.begin(), matrix.offsets.end()));
    write_npz_member(out, zip, name, "format", npy_text("csr"), {});
    write_npz_member(out, zip, name, "shape", npy_header(ScalarType::Int64, {2}),
                     std::vector<std::uint64_t>{matrix.rows, matrix.columns});
    write_npz_member(out, zip, name, "data", npy_header(ScalarType::Float64, {matrix.entries()}), matrix.values);
    zip.finish();
    out.commit();
}

}  // namespace isogon
