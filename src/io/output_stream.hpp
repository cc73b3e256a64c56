#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "isogon/core/gzip_packer.hpp"
#include "isogon/io/atomic_file.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// The format to write: that of the options, else that of the file's name. Throws OutputError if neither is known.
[[nodiscard]] Format format_to_write(const std::filesystem::path& path, const WriteOptions& options);

/// Writes bytes to an AtomicFile, compressed if its name ends in .gz. The same bytes always give the same file.
class OutputStream {
public:
    /// `expected_bytes`, if known: how large the file will be, unpacked (see AtomicFile).
    OutputStream(const std::filesystem::path& path, bool overwrite, std::uint64_t expected_bytes = 0);
    OutputStream(const OutputStream&) = delete;  // the packer holds the address of this
    OutputStream& operator=(const OutputStream&) = delete;

    /// Throws OutputError, as AtomicFile::write().
    void write(std::string_view bytes);
    [[nodiscard]] bool packed() const { return packer_.has_value(); }
    /// Replaces the first bytes of the file by as many others; not for a compressed file.
    void replace_first(std::string_view bytes) { file_.replace_first(bytes); }
    /// Writes pending bytes and commits the file. Call it once, last. `before`: see AtomicFile::commit().
    void commit(const BeforePlacing& before = {});

private:
    AtomicFile file_;
    std::optional<GzipPacker> packer_{};
};

}  // namespace isogon
