#pragma once
// Many fits of the same points, with the steps that they have in common done once: by different methods (FitSeries), or
// by one spectral method over a grid of options (sweep).
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

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

/// An option and the values that it is to take.
struct SweepAxis {
    std::string option{};               ///< by its name in the option table
    std::vector<OptionValue> values{};  ///< at least one
};

/// The fits of a sweep: every combination of the axes' values, all else as it is. Options are those of the method
/// and of landmark_option_table(). `landmarks` 0, the default, is the exact fit.
struct SweepPlan {
    std::string method{};           ///< a method of the spectral family
    OptionValues options{};         ///< for all fits; left-out ones have their defaults
    std::vector<SweepAxis> axes{};  ///< at least one, each of another option
    bool exact = false;             ///< with landmarks: also the exact fit of the same options, to compare with
};

/// One combination.
struct SweepRow {
    OptionValues values{};       ///< the values on the axes
    Text refused{};              ///< the method's error message; empty: the fit exists
    Summary summary{};           ///< summary of the fit
    double seconds = 0.0;        ///< time of the fit without the steps that it shares with others
    double exact_seconds = 0.0;  ///< the same for the exact fit; 0 where none was wanted
};

/// A fit as passed to `visit`; valid during the call.
struct SweepFit {
    std::size_t number = 0;  ///< number of its row
    const SweepRow& row;
    const Embedding& fitted;
    const Embedding* exact = nullptr;  ///< exact fit with the same options, if wanted; without landmarks the fit itself
};

struct Sweep {
    std::vector<SweepRow> rows{};
    /// Why the sweep ended (Converged: every combination had its turn), seconds of the shared steps, and counts:
    /// combinations, fitted, refused.
    Summary summary{};
};

/// Options of a method and, after them, of landmarks: what axes may be named after. Throws InvalidArgument for methods
/// that are not of the spectral family.
[[nodiscard]] std::vector<OptionSpec> sweep_option_specs(std::string_view method_name);

/// Fits every combination, one after the other, and shows each to `visit`; nothing of a fit but its summary is kept.
/// Landmark options vary fastest, whatever their place in the plan, so that their fits share the exact one; else the
/// last axis does.
///
/// Fits share steps, each done once: neighbours (the lists of the largest k, of which others are the beginnings),
/// the choice of landmarks, and the weights Z of all points towards them. Each fit is that of its options alone, bit
/// for bit: where it is not certain that a shorter list is the beginning of a longer one (an approximate search, more
/// than eight points at the same distance), it is searched for. `lists`: the user's own, for methods that start from
/// them.
///
/// A combination that is refused (InvalidArgument, InputError, LimitExceeded: k too large, a sigma by which rows
/// vanish, a graph in several components) is a row with the reason. When the context ends the run, rows so far are
/// returned (visit may throw Interruption, too). Throws InvalidArgument for a method outside the family, an option that
/// there is not, a value out of bounds, an axis without values, twice, or also among the options, landmark options
/// without landmarks, and more than 100,000 combinations; InputError for points that nothing could be made of;
/// LimitExceeded where the shared steps alone are too much: n (8 k + 12 k_Z) bytes for each metric, seed and set of
/// landmarks.
[[nodiscard]] Sweep sweep(const PointsView& x, const SweepPlan& plan, const RunContext& context = {},
                          const NeighborLists* lists = nullptr, const std::function<void(const SweepFit&)>& visit = {});

}  // namespace isogon
