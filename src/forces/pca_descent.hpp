#pragma once
#include <chrono>
#include <cstdint>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/dense_matrix.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// X_c: points, of which each row has `center` (D numbers) subtracted where it is read.
struct CentredPoints {
    PointsView points;
    std::vector<double> center{};
};

/// The products that determine the force X_c (X_c^T Y) - Y (Y^T Y).
struct PcaProducts {
    DenseMatrix across;  ///< X_c^T Y
    DenseMatrix gram;    ///< Y^T Y
};

/// PCA by attraction and repulsion: gradient descent on |C (G_x - G_y) C|_F^2, G_x = X X^T, G_y = Y Y^T and C the
/// centring matrix, whose minimum is PCA's embedding up to a rotation (Draganov and Dohn 2023, lemma 1). The force
/// between each pair of points is [C (G_x - G_y) C]_ij (lemma 2), but as C (G_x - G_y) C Y = X_c (X_c^T Y) - Y (Y^T Y)
/// for centred X_c and Y nothing n x n is ever held. Given points in fewer numbers, X's projections on its first k
/// singular directions, the same is the rank-k gradient of their lemma 3.
///
/// The step is gamma = 1 / (8 M), M the larger of lambda_1(C G_x C) and |Y|_2^2. Where theorem 1 says only that
/// there is a gamma: outputs with |Y|_2^2 <= M stay so, there the objective's Hessian is below 12 M, and a step of at
/// most 1 / (8 M) lowers it by a quarter of gamma |gradient|^2 or more. Along a principal direction whose singular
/// value is s a step is s' = s (1 + 4 gamma (lambda - s^2)): at PCA's embedding that contracts for gamma < 1 / (4
/// lambda_1), twice as long a step.
class PcaDescent {
public:
    /// `points` (n x D) must outlive this; `start` is n x d, centred here; `largest` is lambda_1(C G_x C), above 0.
    /// Converged when |C (G_x - G_y) C Y| is at most `tolerance` |C G_x C| |Y|; 0: never. Throws InvalidArgument if
    /// start is of other points, or tolerance or largest are out of bounds.
    PcaDescent(const PointsView& points, MultiVector<double> start, double largest, double tolerance,
               RunContext context);

    /// Goes on until `iteration` steps have been made in all: run_to(a) and run_to(b) leave the bits of run_to(b).
    /// Converged, now or before; IterationLimit; otherwise why the context ended it, with what was reached.
    /// One pass over X a step, 4 n D d operations. Reports each in phase "descent".
    Termination run_to(int iteration);

    [[nodiscard]] int iteration() const { return iteration_; }
    [[nodiscard]] const MultiVector<double>& outputs() const { return y_; }
    /// |G_y|^2 - 2 <C G_x C, G_y>: the objective less |C G_x C|_F^2, which no output changes.
    [[nodiscard]] double objective() const;
    /// |C (G_x - G_y) C Y| / (lambda_1 |Y|) where the last step began; 0 before the first.
    [[nodiscard]] double residual() const { return residual_; }
    /// objective() every ten steps, and by how much it fell since.
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }

    /// Bytes besides the points and the start.
    [[nodiscard]] static std::uint64_t bytes(const PointsView& points, Index dimension);

private:
    void step();
    void look_at_outputs();

    CentredPoints x_;
    MultiVector<double> y_;
    double largest_;
    double tolerance_;
    RunContext context_;
    PcaProducts products_;
    double residual_ = 0.0;
    bool at_rest_ = false;
    int iteration_ = 0;
    std::vector<IterationRecord> trace_{};
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The gradient of that objective, -4 C (G_x - G_y) C Y, into `gradient`; `y` is taken about its mean. 4 n D d
/// operations.
void pca_gradient(const PointsView& points, const MultiVector<double>& y, MultiVector<double>& gradient,
                  const RunContext& context);

/// The points about their mean. O(n D), in float64.
[[nodiscard]] CentredPoints about_mean(const PointsView& points, const RunContext& context);

/// X_c^T Y for y (n x d): D x d, float64. 2 n D d operations.
[[nodiscard]] DenseMatrix product_with_points(const CentredPoints& x, const MultiVector<double>& y,
                                              const RunContext& context);

/// The result of move_by_gram().
struct GramStep {
    DenseMatrix across;          ///< X_c^T Y of the moved y
    double squared_force = 0.0;  ///< |X_c across - Y gram|_F^2 of what y was
};

/// y += rate (X_c across - Y gram), row by row. 4 n D d operations, at most 64 partial sums of D d numbers; the same
/// bits for any number of threads.
[[nodiscard]] GramStep move_by_gram(const CentredPoints& x, const PcaProducts& products, double rate,
                                    MultiVector<double>& y, const RunContext& context);

/// Rows of one partial sum.
[[nodiscard]] std::size_t rows_of_gram_block(Index points);

}  // namespace isogon
