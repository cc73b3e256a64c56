#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// The pairs of panels whose pairs of points are meant.
enum class PanelPairs {
    All,
    Near,    ///< of panels that are near each other (NearPanels)
    Others,  ///< of all others
};

/// Which panels of 48 points lie near each other: for each the given share of all panels, by their centres. Points in
/// spatial order have most of their near pairs in near panels. No bound: pairs of panels that are not near may
/// have near points, as in many dimensions panels are about as wide as they are apart.
///
/// Built in O(p^2 d) for p = n / 48 panels; memory two bits a pair of panels, n^2 / 18,000 bytes: 56 MB of a million
/// points.
class NearPanels {
public:
    /// The context may end it (throws Interruption).
    NearPanels(const MultiVector<float>& y, double share, const RunContext& context);

    /// Whether one is among the nearest of the other, or they are the same.
    [[nodiscard]] bool are_near(Index a, Index b) const { return near_of(a, b, 1) != 0; }
    /// Bit b: whether that holds of this panel and panel first + b, of `count` panels, 64 at most.
    [[nodiscard]] std::uint64_t near_of(Index panel, Index first, Index count) const;
    static constexpr std::size_t word = 64;  ///< bits of one
    /// Bit p % word of number p / word: whether that holds of this panel and panel p.
    [[nodiscard]] std::span<const std::uint64_t> near_of(Index panel) const {
        return std::span(words_).subspan(panel * words_of_panel_, words_of_panel_);
    }

    [[nodiscard]] double share() const { return share_; }
    [[nodiscard]] Index count() const { return count_; }
    /// Memory for n points.
    [[nodiscard]] static std::uint64_t bytes(Index n);

private:
    void mirror(const RunContext& context);

    double share_;
    Index count_;
    std::size_t words_of_panel_;
    std::vector<std::uint64_t> words_;
};

}  // namespace isogon
