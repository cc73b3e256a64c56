#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "semidefinite/dsdp_host.hpp"
#include "semidefinite/semidefinite_program.hpp"

struct DSDP_C;
struct SDPCone_C;

namespace isogon {

/// A program in DSDP's terms (Benson and Ye, "DSDP5: software for semidefinite programming", ACM TOMS 2008): minimise
/// <-C, X>, and the dual variables are those of SemidefiniteProgram with the other sign. Borrows the program, which
/// should be near 1 in its values and its objective. DSDP has one global log of its times: only one solver may exist at
/// a time, and all its calls must come from one thread.
class DsdpSolver {
public:
    DsdpSolver(const SemidefiniteProgram& program, const SemidefiniteOptions& options);
    ~DsdpSolver() = default;
    DsdpSolver(const DsdpSolver&) = delete;
    DsdpSolver& operator=(const DsdpSolver&) = delete;

    /// Runs to the end, or until the context ends it. True if DSDP reports it as solved. Throws Interruption where the
    /// context ends it within a long iteration, DsdpFailure where DSDP fails: no result may be read then.
    [[nodiscard]] bool run(const RunContext& context);

    [[nodiscard]] DenseMatrix x() const;
    [[nodiscard]] std::vector<double> y() const;
    [[nodiscard]] double dual_objective() const;
    [[nodiscard]] std::int64_t iterations() const;
    [[nodiscard]] bool unbounded() const { return unbounded_; }
    [[nodiscard]] bool infeasible() const { return infeasible_; }

private:
    void set_objective();
    void set_constraints();
    void set_prices();

    const SemidefiniteProgram& program_;
    DsdpHost host_{};  ///< owns the memory of the members below
    DSDP_C* dsdp_ = nullptr;
    SDPCone_C* cone_ = nullptr;
    std::vector<int> objective_indices_{};
    std::vector<double> objective_values_{};
    std::vector<int> vector_indices_{};
    bool unbounded_ = false;
    bool infeasible_ = false;
};

}  // namespace isogon
