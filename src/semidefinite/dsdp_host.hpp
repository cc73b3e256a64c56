#pragma once
#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>

#include "isogon/core/run_context.hpp"

namespace isogon {

/// DSDP did what it must not, or got nowhere: what it holds cannot be read.
class DsdpFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What DSDP finds around it, on the thread that makes the host, for as long as that lives: its memory, which goes with
/// the host wherever DSDP is left, and somebody who asks between its operations whether to go on. What DSDP calls
/// outside itself comes here or to dsdp_arithmetic (cmake/IsogonDsdp.cmake redirects it), and may throw: DSDP has
/// nothing to clean up, since everything it ever took is returned here.
class DsdpHost {
public:
    DsdpHost();
    ~DsdpHost();
    DsdpHost(const DsdpHost&) = delete;
    DsdpHost& operator=(const DsdpHost&) = delete;

    /// The one of this thread. Throws std::logic_error where there is none.
    [[nodiscard]] static DsdpHost& current();

    /// The run that may end from now on; borrowed.
    void watch(const RunContext& context) { context_ = &context; }

    /// So many operations have been done. Where the run has to end, throws Interruption: not at once, but when an
    /// iteration of a small program would have come to its end, whose X is better than none.
    void spend(std::size_t operations) {
        unasked_ += operations;
        if (unasked_ > operations_between) {
            ask();
        }
    }

    /// For one step of so many operations: with what ends a run only where the step is long.
    [[nodiscard]] RunContext context_for(double operations) const;

    /// A matrix was, or was not, positive definite. DSDP goes on until one is; throws DsdpFailure after many that were
    /// not, as where numbers have become infinite.
    void tried(bool definite);

    /// Zeros, as calloc() gives them. Throws std::bad_alloc.
    [[nodiscard]] void* take(std::size_t bytes);
    /// What take() gave, or null.
    static void give_back(void* memory);

private:
    struct Piece;

    void ask();

    static constexpr std::size_t operations_between = 1 << 20;
    std::size_t unasked_ = 0;
    int failures_ = 0;
    const RunContext* context_ = nullptr;
    std::optional<std::chrono::steady_clock::time_point> asked_at_{};
    Piece* pieces_ = nullptr;
};

}  // namespace isogon

/// What DSDP calls instead of the functions of those names.
extern "C" {
void* isogon_dsdp_malloc(std::size_t bytes);
void* isogon_dsdp_calloc(std::size_t count, std::size_t bytes);
void isogon_dsdp_free(void* memory);
[[noreturn]] void isogon_dsdp_exit(int code);
/// Whatever their arguments, which the caller takes away again: not a word is printed.
int isogon_dsdp_printf();
int isogon_dsdp_fprintf();
int isogon_dsdp_puts();
int isogon_dsdp_fputs();
int isogon_dsdp_putchar();
int isogon_dsdp_fputc();
std::size_t isogon_dsdp_fwrite();
int isogon_dsdp_fflush();
/// Routines for formats that DsdpSolver does not ask for.
[[noreturn]] void isogon_dsdp_dspevx();
[[noreturn]] void isogon_dsdp_dspmv();
[[noreturn]] void isogon_dsdp_dspr();
[[noreturn]] void isogon_dsdp_dpptrf();
[[noreturn]] void isogon_dsdp_dpptri();
[[noreturn]] void isogon_dsdp_dpptrs();
[[noreturn]] void isogon_dsdp_dtpsv();
[[noreturn]] void isogon_dsdp_dsyevx();
}
