#pragma once
#include <memory>
#include <string>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/embedding.hpp"

namespace isogon {

/// A fit: a method, and its options.
struct FitRequest {
    std::string method{};    ///< by its name in the registry
    OptionValues options{};  ///< left-out ones have their defaults
};

/// Fits of the same points by any methods, one after the other, with the neighbours that they start from found once:
/// the lists of the largest k, of which others are the beginnings, for each metric and seed. Each fit is that of its
/// options alone, bit for bit (where it is not certain that a shorter list is the beginning of a longer one, it is
/// searched for). What sweep() is for the options of one spectral method, this is for different methods.
class FitSeries {
public:
    /// `wanted`: the fits to come, in any order; others may be asked for, but what they take is not stated. Throws
    /// InvalidArgument for a method that there is not (options are looked at when their fit's turn comes), InputError
    /// for points that nothing could be made of, LimitExceeded where the lists alone, 8 n k bytes for each metric, seed
    /// and k, are over the limit.
    FitSeries(const PointsView& x, const std::vector<FitRequest>& wanted, const RunContext& context);
    ~FitSeries();
    FitSeries(const FitSeries&) = delete;
    FitSeries& operator=(const FitSeries&) = delete;

    struct Fit {
        Embedding fitted;
        double seconds = 0.0;  ///< without the steps that it shares with others
    };

    /// Throws as the method does.
    [[nodiscard]] Fit fit(const FitRequest& wanted);

    /// Seconds by phase of the shared steps, each counted once.
    [[nodiscard]] const Summary& shared() const;

private:
    struct Kept;
    std::unique_ptr<Kept> kept_;
};

}  // namespace isogon
