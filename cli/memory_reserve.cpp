#include "memory_reserve.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

namespace isogon::cli {

namespace {

constexpr std::size_t little = std::size_t{64} * 1024;
constexpr std::size_t rest = std::size_t{512} * 1024;

std::array<std::atomic<void*>, 2> reserve{};

/// True if there was something to give back.
bool give_back(std::atomic<void*>& block) {
    void* held = block.exchange(nullptr);
    std::free(held);
    return held != nullptr;
}

/// May return only if more memory is there than before (C++20, [new.handler]).
void open_reserve() {
    if (!give_back(reserve[0])) {
        give_back(reserve[1]);
        throw std::bad_alloc();
    }
}

}  // namespace

void keep_memory_reserve() {
    reserve[0] = std::malloc(little);
    reserve[1] = std::malloc(rest);
    std::set_new_handler(open_reserve);
}

}  // namespace isogon::cli
