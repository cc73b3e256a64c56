#include "isogon/io/npz_file.hpp"

#include <array>
#include <set>
#include <string>

#include "io/npy.hpp"
#include "io/output_stream.hpp"
#include "io/zip_writer.hpp"
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
    ZipWriter zip(out);
    for (const auto& [name, array] : arrays) {
        write_npz_member(out, zip, path.string(), name, npy_header(scalar_of(array.values), array.shape), array.values);
    }
    zip.finish();
    out.commit();
}

}  // namespace isogon
