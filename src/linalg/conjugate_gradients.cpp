#include "linalg/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace isogon {

namespace {

// The recurrence continues to a fraction of the tolerance, so that the recomputed residual, which is slightly larger,
// meets it.
constexpr double margin = 0.7;

/// Broken: A is not positive definite along the direction. Lost: overflowed float32, and set to zero.
enum class Column { Running, Done, Broken, Lost };

class ConjugateGradients {
public:
    ConjugateGradients(const LinearOperator<float>& a, const MultiVector<float>& b, MultiVector<float> start,
                       const ConjugateGradientOptions& options, const RunContext& context)
        : a_(a),
          b_(b),
          options_(options),
          context_(context),
          x_(std::move(start)),
          r_(b.rows(), b.columns()),
          p_(b.rows(), b.columns()),
          product_(b.rows(), b.columns()),
          target_(column_dots(b, b, context)),
          columns_(b.columns(), Column::Running) {
        for (std::size_t k = 0; k < target_.size(); ++k) {
            target_[k] *= options.tolerance * options.tolerance;
            if (target_[k] == 0.0) {
                clear(k);  // the solution for a right-hand side of zero, which no tolerance relative to it would find
            }
        }
    }

    ConjugateGradientResult run();

private:
    void begin();
    void step();
    void clear(std::size_t column);
    void drop_overflows();
    [[nodiscard]] double residual(std::size_t column) const;
    [[nodiscard]] std::optional<Termination> leave();
    [[nodiscard]] bool running() const {
        return std::find(columns_.begin(), columns_.end(), Column::Running) != columns_.end();
    }
    [[nodiscard]] double worst() const;

    const LinearOperator<float>& a_;
    const MultiVector<float>& b_;
    const ConjugateGradientOptions& options_;
    const RunContext& context_;
    MultiVector<float> x_;
    MultiVector<float> r_;
    MultiVector<float> p_;
    MultiVector<float> product_;
    std::vector<double> target_;   ///< squares of the lengths that residuals must not exceed
    std::vector<double> squares_;  ///< squares of the residuals' lengths
    std::vector<Column> columns_;
    std::vector<double> course_;
    double checked_ = std::numeric_limits<double>::infinity();  ///< the worst residual at the last check
    int iterations_ = 0;
};

/// |r| / |b|. A lost column is zero, and its residual b.
double ConjugateGradients::residual(std::size_t column) const {
    if (columns_[column] == Column::Lost) {
        return 1.0;
    }
    return target_[column] > 0.0 ? std::sqrt(squares_[column] / target_[column]) * options_.tolerance : 0.0;
}

double ConjugateGradients::worst() const {
    double largest = 0.0;
    for (std::size_t k = 0; k < squares_.size(); ++k) {
        largest = std::max(largest, residual(k));
    }
    return largest;
}

void ConjugateGradients::clear(std::size_t column) {
    for (std::size_t i = 0; i < x_.rows(); ++i) {
        x_.row(i)[column] = r_.row(i)[column] = p_.row(i)[column] = 0.0F;
    }
}

/// The residual by its definition, and the first direction along it.
void ConjugateGradients::begin() {
    a_.apply(x_, product_, context_);
    r_ = b_;
    axpy(-1.0, product_, r_, context_);
    p_ = r_;
    squares_ = column_dots(r_, r_, context_);
    drop_overflows();
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        if (squares_[k] <= target_[k] && columns_[k] != Column::Lost) {
            columns_[k] = Column::Done;
        } else if (columns_[k] == Column::Done) {
            columns_[k] = Column::Running;
        }
    }
}

/// One step of every active column; the others move by zero.
void ConjugateGradients::step() {
    a_.apply(p_, product_, context_);
    const std::vector<double> curvature = column_dots(p_, product_, context_);
    std::vector<double> along(columns_.size());
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        if (columns_[k] == Column::Running) {
            along[k] = squares_[k] / curvature[k];
            if (!(curvature[k] > 0.0) || along[k] > double{std::numeric_limits<float>::max()}) {
                along[k] = 0.0;
                columns_[k] = Column::Broken;
            }
        }
    }
    axpy(along, p_, x_, context_);
    std::transform(along.begin(), along.end(), along.begin(), [](double factor) { return -factor; });
    axpy(along, product_, r_, context_);
    const std::vector<double> before = std::exchange(squares_, column_dots(r_, r_, context_));
    drop_overflows();
    std::vector<double> turn(columns_.size());
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        if (columns_[k] == Column::Running) {
            turn[k] = squares_[k] / before[k];
            columns_[k] = squares_[k] > margin * margin * target_[k] ? Column::Running : Column::Done;
        }
    }
    aypx(turn, r_, p_, context_);
}

/// A column that overflowed float32 becomes zero. It stays in the block, as its removal would not make the products
/// faster.
void ConjugateGradients::drop_overflows() {
    for (std::size_t k = 0; k < squares_.size(); ++k) {
        if (std::isfinite(squares_[k])) {
            continue;
        }
        columns_[k] = Column::Lost;
        squares_[k] = 0.0;
        clear(k);
    }
}

/// The reason to end now, if any. If no column is active, it examines why.
std::optional<Termination> ConjugateGradients::leave() {
    if (!running()) {
        begin();
        const double now = worst();
        if (now <= options_.tolerance) {
            return Termination::Converged;
        }
        // A restart is worthwhile while it halves the residual.
        if (!running() || !(now < 0.5 * std::exchange(checked_, now))) {
            return Termination::Stalled;
        }
    }
    if (iterations_ >= options_.iterations) {
        return Termination::IterationLimit;
    }
    return context_.interruption();
}

ConjugateGradientResult ConjugateGradients::run() {
    begin();
    std::optional<Termination> reason;
    while (!(reason = leave())) {
        step();
        ++iterations_;
        course_.push_back(worst());
        context_.report({"extension", static_cast<std::uint64_t>(iterations_),
                         static_cast<std::uint64_t>(options_.iterations), course_.back()});
    }
    begin();  // after an early end the residuals are still those of the recurrence
    ConjugateGradientResult result{std::move(x_), {}, std::move(course_), iterations_, *reason};
    for (std::size_t k = 0; k < squares_.size(); ++k) {
        result.residuals.push_back(residual(k));
    }
    return result;
}

}  // namespace

double ConjugateGradientResult::largest_residual() const {
    return residuals.empty() ? 0.0 : *std::max_element(residuals.begin(), residuals.end());
}

ConjugateGradientResult conjugate_gradients(const LinearOperator<float>& a, const MultiVector<float>& b,
                                            MultiVector<float> start, const ConjugateGradientOptions& options,
                                            const RunContext& context) {
    return ConjugateGradients(a, b, std::move(start), options, context).run();
}

}  // namespace isogon
