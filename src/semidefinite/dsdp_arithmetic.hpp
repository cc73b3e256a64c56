#pragma once

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
/// Of a lower triangle with ones on the diagonal.
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
