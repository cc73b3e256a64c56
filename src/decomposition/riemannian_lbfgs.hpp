#pragma once
#include <string>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/lbfgs_memory.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/row_kernel.hpp"
#include "linalg/shared_rows.hpp"

namespace isogon {

/// The value of the objective, over ordered pairs.
struct DescentValue {
    double objective = 0.0;   ///< what is minimised
    double misfit = 0.0;      ///< in squares, whatever the loss: what the relative residual is made of
    double violations = 0.0;  ///< ordered pairs that are nearer than they may be
};

/// RiemannianLbfgs minimises this: a function of n points on a manifold, with the geometry that a descent needs.
class DescentObjective {
public:
    DescentObjective() = default;
    DescentObjective(const DescentObjective&) = delete;
    DescentObjective& operator=(const DescentObjective&) = delete;
    DescentObjective(DescentObjective&&) = delete;
    DescentObjective& operator=(DescentObjective&&) = delete;
    virtual ~DescentObjective() = default;

    /// Value and Riemannian gradient, which gets the shape of w.
    virtual DescentValue evaluate(const MultiVector<float>& w, MultiVector<float>& gradient,
                                  const RunContext& context) = 0;
    /// Those that share the passes, and so the vectors of a descent.
    [[nodiscard]] virtual const RankGroup& ranks() const = 0;
    // The next two act on some rows of vectors, on the thread that calls them. Row numbers are those of w.
    /// v := its projection on the tangent space at w.
    virtual void project(const MultiVector<float>& w, const RowBlock& v) const = 0;
    /// direction := w + step direction, back on the manifold.
    virtual void retract(const MultiVector<float>& w, double step, const RowBlock& direction) const = 0;
    /// v := v divided by a diagonal near that of the second derivatives.
    virtual void precondition(const RowBlock& v) const = 0;
    /// The misfit to which others are relative: that of outputs that are all zero, or of like size.
    [[nodiscard]] virtual double squared_norm() const = 0;
};

struct DescentOptions {
    std::size_t memory = 10;  ///< pairs of L-BFGS; each takes two blocks and is read four times an update
    double tolerance = 5e-4;  ///< converged when ten updates in a row each change the residual by a smaller share
    double solved = 0.0;      ///< relative residual at which nothing is left to solve; 0: go on to the tolerance
    /// Points from which on ranks share the vectors. An update takes 25 messages then, of 50 us a doubling of ranks;
    /// below, a rank computes all vectors in that time, 1.7 us a point on a core (bench/mpi-scaling). No matter for any
    /// bit.
    Index shared_from = 32768;
};

/// Riemannian L-BFGS, preconditioned, with backtracking: minimises an objective from a start on its manifold.
/// The objective never increases. bench/solver-comparison compares it with conjugate gradients and Gauss-Newton. Time
/// an update: one pass over all pairs, seldom two. Memory: (2 memory + 6) blocks of the shape of W.
/// The ranks of the objective have W whole, and of gradients, steps and the stored pairs of many points their own rows;
/// what is not const is collective.
class RiemannianLbfgs {
public:
    /// `objective` must outlive this. The start costs one pass. Where `saved`, an archive of save(), is not null, it
    /// continues with the same bits from there, and reads no more than the shape of `start`. Throws InputError for an
    /// archive that does not fit.
    RiemannianLbfgs(DescentObjective& objective, MultiVector<float> start, const DescentOptions& options,
                    RunContext context, const Archive* saved = nullptr);

    /// One step. Throws Interruption when the context ends the run; everything then stays as it was.
    void update();
    /// Updates until `iterations` have been made in all; run_to(a) then run_to(b) equals run_to(b) bit for bit.
    Termination run_to(int iterations);

    /// To be called where the objective has changed: value and gradient at the same position.
    void evaluate_again();

    [[nodiscard]] int iterations() const { return iterations_; }
    [[nodiscard]] const MultiVector<float>& position() const { return w_; }
    [[nodiscard]] const DescentValue& value() const { return value_; }
    /// sqrt(misfit) / |S|.
    [[nodiscard]] double relative_residual() const;
    /// No step decreases the objective further, in float32.
    [[nodiscard]] bool stalled() const { return stalled_; }
    [[nodiscard]] bool solved() const { return options_.solved > 0.0 && relative_residual() <= options_.solved; }
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }
    [[nodiscard]] double tolerance() const { return options_.tolerance; }

    /// Collective: on ranks that do not save, help_save().
    void save(Archive& archive) const { write(&archive); }
    void help_save() const { write(nullptr); }
    /// The rows of gradients, steps and pairs that a rank has.
    [[nodiscard]] static SharedRows shared_rows(Index rows, const RankGroup& ranks, const DescentOptions& options);
    /// `own`: those of this rank.
    [[nodiscard]] static std::uint64_t bytes(Index rows, Index own, Index columns, const DescentOptions& options);

private:
    void write(Archive* archive) const;
    struct Direction {
        MultiVector<float> along;  ///< own rows
        double slope = 0.0;
    };
    [[nodiscard]] Direction descent_direction();
    [[nodiscard]] bool search();
    void move_to(MultiVector<float> w, MultiVector<float> gradient, const DescentValue& value);
    /// The own rows of the gradient, in the memory that it has if it fits.
    [[nodiscard]] DescentValue evaluate(const MultiVector<float>& w, MultiVector<float>& gradient) const;

    DescentObjective& objective_;
    SharedRows rows_;
    DescentOptions options_;
    RunContext context_;
    MultiVector<float> w_;
    MultiVector<float> gradient_;  ///< own rows
    DescentValue value_;
    LbfgsMemory memory_;
    int iterations_ = 0;
    bool stalled_ = false;
    std::vector<IterationRecord> trace_;
};

}  // namespace isogon
