#include "io/output_stream.hpp"

namespace isogon {

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
