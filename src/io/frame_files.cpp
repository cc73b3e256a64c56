#include "io/frame_files.hpp"

#include <utility>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

FrameFiles& present_files() {
    static FrameFiles files;
    return files;
}

}  // namespace

void set_frame_files(FrameFiles files) {
    present_files() = std::move(files);
}

const FrameFiles& frame_files(const std::filesystem::path& path, Format format) {
    if (!present_files().read) {
        throw InputError(path.string(), "",
                         "is a file of " + std::string(name(format)) +
                             ", which the program reads that the Python package brings along (python -m isogon, or "
                             "isogon where pip has installed it); this one reads npy, npz, csv and jsonl");
    }
    return present_files();
}

}  // namespace isogon
