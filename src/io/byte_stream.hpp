#pragma once
// Bytes in and out of files, in order: what all readers read from and all writers write to. gzip is undone and done
// here.

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/gzip_packer.hpp"
#include "io/atomic_file.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// A source of bytes, read in order: a file, or the uncompressed data of a gzip file.
class ByteSource {
public:
    ByteSource() = default;
    virtual ~ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    /// Fills the front of `buffer` (not empty) and returns how many bytes came; 0 only at the end.
    virtual std::size_t read(std::span<char> buffer) = 0;
};

/// A regular file, opened for reading. Anything else is refused: a pipe could block for ever, a device have no end. The
/// name - is standard input, which is copied to a temporary file at its first use, as some files are read twice.
class InputFile final : public ByteSource {
public:
    /// Throws InputError: missing, no permission, a folder, no regular file, empty.
    explicit InputFile(const std::filesystem::path& path);
    ~InputFile() override;

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Bytes, when it was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Up to `count` of the first bytes, without changing the position of read().
    [[nodiscard]] std::string first_bytes(std::size_t count) const;
    std::size_t read(std::span<char> buffer) override;
    /// Fills `out` with the bytes at `offset`, without changing the position of read(); from several threads at a time.
    /// Throws InputError if the file ends before: it has been shortened meanwhile.
    void read_at(std::uint64_t offset, std::span<char> out) const;
    /// Maps the whole file into memory, read-only. If another process shortens the file while it is mapped, an access
    /// beyond the new end terminates this process (SIGBUS); that cannot be prevented.
    [[nodiscard]] std::shared_ptr<const char> map() const;

private:
    /// What the other constructor delegates to, so that the destructor closes what it opens before it throws.
    InputFile(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}
    [[noreturn]] void fail(int error) const;

    std::string name_;
    std::uint64_t size_;
    int descriptor_ = -1;
};

/// True if these are the first bytes of a gzip file (RFC 1952: 1f 8b, and 8, the only method there is).
[[nodiscard]] bool is_gzip(std::string_view first_bytes);

/// The uncompressed data of a gzip file; consecutive members are concatenated, as gzip does.
/// read() throws InputError when the data is corrupt, ends early, or is followed by anything else.
class GzipSource final : public ByteSource {
public:
    /// `file` must outlive this, and must not be read elsewhere.
    explicit GzipSource(InputFile& file);
    ~GzipSource() override;
    std::size_t read(std::span<char> buffer) override;

private:
    bool refill();
    void inflate_some();
    [[noreturn]] void fail(const std::string& why) const;

    InputFile& file_;
    std::vector<char> input_;
    z_stream stream_{};
    std::uint64_t taken_ = 0;       ///< bytes of the file that were read
    std::uint64_t members_ = 0;     ///< whole members seen
    bool between_members_ = false;  ///< the last member ended, the next has not begun
};

/// Whether a file begins with the byte order mark of UTF-16, as Excel's "Unicode text" and PowerShell's output do.
[[nodiscard]] bool is_utf16(std::string_view first_bytes);

/// The text of such a file as UTF-8, without the mark. read() throws InputError for half a surrogate pair or character.
class Utf16Source final : public ByteSource {
public:
    /// `file` must outlive this, be at its beginning, and not be read elsewhere.
    explicit Utf16Source(InputFile& file);
    std::size_t read(std::span<char> buffer) override;

private:
    bool refill();
    char32_t next_character();
    [[nodiscard]] char16_t next_unit();

    InputFile& file_;
    std::vector<char> input_;
    std::size_t begin_ = 0;  ///< of the bytes of input_ that are still to come
    std::size_t end_ = 0;
    std::uint64_t taken_ = 0;  ///< bytes of the file before those
    std::size_t high_ = 1;     ///< place of the high byte in a unit
    std::string ready_;        ///< UTF-8 of the last character that did not fit
};

/// The most bytes that so many deflated ones can unpack to.
[[nodiscard]] std::uint64_t most_inflated_bytes(std::uint64_t packed);

/// A file, or a part of one, read in order through a buffer, unpacked if it is gzip and as UTF-8 if it is UTF-16 (by
/// its first bytes). Positions count the bytes of that. Every message names the file.
class ByteStream {
public:
    /// Throws InputError as InputFile does; also for a file named .gz that is not gzip.
    explicit ByteStream(const std::filesystem::path& path);
    /// A part of the file, which messages call `name`: `part` yields its bytes, at most `most_bytes` of them. The file
    /// itself is not checked for gzip.
    ByteStream(const std::filesystem::path& path, std::string name, std::unique_ptr<ByteSource> part,
               std::uint64_t most_bytes);

    [[nodiscard]] const std::string& source() const { return name_; }
    [[nodiscard]] const InputFile& file() const { return file_; }
    [[nodiscard]] bool gzip() const { return gzip_; }
    /// True for an uncompressed file: positions are those of the file.
    [[nodiscard]] bool plain() const { return bytes_ == &file_; }
    [[nodiscard]] std::uint64_t position() const { return position_; }

    /// The buffered bytes: at least `wanted` of them, unless the end comes first. Valid until the next call.
    std::string_view peek(std::size_t wanted);
    /// Skips bytes that peek() has returned.
    void skip(std::size_t count);
    [[nodiscard]] bool at_end() { return peek(1).empty(); }

    /// Fills `out`. Throws InputError if the end comes first; `what` names the object that was read.
    void read(std::span<char> out, std::string_view what);
    /// Reads the next `count` bytes into `out`. Memory grows with the bytes read, as `count` may come from a damaged
    /// header.
    void read(std::vector<char>& out, std::uint64_t count, std::string_view what);
    /// Throws InputError if anything follows.
    void require_end();
    /// The most bytes that can still come: exact for plain files, a bound for compressed ones.
    [[nodiscard]] std::uint64_t most_bytes_left() const;
    /// From now on require_memory() and peek() refuse to hold more bytes than that; empty: none are refused.
    void limit_memory(std::optional<std::uint64_t> bytes) { most_held_ = bytes; }
    /// Call it while memory grows with the input. Throws LimitExceeded if `held` bytes are more than the limit.
    void require_memory(std::uint64_t held) const;
    /// Throws InputError unless `needed` more bytes can follow: to be called before memory is allocated for a size that
    /// a header claims.
    void require_bytes(std::uint64_t needed, const std::string& what) const;

    [[noreturn]] void fail(const std::string& place, const Text& why) const;

private:
    void compact(std::size_t wanted);

    InputFile file_;
    std::string name_;
    std::unique_ptr<ByteSource> unpacked_;  ///< none: the file itself
    ByteSource* bytes_;
    std::uint64_t most_bytes_;
    std::optional<std::uint64_t> most_held_;
    bool gzip_ = false;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;  ///< buffered bytes: [begin_, end_)
    std::size_t end_ = 0;
    std::uint64_t position_ = 0;
    bool ended_ = false;
};

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
    /// Writes pending bytes and commits the file. Call it once, last.
    void commit();

private:
    AtomicFile file_;
    std::optional<GzipPacker> packer_{};
};

}  // namespace isogon
