#pragma once
#include <zlib.h>

#include <string>
#include <vector>

#include "io/byte_source.hpp"
#include "io/input_file.hpp"

namespace isogon {

/// True if these are the first bytes of a gzip file (RFC 1952: 1f 8b, and 8, the only method there is).
[[nodiscard]] bool is_gzip(std::string_view first_bytes);

/// What a gzip file unpacks to; members that follow each other are joined, as gzip itself does.
/// read() throws InputError when the data is corrupt, ends early, or is followed by anything else.
class GzipSource final : public ByteSource {
public:
    /// `file` must outlive this, and nobody else may read from it.
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
    std::uint64_t taken_ = 0;       ///< bytes of the file that came so far
    std::uint64_t members_ = 0;     ///< whole members seen
    bool between_members_ = false;  ///< the last member ended, the next has not begun
};

}  // namespace isogon
