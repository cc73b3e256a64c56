#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compare/run_archive.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/error.hpp"
#include "isogon/methods/fit_series.hpp"
#include "isogon/quality/score.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Finished runs, kept in a folder by the digest of all that they depend on, each a file that is there whole or not at
/// all. What is damaged, or is another run than its name says, is told and done again; a folder that cannot be written
/// is told once, and nothing is kept.
class RunCache {
public:
    /// `folder` empty: nothing is kept. `fresh`: nothing that is there is taken, and what comes replaces it.
    RunCache(std::filesystem::path folder, bool fresh, Session& session);

    /// What is kept under this key, or nothing.
    [[nodiscard]] std::optional<Archive> find(const std::string& key);
    void keep(const std::string& key, Archive archive);
    /// The same as find() for what can be read out of an archive, which `read` throws InputError for if it cannot.
    template <class Read>
    [[nodiscard]] auto find(const std::string& key, const Read& read) -> std::optional<decltype(read(Archive()))> {
        try {
            const auto archive = find(key);
            return archive ? std::optional(read(*archive)) : std::nullopt;
        } catch (const InputError& error) {
            tell_damage(error.what());
            return std::nullopt;
        }
    }

private:
    [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;
    void tell_damage(const std::string& what);

    std::filesystem::path folder_;
    bool fresh_;
    bool writable_ = true;
    Session& session_;
};

/// Where runs are kept unless the user says otherwise: the folder isogon-runs beside the first of these outputs that is
/// named, or nowhere ("") without one. No hidden folder elsewhere: what fills a disk should be seen.
[[nodiscard]] std::filesystem::path default_cache(const std::vector<std::string>& outputs);

/// One fit as it went: done now, or kept from before.
struct CachedFit {
    Embedding fitted{};
    double seconds = 0.0;   ///< of the fit alone, when it was made
    bool kept = false;      ///< it was there already
    std::string refused{};  ///< why there is none; empty: there is one
};

/// Fits and scores of the same points, each done once and for all: what was finished before, by this or an earlier
/// command, comes from the cache. A run is known by the digest of the points, the method, every option, the version of
/// the program, and of scores also of the coordinates and labels. The number of threads is not part of it, as it
/// changes nothing.
class CachedRuns {
public:
    /// `wanted`: the fits to come. Throws as FitSeries does. `x` must outlive this.
    CachedRuns(const PointsView& x, const std::vector<FitRequest>& wanted, RunCache& cache, Session& session);

    /// A method that refuses (InvalidArgument, InputError, LimitExceeded) or fails is told in the result. Throws
    /// Interruption when the session ends the run: what is not finished is not kept.
    [[nodiscard]] CachedFit fit(const FitRequest& wanted);

    /// Coordinates that come of more than one fit: `make`, unless they are kept. `what` must name all that they depend
    /// on besides the points. Throws what `make` does, InputError if what it made is not usable, and Interruption.
    [[nodiscard]] CachedFit made(const std::string& what, const std::function<Embedding()>& make);

    /// Throws as score() does, and Interruption.
    [[nodiscard]] Score score(const PointsView& y, std::span<const std::int64_t> labels, const ScoreOptions& options);

    /// Seconds of the steps that fits share.
    [[nodiscard]] const Summary& shared() const { return series_.shared(); }
    [[nodiscard]] std::size_t kept_count() const { return kept_; }

private:
    [[nodiscard]] std::string key_of(const FitRequest& wanted) const;

    PointsView x_;
    std::string points_digest_;
    RunCache& cache_;
    Session& session_;
    FitSeries series_;
    std::size_t kept_ = 0;
};

/// Sha256 of points, row by row: of their numbers, not of where they lie.
[[nodiscard]] std::string digest_of(const PointsView& points);

}  // namespace isogon::cli
