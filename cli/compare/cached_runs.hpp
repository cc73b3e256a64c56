#pragma once
// Fits and scores that are kept in a folder, and the archives that they are stored as.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/error.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/quality/score.hpp"
#include "program/session.hpp"
#include "registry/fit_series.hpp"

namespace isogon::cli {

/// A finished fit as it is cached: coordinates, options as used, summary; without the map for new points.
struct StoredFit {
    Embedding fitted;
    double seconds = 0.0;  ///< time of the fit when it was made
};

/// Throws InvalidArgument for what an archive cannot hold.
[[nodiscard]] Archive to_archive(const std::string& method, const StoredFit& fit);
/// Throws InputError for an archive that holds no fit of that many points.
[[nodiscard]] StoredFit fit_from(const Archive& archive, Index points);

/// The measures of a score; of its summary only the warnings.
[[nodiscard]] Archive to_archive(const Score& score);
/// Throws InputError for an archive that holds no score.
[[nodiscard]] Score score_from(const Archive& archive);

/// A cache of finished runs in a folder, by the digest of everything that they depend on; files appear complete or not
/// at all. A file that is damaged, or does not have the key of its name, is logged and made again; a folder that cannot
/// be written causes one warning, and nothing is cached.
class RunCache {
public:
    /// `folder` empty: nothing is cached. `fresh`: cached runs are not read but replaced.
    RunCache(std::filesystem::path folder, bool fresh, Session& session);

    /// The archive with this key, or nothing.
    [[nodiscard]] std::optional<Archive> find(const std::string& key);
    void store(const std::string& key, Archive archive);
    /// find(), then read(archive); an InputError of `read` is treated as damage.
    template <class Read>
    [[nodiscard]] auto find(const std::string& key, const Read& read) -> std::optional<decltype(read(Archive()))> {
        try {
            const auto archive = find(key);
            return archive ? std::optional(read(*archive)) : std::nullopt;
        } catch (const InputError& error) {
            log_damage(error.what());
            return std::nullopt;
        }
    }

private:
    [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;
    void log_damage(const std::string& what);

    std::filesystem::path folder_;
    bool fresh_;
    bool writable_ = true;
    Session& session_;
};

/// The default folder: isogon-runs beside the first output that is not empty, or none ("") without outputs. It is not
/// hidden elsewhere: users should see what fills their disk.
[[nodiscard]] std::filesystem::path default_cache(const std::vector<std::string>& outputs);

/// A fit, made now or read from the cache.
struct CachedFit {
    Embedding fitted{};
    double seconds = 0.0;   ///< time of the fit alone
    bool cached = false;    ///< from the cache
    std::string refused{};  ///< reason why there is no fit; empty: there is one
};

/// Fits and scores of the same points, each made once: finished ones of this or an earlier command come from the cache.
/// The key of a run is the digest of the points, the method, every option, the version of the program, and for scores
/// also the coordinates and labels. The number of threads is not part of it, as it does not change results.
class CachedRuns {
public:
    /// `wanted`: the fits that will follow. Throws as FitSeries does. `x` must outlive this object.
    CachedRuns(const PointsView& x, const std::vector<FitRequest>& wanted, RunCache& cache, Session& session);

    /// The reason is in the result if the method refuses (InvalidArgument, InputError, LimitExceeded) or fails. Throws
    /// Interruption if the session ends the run, which is then not cached.
    [[nodiscard]] CachedFit fit(const FitRequest& wanted);

    /// Throws as score() does, and Interruption.
    [[nodiscard]] Score score(const PointsView& y, std::span<const std::int64_t> labels, const ScoreOptions& options);

    /// Seconds of the steps that the fits share.
    [[nodiscard]] const Summary& shared() const { return series_.shared(); }
    [[nodiscard]] std::size_t cached_count() const { return cached_; }

private:
    [[nodiscard]] std::string key_of(const FitRequest& wanted) const;

    PointsView x_;
    std::string points_digest_;
    RunCache& cache_;
    Session& session_;
    FitSeries series_;
    std::size_t cached_ = 0;
};

/// SHA-256 of the numbers of the points, row by row.
[[nodiscard]] std::string digest_of(const PointsView& points);

}  // namespace isogon::cli
