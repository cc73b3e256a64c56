// Feeds arbitrary bytes to the reader of model files: as they are, and with their checksum made right, for no fuzzer
// guesses that. Anything but a whole archive or an InputError is a fault; an archive must survive being written.
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"

namespace {

/// With the first eight digits after "crc32":" replaced by what they should be.
std::string with_checksum(std::string bytes) {
    const std::string key = "\"crc32\":\"";
    const std::size_t at = bytes.find(key);
    if (at == std::string::npos || bytes.size() < at + key.size() + 8) {
        return bytes;
    }
    bytes.replace(at + key.size(), 8, "00000000");
    const auto crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    for (std::size_t i = 0; i < 8; ++i) {
        bytes[at + key.size() + i] = "0123456789abcdef"[crc >> (28 - 4 * i) & 15U];
    }
    return bytes;
}

std::optional<isogon::Archive> read(const std::string& bytes) {
    const int file = ::memfd_create("fuzz", 0);
    if (file < 0 || ::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
        std::abort();
    }
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    std::optional<isogon::Archive> archive;
    bool described = false;
    try {
        archive = isogon::read_archive(path);
    } catch (const isogon::InputError&) {
    }
    try {
        static_cast<void>(isogon::describe_archive(path));
        described = true;
    } catch (const isogon::InputError&) {
    }
    ::close(file);
    if (described != archive.has_value()) {
        std::abort();
    }
    return archive;
}

/// Whatever was read can be written and is the same again.
void write_and_read(const isogon::Archive& archive) {
    const std::string path = "/dev/shm/isogon-fuzz-" + std::to_string(::getpid()) + ".safetensors";
    isogon::write_archive(path, archive, {.overwrite = true});
    const isogon::Archive again = isogon::read_archive(path);
    std::filesystem::remove(path);
    bool same = again.kind == archive.kind && again.method == archive.method && again.options == archive.options &&
                again.notes == archive.notes && again.arrays.size() == archive.arrays.size();
    for (const auto& [name, array] : archive.arrays) {
        same = same && again.array(name).shape == array.shape && again.array(name).values == array.values;
    }
    if (!same) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    static_cast<void>(read(bytes));
    if (const auto archive = read(with_checksum(bytes))) {
        write_and_read(*archive);
    }
    return 0;
}
