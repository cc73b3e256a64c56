#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace isogon {

/// Where bytes come from, in order: a file, or what a gzip file unpacks to.
class ByteSource {
public:
    ByteSource() = default;
    virtual ~ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    /// Fills the front of `buffer` (not empty) and returns how many bytes came; 0 only at the end.
    virtual std::size_t read(std::span<char> buffer) = 0;
};

/// A regular file, opened for reading. Anything else is refused: a pipe could block for ever, a device have no end.
class InputFile final : public ByteSource {
public:
    /// Throws InputError: missing, no permission, a folder, no regular file, empty.
    explicit InputFile(const std::filesystem::path& path);
    ~InputFile() override;

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Bytes, when it was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Up to `count` of the first bytes, without moving where read() goes on.
    [[nodiscard]] std::string first_bytes(std::size_t count) const;
    std::size_t read(std::span<char> buffer) override;
    /// Fills `out` with what lies at `offset`, without moving where read() goes on; from several threads at a time.
    /// Throws InputError if the file ends before: it has been shortened meanwhile.
    void read_at(std::uint64_t offset, std::span<char> out) const;
    /// The whole file as memory, read-only. Should another process shorten the file while it is mapped, touching what
    /// is gone kills this one: no way to check against that exists.
    [[nodiscard]] std::shared_ptr<const char> map() const;

private:
    [[noreturn]] void fail(int error) const;

    std::string name_;
    std::uint64_t size_ = 0;
    int descriptor_ = -1;
};

}  // namespace isogon
