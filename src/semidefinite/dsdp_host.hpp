#pragma once
#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>

#include "isogon/core/run_context.hpp"

namespace isogon {

/// DSDP made an invalid call or did not converge: its results must not be read.
class DsdpFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The environment of DSDP on the thread that constructs the host, for the host's lifetime: its memory, which the host
/// frees wherever DSDP is interrupted, and checks for cancellation between operations. External calls of DSDP are
/// redirected to the functions below (cmake/IsogonDsdp.cmake) and may throw: DSDP needs no clean-up, since the host
/// owns all its memory.
class DsdpHost {
public:
    DsdpHost();
    ~DsdpHost();
    DsdpHost(const DsdpHost&) = delete;
    DsdpHost& operator=(const DsdpHost&) = delete;

    /// The one of this thread. Throws std::logic_error where there is none.
    [[nodiscard]] static DsdpHost& current();

    /// Sets the context that is checked from now on; borrowed.
    void set_context(const RunContext& context) { context_ = &context; }

    /// Counts operations. Throws Interruption where the run has to end, but with a delay in which an iteration of a
    /// small program finishes, whose X is better than none.
    void count_operations(std::size_t operations) {
        unchecked_ += operations;
        if (unchecked_ > operations_between) {
            check_context();
        }
    }

    /// The context for one step of so many operations: with deadline and cancellation only if the step is long.
    [[nodiscard]] RunContext context_for(double operations) const;

    /// Records whether a matrix was positive definite. DSDP retries until one is; throws DsdpFailure after many
    /// failures, as happens with infinite numbers.
    void record_definiteness(bool definite);

    /// Zeroed memory, as of calloc(). Throws std::bad_alloc.
    [[nodiscard]] void* allocate(std::size_t bytes);
    /// Frees memory of allocate(); null is allowed.
    static void release(void* memory);

private:
    struct Piece;

    void check_context();

    static constexpr std::size_t operations_between = 1 << 20;
    std::size_t unchecked_ = 0;
    int failures_ = 0;
    const RunContext* context_ = nullptr;
    std::optional<std::chrono::steady_clock::time_point> interrupted_at_{};
    Piece* pieces_ = nullptr;
};

}  // namespace isogon

/// Replacements of the functions of those names in DSDP.
extern "C" {
void* isogon_dsdp_malloc(std::size_t bytes);
void* isogon_dsdp_calloc(std::size_t count, std::size_t bytes);
void isogon_dsdp_free(void* memory);
[[noreturn]] void isogon_dsdp_exit(int code);
double isogon_dsdp_log(double x);
/// They ignore their arguments (the caller removes these from the stack) and print nothing.
int isogon_dsdp_printf();
int isogon_dsdp_fprintf();
int isogon_dsdp_puts();
int isogon_dsdp_fputs();
int isogon_dsdp_putchar();
int isogon_dsdp_fputc();
std::size_t isogon_dsdp_fwrite();
int isogon_dsdp_fflush();
/// A constraint's matrix, as DSDP passes it by value (DSDPDataMat).
struct IsogonDsdpMatrix {
    void* data;
    void* operations;
};
/// Counts and calls DSDP's function: its setup visits every row of every constraint, which takes seconds from some
/// thousand points on.
int isogon_dsdp_row_nonzeros(IsogonDsdpMatrix matrix, int row, int rows, int* nonzeros, int* count);
/// Routines for storage formats that DsdpSolver does not use.
[[noreturn]] void isogon_dsdp_dspevx();
[[noreturn]] void isogon_dsdp_dspmv();
[[noreturn]] void isogon_dsdp_dspr();
[[noreturn]] void isogon_dsdp_dpptrf();
[[noreturn]] void isogon_dsdp_dpptri();
[[noreturn]] void isogon_dsdp_dpptrs();
[[noreturn]] void isogon_dsdp_dtpsv();
[[noreturn]] void isogon_dsdp_dsyevx();
}

/// The routines of BLAS and LAPACK that DSDP calls, for the arguments that it uses: matrices by columns, the upper
/// triangle of symmetric ones, vectors of stride 1 (except the result of daxpy). Other arguments throw
/// std::logic_error. Each routine counts its operations (DsdpHost::count_operations) and throws as that function does;
/// factorisation, inversion and eigenvectors can also be interrupted in between. Names and arguments are those of the
/// reference implementation (netlib.org/lapack), which documents them.
extern "C" {
double isogon_dsdp_dasum(const int* n, const double* x, const int* step);
double isogon_dsdp_ddot(const int* n, const double* x, const int* x_step, const double* y, const int* y_step);
double isogon_dsdp_dnrm2(const int* n, const double* x, const int* step);
void isogon_dsdp_dscal(const int* n, const double* factor, double* x, const int* step);
void isogon_dsdp_daxpy(const int* n, const double* factor, const double* x, const int* x_step, double* y,
                       const int* y_step);

void isogon_dsdp_dgemv(const char* transposed, const int* m, const int* n, const double* alpha, const double* a,
                       const int* stride, const double* x, const int* x_step, const double* beta, double* y,
                       const int* y_step);
void isogon_dsdp_dsymv(const char* triangle, const int* n, const double* alpha, const double* a, const int* stride,
                       const double* x, const int* x_step, const double* beta, double* y, const int* y_step);
void isogon_dsdp_dsyr(const char* triangle, const int* n, const double* alpha, const double* x, const int* x_step,
                      double* a, const int* stride);
/// For a lower triangle with ones on the diagonal.
void isogon_dsdp_dtrmv(const char* triangle, const char* transposed, const char* diagonal, const int* n,
                       const double* a, const int* stride, double* x, const int* x_step);
void isogon_dsdp_dtrsv(const char* triangle, const char* transposed, const char* diagonal, const int* n,
                       const double* a, const int* stride, double* x, const int* x_step);

void isogon_dsdp_dpotrf(const char* triangle, const int* n, double* a, const int* stride, int* info);
void isogon_dsdp_dpotri(const char* triangle, const int* n, double* a, const int* stride, int* info);
void isogon_dsdp_dsyev(const char* job, const char* triangle, const int* n, double* a, const int* stride,
                       double* values, double* work, const int* work_size, int* info);
void isogon_dsdp_dsyevr(const char* job, const char* range, const char* triangle, const int* n, double* a,
                        const int* stride, const double* from, const double* to, const int* first, const int* last,
                        const double* tolerance, int* found, double* values, double* vectors, const int* vectors_stride,
                        int* support, double* work, const int* work_size, int* more_work, const int* more_work_size,
                        int* info);
/// Eigenvalues only, in these two.
void isogon_dsdp_dstev(const char* job, const int* n, double* diagonal, double* beside, double* vectors,
                       const int* vectors_stride, double* work, int* info);
void isogon_dsdp_dstevr(const char* job, const char* range, const int* n, double* diagonal, double* beside,
                        const double* from, const double* to, const int* first, const int* last,
                        const double* tolerance, int* found, double* values, double* vectors, const int* vectors_stride,
                        int* support, double* work, const int* work_size, int* more_work, const int* more_work_size,
                        int* info);
}
