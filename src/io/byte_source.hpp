#pragma once
#include <cstddef>
#include <span>

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

}  // namespace isogon
