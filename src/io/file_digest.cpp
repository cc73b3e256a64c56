#include "isogon/io/file_digest.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "io/byte_stream.hpp"
#include "isogon/core/sha256.hpp"

namespace isogon {

std::string file_digest(const std::filesystem::path& path, const RunContext& context) {
    constexpr std::size_t piece_bytes = 1'000'000;
    InputFile file(path);
    std::vector<char> piece(std::min<std::uint64_t>(piece_bytes, file.size()));
    Sha256 digest;
    while (true) {
        throw_if_cancelled(context);
        const std::size_t got = file.read(piece);
        if (got == 0) {
            return digest.hex();
        }
        digest.add(std::as_bytes(std::span(piece).first(got)));
    }
}

}  // namespace isogon
