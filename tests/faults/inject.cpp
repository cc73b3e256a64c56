// Preloaded into the program (LD_PRELOAD): counts its requests to the system, and makes the k-th fail.
//
// The environment says what happens. All counting begins with main(): what the loader and the constructors of other
// libraries do before is not ours to handle. (FAULT_EARLY counts threads from the first instruction on.)
//   FAULT_COUNT    what is counted: alloc, io, thread, any (alloc and io), or all
//   FAULT_AT       the k-th of them is hit, counted from 1; 0: none
//   FAULT_ACTION   fail, short (a read or write of fewer bytes), or signal
//   FAULT_FOR      once, or good: all later ones of the same call too; of memory, all that would need more than was
//   freed
//                  since: the program has what it had, and no more
//   FAULT_NUMBER   the errno of a failure, or the signal's number
//   FAULT_TWICE    the signal is sent again a moment later
//   FAULT_TRACE    the call stack of what is hit, and that of a crash, are printed on stderr
//   FAULT_SURVEY   a file to which every counted request is written, as a Request
// The survey's file is a pipe or file of the driver's; see faults.py.
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <string_view>

namespace {

enum class Kind : std::uint64_t { Alloc, Io, Thread };

/// As the driver reads it: struct format "<16sQQ".
struct Request {
    std::array<char, 16> call{};
    Kind kind = Kind::Alloc;
    std::uint64_t stack = 0;  ///< equal for equal call stacks, whatever the addresses of this run
};
enum class Action { Pass, Fail, Short };

struct Plan {
    bool alloc = false;
    bool io = false;
    bool thread = false;
    bool early = false;
    bool short_transfer = false;
    bool signal = false;
    bool twice = false;
    bool for_good = false;
    bool trace = false;
    std::uint64_t at = 0;
    int number = 0;
    int survey = -1;
};

Plan plan;
std::atomic<bool> armed{false};
std::atomic<std::uint64_t> counted{0};
std::atomic<const char*> call_hit{""};
std::atomic<bool> memory_gone{false};
std::atomic<std::int64_t> memory_left{0};
// Within what this library itself asks for nothing is counted. Not the usual model of thread-local memory: that one
// allocates on first use.
__attribute__((tls_model("initial-exec"))) thread_local bool inside = false;

struct Inside {
    bool before = inside;
    Inside() { inside = true; }
    ~Inside() { inside = before; }
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

void crash(int number) {
    print_stack();
    signal(number, SIG_DFL);
    raise(number);
}

void moment() {
    const timespec time{0, 2000000};
    nanosleep(&time, nullptr);
}

void send_signal() {
    kill(getpid(), plan.number);
    moment();
    if (plan.twice) {
        kill(getpid(), plan.number);
        moment();
    }
}

/// What happens to this request, which is counted.
Action next(Kind kind, const char* call) {
    const bool wanted = kind == Kind::Alloc ? plan.alloc : kind == Kind::Io ? plan.io : plan.thread;
    if (!wanted || inside || !(armed.load(std::memory_order_relaxed) || (plan.early && kind == Kind::Thread))) {
        return Action::Pass;
    }
    const Inside guard;
    const int error = errno;
    const std::uint64_t number = counted.fetch_add(1) + 1;
    if (plan.survey >= 0) {
        survey(kind, call);
    }
    errno = error;
    const bool again = plan.for_good && number > plan.at && std::string_view(call_hit) == call;
    if (plan.at == 0 || (number != plan.at && !again)) {
        return Action::Pass;
    }
    call_hit = call;
    if (plan.trace && number == plan.at) {
        print_stack();
    }
    if (kind == Kind::Alloc && plan.for_good) {
        memory_gone = true;
        return Action::Pass;  // charge() decides
    }
    if (plan.signal) {
        send_signal();
        errno = error;
        return Action::Pass;
    }
    return plan.short_transfer ? Action::Short : Action::Fail;
}

bool fails(Kind kind, const char* call) {
    if (next(kind, call) == Action::Pass) {
        return false;
    }
    errno = plan.number;
    return true;
}

/// The bytes that a read or write may move: all, some, or (false) none, with errno set.
bool limit(const char* call, std::size_t& bytes) {
    switch (next(Kind::Io, call)) {
        case Action::Pass: return true;
        case Action::Short: bytes = plan.for_good ? (bytes + 1) / 2 : std::min<std::size_t>(bytes, 1); return true;
        default: errno = plan.number; return false;
    }
}

const char* text(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

void read_plan() {
    const std::string_view count = text("FAULT_COUNT", "");
    const std::string_view action = text("FAULT_ACTION", "fail");
    plan.alloc = count == "alloc" || count == "any" || count == "all";
    plan.io = count == "io" || count == "any" || count == "all";
    plan.thread = count == "thread" || count == "all";
    plan.early = *text("FAULT_EARLY", "") != '\0';
    plan.at = std::strtoull(text("FAULT_AT", "0"), nullptr, 10);
    plan.short_transfer = action == "short";
    plan.signal = action == "signal";
    plan.for_good = std::string_view(text("FAULT_FOR", "once")) == "good";
    plan.twice = *text("FAULT_TWICE", "") != '\0';
    plan.trace = *text("FAULT_TRACE", "") != '\0';
    plan.number = std::atoi(text("FAULT_NUMBER", "12"));
    if (const char* file = std::getenv("FAULT_SURVEY")) {
        const long opened = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        // Far up, so that the program's own descriptors have the numbers that they have without.
        plan.survey = opened < 0 ? -1 : fcntl(static_cast<int>(opened), F_DUPFD_CLOEXEC, 500);
        syscall(SYS_close, opened);
    }
}

template <class Function>
Function real(const char* name) {
    const Inside guard;
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// dlsym() itself may allocate, before the true calloc() is known: out of this, which is never given back.
std::array<char, 8192> first_memory;
std::atomic<std::size_t> first_used{0};

void* from_first_memory(std::size_t bytes) {
    constexpr std::size_t alignment = 16;
    const std::size_t begin = first_used.fetch_add((bytes + alignment - 1) / alignment * alignment);
    return begin + bytes <= first_memory.size() ? first_memory.data() + begin : nullptr;
}

bool is_first_memory(const void* pointer) {
    return pointer >= first_memory.data() && pointer < first_memory.data() + first_memory.size();
}

struct Allocator {
    void* (*malloc)(std::size_t) = nullptr;
    void* (*calloc)(std::size_t, std::size_t) = nullptr;
    void* (*realloc)(void*, std::size_t) = nullptr;
    void* (*aligned_alloc)(std::size_t, std::size_t) = nullptr;
    int (*posix_memalign)(void**, std::size_t, std::size_t) = nullptr;
    void (*free)(void*) = nullptr;
};

Allocator allocator;
std::atomic<bool> allocator_known{false};

/// Null while it is being looked up.
const Allocator* true_allocator() {
    if (allocator_known.load(std::memory_order_acquire)) {
        return &allocator;
    }
    if (inside) {
        return nullptr;
    }
    allocator.malloc = real<decltype(allocator.malloc)>("malloc");
    allocator.calloc = real<decltype(allocator.calloc)>("calloc");
    allocator.realloc = real<decltype(allocator.realloc)>("realloc");
    allocator.aligned_alloc = real<decltype(allocator.aligned_alloc)>("aligned_alloc");
    allocator.posix_memalign = real<decltype(allocator.posix_memalign)>("posix_memalign");
    allocator.free = real<decltype(allocator.free)>("free");
    allocator_known.store(true, std::memory_order_release);
    return &allocator;
}

/// Where memory is gone for good, a block can be had only out of what was freed.
void* charge(const Allocator& of, void* block) {
    if (memory_gone && !inside && block != nullptr) {
        const auto bytes = static_cast<std::int64_t>(malloc_usable_size(block));
        if (memory_left.fetch_sub(bytes) < bytes) {
            memory_left += bytes;
            of.free(block);
            errno = ENOMEM;
            return nullptr;
        }
    }
    return block;
}

void* allocate(std::size_t bytes, const char* call) {
    const Allocator* to = true_allocator();
    if (to == nullptr) {
        return from_first_memory(bytes);
    }
    return fails(Kind::Alloc, call) ? nullptr : charge(*to, to->malloc(bytes));
}

void* allocate_aligned(std::size_t alignment, std::size_t bytes, const char* call) {
    const Allocator* to = true_allocator();
    const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
    return to == nullptr || fails(Kind::Alloc, call) ? nullptr : charge(*to, to->aligned_alloc(alignment, whole));
}

/// As operator new does it: the program's handler may free something and return. What fails once fails whatever it
/// frees, until the handler gives up.
template <class Get>
void* or_throw(const Get& get) {
    bool refused = false;
    while (true) {
        if (void* block = refused && !plan.for_good ? nullptr : get()) {
            return block;
        }
        refused = true;
        const std::new_handler handler = std::get_new_handler();
        if (handler == nullptr) {
            throw std::bad_alloc();
        }
        handler();
    }
}

using Main = int (*)(int, char**, char**);
Main true_main = nullptr;

int counting_main(int argc, char** argv, char** environment) {
    {
        const Inside guard;
        std::array<void*, 4> frames{};
        backtrace(frames.data(), static_cast<int>(frames.size()));  // loads what it needs, the first time
        dl_iterate_phdr(note_module, nullptr);
    }
    for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) {
        if (plan.trace) {
            signal(number, crash);
        }
    }
    armed = true;
    return true_main(argc, argv, environment);
}

__attribute__((constructor)) void begin() {
    const Inside guard;
    read_plan();
}

}  // namespace

// Everything below stands in for a function of the C library or the C++ runtime, and says so by its name.
// NOLINTBEGIN: names and signatures are theirs
extern "C" {

int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack_end) {
    true_main = main;
    using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    return real<Start>("__libc_start_main")(counting_main, argc, argv, init, fini, rtld_fini, stack_end);
}

void* malloc(std::size_t bytes) {
    return allocate(bytes, "malloc");
}

void* calloc(std::size_t count, std::size_t bytes) {
    const Allocator* to = true_allocator();
    if (to == nullptr) {
        return from_first_memory(count * bytes);  // static, hence zero
    }
    return fails(Kind::Alloc, "calloc") ? nullptr : charge(*to, to->calloc(count, bytes));
}

void* realloc(void* pointer, std::size_t bytes) {
    const Allocator* to = true_allocator();
    if (to == nullptr || is_first_memory(pointer)) {
        void* more = to == nullptr ? from_first_memory(bytes) : to->malloc(bytes);
        const auto* end = first_memory.data() + first_memory.size();
        return pointer == nullptr || more == nullptr
                   ? more
                   : std::memcpy(more, pointer, std::min<std::size_t>(bytes, end - static_cast<char*>(pointer)));
    }
    if (fails(Kind::Alloc, "realloc")) {
        return nullptr;
    }
    if (memory_gone && !inside) {
        void* block = charge(*to, to->malloc(bytes));
        if (block != nullptr && pointer != nullptr) {
            std::memcpy(block, pointer, std::min(bytes, malloc_usable_size(pointer)));
            free(pointer);
        }
        return block;
    }
    return to->realloc(pointer, bytes);
}

void free(void* pointer) {
    if (pointer != nullptr && !is_first_memory(pointer)) {
        if (const Allocator* to = true_allocator()) {
            if (memory_gone) {
                memory_left += static_cast<std::int64_t>(malloc_usable_size(pointer));
            }
            to->free(pointer);
        }
    }
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return allocate_aligned(alignment, bytes, "aligned_alloc");
}

void* memalign(std::size_t alignment, std::size_t bytes) {
    return allocate_aligned(alignment, bytes, "memalign");
}

int posix_memalign(void** pointer, std::size_t alignment, std::size_t bytes) {
    const Allocator* to = true_allocator();
    if (to == nullptr || fails(Kind::Alloc, "posix_memalign")) {
        return ENOMEM;
    }
    void* block = nullptr;
    const int error = to->posix_memalign(&block, alignment, bytes);
    block = error == 0 ? charge(*to, block) : nullptr;
    if (block != nullptr) {
        *pointer = block;
    }
    return block != nullptr ? 0 : ENOMEM;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    static const auto to = real<decltype(&pthread_create)>("pthread_create");
    return fails(Kind::Thread, "pthread_create") ? plan.number : to(thread, attributes, run, argument);
}

ssize_t read(int file, void* buffer, std::size_t bytes) {
    static const auto to = real<decltype(&read)>("read");
    return limit("read", bytes) ? to(file, buffer, bytes) : -1;
}

ssize_t pread(int file, void* buffer, std::size_t bytes, off_t offset) {
    static const auto to = real<decltype(&pread)>("pread");
    return limit("pread", bytes) ? to(file, buffer, bytes, offset) : -1;
}

ssize_t pread64(int file, void* buffer, std::size_t bytes, off64_t offset) {
    static const auto to = real<decltype(&pread64)>("pread64");
    return limit("pread", bytes) ? to(file, buffer, bytes, offset) : -1;
}

ssize_t write(int file, const void* buffer, std::size_t bytes) {
    static const auto to = real<decltype(&write)>("write");
    return limit(file == STDERR_FILENO ? "write stderr" : "write", bytes) ? to(file, buffer, bytes) : -1;
}

ssize_t pwrite(int file, const void* buffer, std::size_t bytes, off_t offset) {
    static const auto to = real<decltype(&pwrite)>("pwrite");
    return limit("pwrite", bytes) ? to(file, buffer, bytes, offset) : -1;
}

ssize_t pwrite64(int file, const void* buffer, std::size_t bytes, off64_t offset) {
    static const auto to = real<decltype(&pwrite64)>("pwrite64");
    return limit("pwrite", bytes) ? to(file, buffer, bytes, offset) : -1;
}

ssize_t writev(int file, const iovec* parts, int count) {
    static const auto to = real<decltype(&writev)>("writev");
    return fails(Kind::Io, file == STDERR_FILENO ? "writev stderr" : "writev") ? -1 : to(file, parts, count);
}

std::size_t fwrite(const void* buffer, std::size_t size, std::size_t count, FILE* file) {
    static const auto to = real<decltype(&fwrite)>("fwrite");
    return fails(Kind::Io, file == stderr ? "fwrite stderr" : "fwrite") ? 0 : to(buffer, size, count, file);
}

int fflush(FILE* file) {
    static const auto to = real<decltype(&fflush)>("fflush");
    return fails(Kind::Io, file == stderr ? "fflush stderr" : "fflush") ? EOF : to(file);
}

#define ISOGON_OPEN(name)                                                   \
    int name(const char* path, int flags, ...) {                            \
        static const auto to = real<int (*)(const char*, int, ...)>(#name); \
        va_list more;                                                       \
        va_start(more, flags);                                              \
        const mode_t mode = va_arg(more, mode_t);                           \
        va_end(more);                                                       \
        return fails(Kind::Io, "open") ? -1 : to(path, flags, mode);        \
    }
ISOGON_OPEN(open)
ISOGON_OPEN(open64)

FILE* fopen(const char* path, const char* mode) {
    static const auto to = real<decltype(&fopen)>("fopen");
    return fails(Kind::Io, "fopen") ? nullptr : to(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
    static const auto to = real<decltype(&fopen64)>("fopen64");
    return fails(Kind::Io, "fopen") ? nullptr : to(path, mode);
}

int close(int file) {
    static const auto to = real<decltype(&close)>("close");
    const bool failed = fails(Kind::Io, "close");
    const int error = errno;
    const int result = to(file);  // it is closed all the same, as Linux does
    errno = failed ? error : errno;
    return failed ? -1 : result;
}

// Functions that do nothing when they fail.
#define ISOGON_CALL(result, name, failure, parameters, arguments) \
    result name parameters {                                      \
        static const auto to = real<decltype(&name)>(#name);      \
        return fails(Kind::Io, #name) ? (failure) : to arguments; \
    }
ISOGON_CALL(int, fsync, -1, (int file), (file))
ISOGON_CALL(int, rename, -1, (const char* from, const char* to_name), (from, to_name))
ISOGON_CALL(int, link, -1, (const char* from, const char* to_name), (from, to_name))
ISOGON_CALL(int, unlink, -1, (const char* path), (path))
ISOGON_CALL(int, remove, -1, (const char* path), (path))
ISOGON_CALL(int, mkdir, -1, (const char* path, mode_t mode), (path, mode))
ISOGON_CALL(int, ftruncate, -1, (int file, off_t size), (file, size))
ISOGON_CALL(int, flock, -1, (int file, int operation), (file, operation))
ISOGON_CALL(int, fchmod, -1, (int file, mode_t mode), (file, mode))
ISOGON_CALL(int, stat, -1, (const char* path, struct stat* status), (path, status))
ISOGON_CALL(int, lstat, -1, (const char* path, struct stat* status), (path, status))
ISOGON_CALL(int, fstat, -1, (int file, struct stat* status), (file, status))
ISOGON_CALL(int, faccessat, -1, (int folder, const char* path, int mode, int flags), (folder, path, mode, flags))
ISOGON_CALL(int, statvfs, -1, (const char* path, struct statvfs* status), (path, status))
ISOGON_CALL(char*, realpath, nullptr, (const char* path, char* resolved), (path, resolved))
ISOGON_CALL(DIR*, opendir, nullptr, (const char* path), (path))
ISOGON_CALL(DIR*, fdopendir, nullptr, (int folder), (folder))
ISOGON_CALL(dirent*, readdir, nullptr, (DIR * folder), (folder))
ISOGON_CALL(void*, mmap, MAP_FAILED, (void* at, std::size_t bytes, int access, int flags, int file, off_t offset),
            (at, bytes, access, flags, file, offset))
ISOGON_CALL(void*, mmap64, MAP_FAILED, (void* at, std::size_t bytes, int access, int flags, int file, off64_t offset),
            (at, bytes, access, flags, file, offset))

}  // extern "C"

void* operator new(std::size_t bytes) {
    return or_throw([&] { return allocate(bytes, "new"); });
}
void* operator new[](std::size_t bytes) {
    return operator new(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes, "new");
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes, "new");
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return or_throw([&] { return allocate_aligned(static_cast<std::size_t>(alignment), bytes, "new"); });
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return operator new(bytes, alignment);
}
void operator delete(void* pointer) noexcept {
    free(pointer);
}
void operator delete[](void* pointer) noexcept {
    free(pointer);
}
void operator delete(void* pointer, std::size_t) noexcept {
    free(pointer);
}
void operator delete[](void* pointer, std::size_t) noexcept {
    free(pointer);
}
void operator delete(void* pointer, std::align_val_t) noexcept {
    free(pointer);
}
void operator delete[](void* pointer, std::align_val_t) noexcept {
    free(pointer);
}
void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept {
    free(pointer);
}
void operator delete[](void* pointer, std::size_t, std::align_val_t) noexcept {
    free(pointer);
}
// NOLINTEND
