#pragma once
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"

namespace isogon::test {

namespace fs = std::filesystem;

/// A new, empty folder that is gone, with all in it, when the test is over.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const fs::path& within = fs::temp_directory_path()) {
        std::string pattern = (within / "isogon-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error("cannot make a temporary folder");
        }
        path_ = pattern;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }

    /// Makes a file of these bytes; returns its path.
    [[nodiscard]] fs::path file(const std::string& name, std::string_view bytes) const {
        std::ofstream(path_ / name, std::ios::binary) << bytes;
        return path_ / name;
    }

    [[nodiscard]] std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
    }

private:
    fs::path path_;
};

/// Where files cost least, for tests that write thousands: memory if the system has such a folder.
inline fs::path memory_folder() {
    const fs::path memory = "/dev/shm";
    return ::access(memory.c_str(), W_OK | X_OK) == 0 ? memory : fs::temp_directory_path();
}

inline std::string bytes_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The bytes packed by deflate, wrapped as zlib's window bits say.
inline std::string packed_by_zlib(std::string_view bytes, int window) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// One gzip member.
inline std::string gzip(std::string_view bytes) {
    return packed_by_zlib(bytes, 31);
}

/// The message of the InputError that action throws; "" and a failed test if it throws none.
template <class Exception = InputError, class Action>
std::string message_of(Action action) {
    try {
        static_cast<void>(action());
    } catch (const Exception& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
}

inline void expect_holds(const std::string& message, const std::vector<std::string>& parts) {
    for (const auto& part : parts) {
        EXPECT_NE(message.find(part), std::string::npos) << '"' << part << "\" is missing in: " << message;
    }
}

/// Expects an InputError whose message holds all the parts.
template <class Action>
void expect_input_error(Action action, const std::vector<std::string>& parts) {
    expect_holds(message_of(action), parts);
}

/// The points as one list, row by row.
inline std::vector<float> flat(const PointsView& points) {
    std::vector<float> values;
    for (Index i = 0; i < points.count; ++i) {
        values.insert(values.end(), points[i].begin(), points[i].end());
    }
    return values;
}

/// While it exists no file grows over `bytes`: simulates a full disk, which fails in the same calls.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int);
};

}  // namespace isogon::test
