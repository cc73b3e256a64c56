#include "semidefinite/dsdp_host.hpp"

#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include "core/elementary.hpp"

namespace isogon {

namespace {

/// DSDP's functions have no argument for data of the caller.
thread_local DsdpHost* host_of_thread = nullptr;

[[noreturn]] void refuse(const char* routine) {
    throw std::logic_error(std::string("DSDP asks for a routine that is not there: ") + routine);
}

}  // namespace

/// Header before each allocation, linked in a ring of all allocations.
struct alignas(std::max_align_t) DsdpHost::Piece {
    Piece* before = this;
    Piece* after = this;

    void leave_ring() const {
        before->after = after;
        after->before = before;
    }
};

DsdpHost::DsdpHost() {
    if (host_of_thread != nullptr) {
        throw std::logic_error("two DSDP solvers on one thread");
    }
    pieces_ = new Piece;
    host_of_thread = this;
}

DsdpHost::~DsdpHost() {
    for (Piece* piece = pieces_->after; piece != pieces_;) {
        Piece* next = piece->after;
        std::free(piece);  // NOLINT(*-no-malloc): see allocate()
        piece = next;
    }
    delete pieces_;
    host_of_thread = nullptr;
}

DsdpHost& DsdpHost::current() {
    if (host_of_thread == nullptr) {
        throw std::logic_error("DSDP without a host");
    }
    return *host_of_thread;
}

RunContext DsdpHost::context_for(double operations) const {
    constexpr double long_step = 1e9;  // some tenths of a second
    if (context_ == nullptr) {
        return {};
    }
    RunContext context{.threads = context_->threads};
    if (operations > long_step) {
        context.stop = context_->stop;
        context.deadline = context_->deadline;
    }
    return context;
}

void DsdpHost::check_context() {
    constexpr std::chrono::milliseconds for_its_iteration{300};
    unchecked_ = 0;
    const auto reason = context_ == nullptr ? std::nullopt : context_->interruption();
    if (!reason) {
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - interrupted_at_.value_or(now) > for_its_iteration) {
        throw Interruption{*reason};
    }
    interrupted_at_ = interrupted_at_.value_or(now);
}

void DsdpHost::record_definiteness(bool definite) {
    constexpr int most_failures = 300;  // its own line searches end after 30
    failures_ = definite ? 0 : failures_ + 1;
    if (failures_ > most_failures) {
        throw DsdpFailure("no matrix is positive definite any more");
    }
}

void* DsdpHost::allocate(std::size_t bytes) {
    if (bytes > std::numeric_limits<std::size_t>::max() - sizeof(Piece)) {
        throw std::bad_alloc();
    }
    void* memory = std::calloc(1, sizeof(Piece) + bytes);  // NOLINT(*-no-malloc): zeros that cost nothing until touched
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    auto* piece = new (memory) Piece{.before = pieces_, .after = pieces_->after};
    piece->before->after = piece;
    piece->after->before = piece;
    return piece + 1;
}

void DsdpHost::release(void* memory) {
    if (memory != nullptr) {
        Piece* piece = static_cast<Piece*>(memory) - 1;
        piece->leave_ring();
        std::free(piece);  // NOLINT(*-no-malloc): see allocate()
    }
}

}  // namespace isogon

extern "C" {

void* isogon_dsdp_malloc(std::size_t bytes) {
    return isogon::DsdpHost::current().allocate(bytes);
}

void* isogon_dsdp_calloc(std::size_t count, std::size_t bytes) {
    if (bytes != 0 && count > std::numeric_limits<std::size_t>::max() / bytes) {
        throw std::bad_alloc();
    }
    return isogon::DsdpHost::current().allocate(count * bytes);
}

void isogon_dsdp_free(void* memory) {
    isogon::DsdpHost::release(memory);
}

// DSDP's own name behind the prefix that the linker gives it.
// NOLINTNEXTLINE(readability-identifier-naming)
int isogon_DSDPDataMatGetRowNonzeros(IsogonDsdpMatrix matrix, int row, int rows, int* nonzeros, int* count);

int isogon_dsdp_row_nonzeros(IsogonDsdpMatrix matrix, int row, int rows, int* nonzeros, int* count) {
    constexpr std::size_t operations = 16;  // a constraint has four entries at most
    isogon::DsdpHost::current().count_operations(operations);
    return isogon_DSDPDataMatGetRowNonzeros(matrix, row, rows, nonzeros, count);
}

void isogon_dsdp_exit(int code) {
    throw isogon::DsdpFailure("the solver would have ended the program, with code " + std::to_string(code));
}

double isogon_dsdp_log(double x) {
    return isogon::elementary::log(x);
}

int isogon_dsdp_printf() {
    return 0;
}

int isogon_dsdp_fprintf() {
    return 0;
}

int isogon_dsdp_puts() {
    return 0;
}

int isogon_dsdp_fputs() {
    return 0;
}

int isogon_dsdp_putchar() {
    return 0;
}

int isogon_dsdp_fputc() {
    return 0;
}

std::size_t isogon_dsdp_fwrite() {
    return 0;
}

int isogon_dsdp_fflush() {
    return 0;
}

void isogon_dsdp_dspevx() {
    isogon::refuse("dspevx");
}

void isogon_dsdp_dspmv() {
    isogon::refuse("dspmv");
}

void isogon_dsdp_dspr() {
    isogon::refuse("dspr");
}

void isogon_dsdp_dpptrf() {
    isogon::refuse("dpptrf");
}

void isogon_dsdp_dpptri() {
    isogon::refuse("dpptri");
}

void isogon_dsdp_dpptrs() {
    isogon::refuse("dpptrs");
}

void isogon_dsdp_dtpsv() {
    isogon::refuse("dtpsv");
}

void isogon_dsdp_dsyevx() {
    isogon::refuse("dsyevx");
}

}  // extern "C"
