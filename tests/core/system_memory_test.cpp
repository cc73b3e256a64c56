#include "core/system_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <vector>

#include "support/sanitizers.hpp"

namespace isogon::system_memory_test {
namespace {

/// Resident megabytes of the process; 0 where they are unknown.
double resident() {
    std::ifstream file("/proc/self/statm");
    double total = 0.0;
    double held = 0.0;
    file >> total >> held;
    return held * 4096.0 / 1e6;
}

TEST(LargePages, AreAskedForWithoutHarm) {
    for (const std::size_t bytes : {0U, 1U, 4096U, (1U << 21U) - 1, (1U << 23U) + 5}) {
        std::vector<char> memory;
        memory.reserve(bytes);
        request_large_pages(memory.data(), memory.capacity());
        memory.assign(bytes, 'x');
        EXPECT_EQ(std::count(memory.begin(), memory.end(), 'x'), static_cast<std::ptrdiff_t>(bytes));
    }
    request_large_pages(nullptr, 0);
}

TEST(FreedMemory, GoesBackFromBelowWhatIsKept) {
#ifndef __GLIBC__
    GTEST_SKIP() << "no allocator that can be asked";
#endif
    if (support::under_a_sanitizer() || resident() == 0.0) {
        GTEST_SKIP() << "the allocator is a sanitizer's, or nobody tells what it holds";
    }
    constexpr std::size_t size = 50000;
    std::vector<std::unique_ptr<std::vector<char>>> blocks;
    for (int k = 0; k < 800; ++k) {
        blocks.push_back(std::make_unique<std::vector<char>>(size, 'x'));
    }
    const auto kept = std::move(blocks.back());  // above all others
    blocks.clear();
    const double before = resident();
    trim_heap();
    EXPECT_LT(resident(), before - 20.0);
    EXPECT_EQ(kept->back(), 'x');
}

}  // namespace
}  // namespace isogon::system_memory_test
