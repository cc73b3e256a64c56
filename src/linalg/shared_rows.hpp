#pragma once
#include <functional>
#include <vector>

#include "distributed/rank_group.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// The rows of a solver's vectors that a rank holds, where ranks share them: whole blocks of those by which dot() adds
/// up, so that a sum over all rows has the bits of one process. In one process they are all rows, and nothing is copied
/// or exchanged.
class SharedRows {
public:
    SharedRows() = default;
    /// Divides vectors of so many rows among the ranks.
    SharedRows(Index count, const RankGroup& ranks);

    [[nodiscard]] bool is_shared() const { return ranks_.size() > 1; }
    [[nodiscard]] Range own() const { return own_; }
    [[nodiscard]] Index first() const { return static_cast<Index>(own_.begin); }

    /// The own rows of what every rank has.
    [[nodiscard]] MultiVector<float> own_of(const MultiVector<float>& whole) const;
    [[nodiscard]] MultiVector<float> own_of(MultiVector<float>&& whole) const;
    /// All rows, of which every rank has its own. Collective.
    [[nodiscard]] MultiVector<float> gathered(MultiVector<float> own) const;
    /// The sum over all rows, from that of some of the `count` own rows, in the order of dot(). What has to be done to
    /// rows before is done best where they are read anyway. Collective.
    [[nodiscard]] double sum(std::size_t count, const std::function<double(Range)>& of_rows,
                             const RunContext& context) const;
    /// dot() of all rows. Collective.
    [[nodiscard]] double dot(const MultiVector<float>& a, const MultiVector<float>& b, const RunContext& context) const;
    /// b += factor a, and then dot(b, c). Collective.
    [[nodiscard]] double axpy_dot(double factor, const MultiVector<float>& a, MultiVector<float>& b,
                                  const MultiVector<float>& c, const RunContext& context) const;

private:
    [[nodiscard]] double total_of(const std::vector<double>& own) const;

    RankGroup ranks_;
    RowBlocks blocks_;
    Range own_{0, 0};
};

}  // namespace isogon
