#include "consumer.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "archive_bytes.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"

namespace isogon::fuzz {

MemoryFile::MemoryFile(const std::string& bytes) : file_(::memfd_create("fuzz", 0)) {
    if (file_ < 0 || ::write(file_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
        fault("no file in memory");
    }
}

MemoryFile::~MemoryFile() {
    ::close(file_);
}

std::string MemoryFile::path() const {
    return "/proc/self/fd/" + std::to_string(file_);
}

RunContext limited() {
    RunContext context;
    context.threads = 1;
    context.memory_limit = std::uint64_t{256} << 20U;
    context.limit_seconds(0.25);
    return context;
}

void attempt(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError&) {
    } catch (const InvalidArgument&) {
    } catch (const LimitExceeded&) {
    } catch (const Interruption&) {
    }
}

void consume(const std::uint8_t* data, std::size_t size, const std::function<void(const Archive&)>& consumer) {
    const MemoryFile file(with_checksum({reinterpret_cast<const char*>(data), size}));
    attempt([&] { consumer(read_archive(file.path())); });
}

void fault(const std::string& what) {
    std::fprintf(stderr, "fault: %s\n", what.c_str());
    std::abort();
}

Points rows_of_kind(int kind, Index dimension) {
    constexpr std::array<float, row_kinds> scales{1.0F, -1.0F, 0.0F, 1e30F, 1e-40F, 3e38F};
    Points rows(3, dimension);
    std::uint32_t state = 1;
    for (float& value : rows.values()) {
        state = state * 1664525U + 1013904223U;  // Numerical Recipes' generator
        value = scales.at(static_cast<std::size_t>(kind)) * (static_cast<float>(state >> 8U) * 0x1p-24F);
    }
    return rows;
}

}  // namespace isogon::fuzz
