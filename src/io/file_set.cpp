#include "io/file_set.hpp"

#include <glob.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>
#include <vector>

#include "core/sha256.hpp"
#include "io/byte_stream.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

std::vector<std::string> expand_pattern(const std::string& pattern) {
    std::error_code ignored;
    if (pattern.find_first_of("*?[") == std::string::npos || std::filesystem::exists(pattern, ignored)) {
        return {pattern};
    }
    glob_t found{};
    const std::unique_ptr<glob_t, void (*)(glob_t*)> owner(&found, &::globfree);
    // Unsorted: the order of glob depends on the locale.
    const int result = ::glob(pattern.c_str(), GLOB_NOSORT | GLOB_ERR, nullptr, &found);
    if (result == GLOB_NOSPACE) {
        throw std::bad_alloc();
    }
    if (result == GLOB_ABORTED) {
        throw InputError(pattern, "", "a folder on its way cannot be read: " + std::generic_category().message(errno));
    }
    std::vector<std::string> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    if (files.empty()) {
        throw InputError(pattern, "", "no file matches this pattern");
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string file_text(const std::filesystem::path& path) {
    const InputFile file(path);
    return file.first_bytes(file.size());
}

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
