#pragma once
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/communicator.hpp"
#include "isogon/methods/registry.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// The input of a fit: all points, or the own ones of a rank of mpirun, for methods that need no others.
class FitInput {
public:
    /// Reads `paths` as read_input() does. A rank that keeps only its own rows reads the others as well, in passing:
    /// InputError on all ranks, naming the first that has other numbers than rank 0.
    FitInput(const std::vector<std::string>& paths, const InputFlags& flags, const Method& method, Session& session);

    [[nodiscard]] const DistributedPoints& points() const { return points_; }
    /// Labels, words, number of rows; its points are a rank's own.
    [[nodiscard]] const Input& input() const { return input_; }
    /// States, before the fit, what rank 0 takes for all points after it. Throws LimitExceeded.
    void reserve_for_all(Session& session) const;
    /// All points: of ranks only rank 0 gets them, though all of them meet, and the others get none. They stay here.
    [[nodiscard]] PointsView gather_all(const Session& session);

private:
    void read_own_rows(const std::vector<std::string>& paths, const InputFlags& flags, Session& session);

    Input input_;
    DistributedPoints points_;
    Points all_;
};

}  // namespace isogon::cli
