#include "isogon/io/npz_file.hpp"

#include <zlib.h>

#include <array>
#include <set>
#include <string_view>

#include "io/npy.hpp"
#include "io/output_stream.hpp"
#include "io/safetensors_data.hpp"
#include "io/zip_writer.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

ScalarType scalar_of(const Array::Values& values) {
    constexpr std::array types{ScalarType::Float32, ScalarType::Float64, ScalarType::UInt32, ScalarType::UInt64};
    return types.at(values.index());
}

std::uint32_t crc32_of(std::uint32_t before, std::string_view bytes) {
    return static_cast<std::uint32_t>(::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void write_member(OutputStream& out, ZipWriter& zip, const std::string& path, const std::string& name,
                  const Array& array) {
    const std::string header = npy_header(scalar_of(array.values), array.shape);
    std::uint32_t checksum = crc32_of(0, header);
    for_each_block(array.values, [&](std::string_view block) { checksum = crc32_of(checksum, block); });
    const std::uint64_t bytes = header.size() + *element_count(array.shape) * number_bytes(array.values);
    zip.begin_member(path, name + ".npy", bytes, checksum);
    out.write(header);
    for_each_block(array.values, [&](std::string_view block) { out.write(block); });
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
        write_member(out, zip, path.string(), name, array);
    }
    zip.finish();
    out.commit();
}

}  // namespace isogon
