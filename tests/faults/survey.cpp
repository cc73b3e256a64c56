#include "survey.hpp"

#include <execinfo.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "plan.hpp"

namespace faults {
namespace {

/// The driver reads it by the struct format "<16sQQ".
struct Request {
    std::array<char, 16> call{};
    Kind kind = Kind::Alloc;
    std::uint64_t stack = 0;  ///< equal for equal call stacks, whatever the addresses of this run
};

struct Module {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
};

std::array<Module, 64> modules;
std::size_t module_count = 0;

int note_module(dl_phdr_info* info, std::size_t /*size*/, void* /*data*/) {
    Module module{~std::uintptr_t{0}, 0};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) {
            module.begin = std::min<std::uintptr_t>(module.begin, info->dlpi_addr + segment.p_vaddr);
            module.end = std::max<std::uintptr_t>(module.end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
    }
    if (module_count < modules.size()) {
        modules.at(module_count++) = module;
    }
    return 0;
}

std::uint64_t stack_hash() {
    std::array<void*, 48> frames{};
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    std::uint64_t hash = 1469598103934665603U;  // FNV-1a
    for (int i = 2; i < count; ++i) {
        auto address = reinterpret_cast<std::uintptr_t>(frames.at(static_cast<std::size_t>(i)));
        for (std::size_t m = 0; m < module_count; ++m) {
            if (address >= modules.at(m).begin && address < modules.at(m).end) {
                address = address - modules.at(m).begin + (m << 48U);
                break;
            }
        }
        hash = (hash ^ address) * 1099511628211U;
    }
    return hash;
}

}  // namespace

void prepare_stacks() {
    std::array<void*, 4> frames{};
    backtrace(frames.data(), static_cast<int>(frames.size()));  // loads what it needs, the first time
    dl_iterate_phdr(note_module, nullptr);
}

void survey(Kind kind, const char* call) {
    Request request{.kind = kind};
    std::strncpy(request.call.data(), call, request.call.size() - 1);
    request.stack = stack_hash();
    [[maybe_unused]] const long written = syscall(SYS_write, plan.survey, &request, sizeof request);
}

void print_stack() {
    std::array<void*, 64> frames{};
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    backtrace_symbols_fd(frames.data(), count, STDERR_FILENO);
}

}  // namespace faults
