#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

#include "isogon/core/archive.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon::fuzz {

/// A file that is only in memory, for as long as this lives.
class MemoryFile {
public:
    explicit MemoryFile(const std::string& bytes);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    [[nodiscard]] std::string path() const;

private:
    int file_;
};

/// One thread, a quarter of a gigabyte and a quarter of a second: nothing in the corpus needs as much.
[[nodiscard]] RunContext limited();

/// Runs `action`. Errors that users see as messages are expected, and so is the end of the time limit; whatever else is
/// thrown is a fault.
void attempt(const std::function<void()>& action);

/// Reads the archive that the bytes are, its checksum mended, and hands it to `consumer` within attempt().
void consume(const std::uint8_t* data, std::size_t size, const std::function<void(const Archive&)>& consumer);

/// Ends the program: libFuzzer keeps the input.
[[noreturn]] void fault(const std::string& what);

template <class Numbers>
void expect_finite(const Numbers& numbers, const std::string& what) {
    for (const auto number : numbers) {
        if (!std::isfinite(number)) {
            fault(what + " holds NaN or infinity");
        }
    }
}

/// A few rows as users have them, and rows of zeros, negative, very long and very short ones: what row `kind` is.
constexpr int row_kinds = 6;
[[nodiscard]] Points rows_of_kind(int kind, Index dimension);

}  // namespace isogon::fuzz
