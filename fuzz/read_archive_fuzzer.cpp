// Feeds arbitrary bytes to the reader of model files: as they are, and with their checksum made right, for no fuzzer
// guesses that. Anything but a whole archive or an InputError is a fault; an archive must survive being written.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "archive_bytes.hpp"
#include "consumer.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"

namespace {

std::optional<isogon::Archive> read(const std::string& bytes) {
    const isogon::fuzz::MemoryFile file(bytes);
    std::optional<isogon::Archive> archive;
    bool described = false;
    try {
        archive = isogon::read_archive(file.path());
    } catch (const isogon::InputError&) {
    }
    try {
        static_cast<void>(isogon::describe_archive(file.path()));
        described = true;
    } catch (const isogon::InputError&) {
    }
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
    if (const auto archive = read(isogon::fuzz::with_checksum(bytes))) {
        write_and_read(*archive);
    }
    return 0;
}
