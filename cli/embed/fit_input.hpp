#pragma once
#include <optional>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/registry/registry.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// The input of a fit: all points, or only the rows of this rank, for methods that need no others.
class FitInput {
public:
    /// Reads `paths` as read_input() does. A rank that keeps only its own rows also reads the others, for a digest:
    /// InputError on all ranks, naming the first whose numbers differ from those of rank 0.
    FitInput(const std::vector<std::string>& paths, const InputFlags& flags, const Method& method, Session& session);

    /// Rows of no numbers where the input is a sparse matrix.
    [[nodiscard]] const DistributedPoints& points() const { return points_; }
    /// Null for dense inputs.
    [[nodiscard]] const CsrMatrix<double>* sparse() const { return sparse_ ? &*sparse_ : nullptr; }
    /// Numbers of a point.
    [[nodiscard]] Index dimension() const { return sparse_ ? sparse_->columns : points_.dimension(); }
    /// Labels, words, number of rows; the points are those of this rank.
    [[nodiscard]] const Input& input() const { return input_; }
    /// States, before the fit, the memory of all points on rank 0 after it. Throws LimitExceeded.
    void reserve_for_all(Session& session) const;
    /// All points on rank 0, none on the others; collective. This object owns them.
    [[nodiscard]] PointsView gather_all(const Session& session);

private:
    void read_own_rows(const std::vector<std::string>& paths, const InputFlags& flags, Session& session);

    Input input_;
    std::optional<CsrMatrix<double>> sparse_;
    DistributedPoints points_;
    Points all_;
};

}  // namespace isogon::cli
