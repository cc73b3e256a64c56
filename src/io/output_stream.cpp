#include "io/output_stream.hpp"

#include "isogon/core/error.hpp"

namespace isogon {

Format format_to_write(const std::filesystem::path& path, const WriteOptions& options) {
    const auto format = options.format ? options.format : format_from_name(path);
    if (!format) {
        throw OutputError(path.string(),
                          "its name tells no format; end it in .npy, .csv, .tsv, .fvecs, .bvecs, .ivecs, "
                          ".vec, .bin or .idx, or say which format it is");
    }
    return *format;
}

OutputStream::OutputStream(const std::filesystem::path& path, bool overwrite, std::uint64_t expected_bytes)
    : file_(path, overwrite, path.extension() == ".gz" ? 0 : expected_bytes) {
    if (path.extension() == ".gz") {
        packer_.emplace([this](std::string_view packed) { file_.write(packed); });
    }
}

void OutputStream::write(std::string_view bytes) {
    if (packer_) {
        packer_->write(bytes);
    } else {
        file_.write(bytes);
    }
}

void OutputStream::commit(const BeforePlacing& before) {
    if (packer_) {
        packer_->finish();
    }
    file_.commit(before);
}

}  // namespace isogon
