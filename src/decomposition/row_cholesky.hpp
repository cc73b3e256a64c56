#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace isogon {

/// The Cholesky factor of a small r x r matrix in place: row-major, its lower triangle is read and written. Pivots are
/// kept above a millionth of their diagonal entry: a singular matrix gets steps that are too short in its null space,
/// not a failure. r^3 / 3 multiplications.
template <class T>
void cholesky_in_place(T* a, std::size_t r) {
    constexpr T least_share = T{1e-6F};
    constexpr T least_pivot = T{1e-30F};
    for (std::size_t j = 0; j < r; ++j) {
        const T least = least_share * a[j * r + j];
        for (std::size_t i = j; i < r; ++i) {
            T sum = a[i * r + j];
            for (std::size_t k = 0; k < j; ++k) {
                sum -= a[i * r + k] * a[j * r + k];
            }
            a[i * r + j] = i == j ? std::sqrt(std::max(sum, std::max(least, least_pivot))) : sum / a[j * r + j];
        }
    }
}

/// x := (l l^T)^-1 x with the factor l of cholesky_in_place.
template <class T>
void cholesky_solve(const T* l, std::size_t r, T* x) {
    for (std::size_t i = 0; i < r; ++i) {
        T sum = x[i];
        for (std::size_t k = 0; k < i; ++k) {
            sum -= l[i * r + k] * x[k];
        }
        x[i] = sum / l[i * r + i];
    }
    for (std::size_t i = r; i-- > 0;) {
        x[i] /= l[i * r + i];
        for (std::size_t k = 0; k < i; ++k) {
            x[k] -= l[i * r + k] * x[i];
        }
    }
}

}  // namespace isogon
