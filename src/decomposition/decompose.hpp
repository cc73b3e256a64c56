#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "decomposition/relu_factors.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

enum class ReluAlgorithm {
    GaussNewton,
    Alternating,
    Momentum,
    AdaptiveMomentum,
    ThreeBlock,
    ExtrapolatedBlock,
    Em,
    Tikhonov,
    Symmetric
};
enum class ReluStart { Auto, Shifted, Spherical, Svd, Nuclear, Random };
enum class ReluHistory { Auto, Recursive, LastTwo };

struct DecomposeOptions {
    ReluAlgorithm algorithm = ReluAlgorithm::GaussNewton;
    int rank = 16;
    ReluStart start = ReluStart::Auto;
    int iterations = 500;  ///< most updates; 0: return the start itself, to give several algorithms the same one
    double latent_tolerance = 0.0;  ///< stop once |Z - L| / |S| is at most this
    double output_tolerance = 0.0;  ///< stop once |S - max(0, L)| / |S| is at most this
    double stall_tolerance = 1e-4;  ///< stop once ten updates have changed |Z - L| / |S| by a smaller share; 0: never
    double momentum = 0.9;          ///< for momentum and em: gamma of eq. 23, Saul's choice
    double extrapolation = 0.7;     ///< beta of 3b and tikhonov
    double ridge = 1e-4;            ///< lambda of tikhonov, in units of |S| / sqrt(rank)
    ReluHistory history = ReluHistory::Auto;
    std::uint64_t seed = 0;
};

[[nodiscard]] const OptionTable<DecomposeOptions>& decompose_option_table();

struct Decomposition {
    ReluFactors factors;  ///< balanced; of the update with the smallest output residual
    Summary summary;      ///< trace: objective |Z - L| / |S| (latent), change: by what share it fell; measures below
    std::vector<double> output_residuals;  ///< |S - max(0, L)| / |S| after each update
};

/// S ~ max(0, L) with L = W H of rank r, for any nonnegative S (Saul 2022a and its successors): docs/decompose.md
/// describes the algorithms. `observed` (null: all) has a nonzero entry wherever S is known; S is completed elsewhere.
/// `start` (null: as the options say) has factors of that rank. Both residuals of the returned factors are measures,
/// "latent_residual" and "output_residual". For a sparse S no m x n array is stored. The reason for the end, an
/// interruption included, is in the summary; the factors are then the best so far. Throws InvalidArgument for negative
/// or infinite entries (naming the first), no entry above zero, a rank above the shorter side, bad options, a start or
/// an `observed` of another shape, and for the symmetric algorithm an S that is not symmetric; LimitExceeded.
[[nodiscard]] Decomposition decompose(const CsrMatrix<double>& s, const CsrMatrix<double>* observed,
                                      const DecomposeOptions& options, const ReluFactors* start,
                                      const RunContext& context);

/// Both residuals of any factors, defined as above: |Z - L| / |S| and |S - max(0, L)| / |S|.
struct ReluResidual {
    double latent = 0.0;
    double output = 0.0;
    double violations = 0.0;  ///< entries with S_ij = 0 and L_ij > 0
};
[[nodiscard]] ReluResidual relu_residual(const CsrMatrix<double>& s, const CsrMatrix<double>* observed,
                                         const ReluFactors& factors, const RunContext& context);

enum class FactorPrecision { Float32, Float64 };

/// Called before a long run: throws InvalidArgument unless the largest entry of S leaves its factors, which are as
/// large as its root, within the range of float32: from 2^-200 to 2^200. Any S will do for float64.
void require_precision(const CsrMatrix<double>& s, FactorPrecision precision);

/// A decomposition as an archive of the kind "decomposition": the algorithm for its method, the options as used, and
/// the arrays `W` (m x r) and `H` (r x n), S ~ max(0, W H), of that precision. Its notes are how the run ended and its
/// measures, the two residuals among them: those of the factors in float64. Throws InvalidArgument for factors that
/// float32 cannot hold.
[[nodiscard]] Archive factor_archive(const Decomposition& decomposition, const DecomposeOptions& options,
                                     FactorPrecision precision);

/// The factors of such an archive. Throws InputError for another kind, and for arrays that do not fit each other.
[[nodiscard]] ReluFactors factors_in(const Archive& archive);

/// A block of vectors as an array of its shape, row by row. `name` is what a message calls it.
[[nodiscard]] Array factor_array(MultiVector<double> block, FactorPrecision precision, const char* name);

}  // namespace isogon
