#include "isogon/io/file_pattern.hpp"

#include <glob.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <system_error>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// What glob(3) has found, given back to it at the end.
struct Found {
    Found() = default;
    ~Found() { ::globfree(&list); }
    Found(const Found&) = delete;
    Found& operator=(const Found&) = delete;

    glob_t list{};
};

}  // namespace

std::vector<std::string> expand_pattern(const std::string& pattern) {
    std::error_code ignored;
    if (pattern.find_first_of("*?[") == std::string::npos || std::filesystem::exists(pattern, ignored)) {
        return {pattern};
    }
    Found found;
    // Unsorted: glob sorts as the machine's language does.
    const int result = ::glob(pattern.c_str(), GLOB_NOSORT | GLOB_ERR, nullptr, &found.list);
    if (result == GLOB_NOSPACE) {
        throw std::bad_alloc();
    }
    if (result == GLOB_ABORTED) {
        throw InputError(pattern, "", "a folder on its way cannot be read: " + std::generic_category().message(errno));
    }
    std::vector<std::string> files(found.list.gl_pathv, found.list.gl_pathv + found.list.gl_pathc);
    if (files.empty()) {
        throw InputError(pattern, "", "no file matches this pattern");
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace isogon
