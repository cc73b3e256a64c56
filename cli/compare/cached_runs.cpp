#include "compare/cached_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <system_error>
#include <utility>

#include "files/output_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/sha256.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon::cli {

RunCache::RunCache(std::filesystem::path folder, bool fresh, Session& session)
    : folder_(std::move(folder)), fresh_(fresh), session_(session) {
    if (!folder_.empty()) {
        session.remove_leftovers(folder_);
    }
}

std::filesystem::path RunCache::file_of(const std::string& key) const {
    return folder_ / (key + ".safetensors");
}

void RunCache::log_damage(const std::string& what) {
    session_.log(fmt::format("{}; this run is done again", what));
}

std::optional<Archive> RunCache::find(const std::string& key) {
    std::error_code ignored;
    if (folder_.empty() || fresh_ || !std::filesystem::exists(file_of(key), ignored)) {
        return std::nullopt;
    }
    try {
        Archive archive = read_archive(file_of(key));
        if (archive.kind != ArchiveKind::Run || archive.note("key") != key) {
            throw InputError(archive.source, "", "is not the run that its name says");
        }
        return archive;
    } catch (const InputError& error) {
        log_damage(error.what());
        return std::nullopt;
    }
}

void RunCache::store(const std::string& key, Archive archive) {
    if (folder_.empty() || !writable_) {
        return;
    }
    archive.notes["key"] = key;
    try {
        std::error_code error;
        std::filesystem::create_directories(folder_, error);
        if (error) {
            throw OutputError(folder_.string(), "cannot be made: " + error.message());
        }
        const auto held = session_.while_writing();
        write_archive(file_of(key), archive, {.format = {}, .overwrite = true});
    } catch (const Error& error) {
        writable_ = false;
        session_.warn(fmt::format("runs are not kept, so an interrupted command begins anew: {}", error.what()));
    }
}

std::filesystem::path default_cache(const std::vector<std::string>& outputs) {
    const auto named =
        std::find_if(outputs.begin(), outputs.end(), [](const std::string& path) { return !path.empty(); });
    return named == outputs.end() ? std::filesystem::path()
                                  : std::filesystem::path(*named).parent_path() / "isogon-runs";
}

namespace {

// Increase it when the content of cached files changes.
constexpr std::uint64_t layout_version = 1;

Sha256 begin_key(std::string_view what) {
    Sha256 digest;
    digest.add(what);
    digest.add(layout_version);
    digest.add(std::string_view(ISOGON_VERSION "\n"));
    return digest;
}

void add_options(Sha256& digest, const OptionValues& options) {
    for (const auto& [name, value] : options) {
        digest.add(name);
        digest.add(std::uint64_t{value.index()});
        digest.add(to_text(value) + "\n");
    }
}

/// Every option, also those not set, as defaults may change.
OptionValues complete(const FitRequest& wanted) {
    OptionValues options;
    for (const auto& spec : find_method(wanted.method).options) {
        options[spec.name] = spec.default_value;
    }
    for (const auto& [name, value] : wanted.options) {
        options[name] = value;
    }
    return options;
}

void require_finished(const Summary& summary) {
    if (summary.termination == Termination::TimeLimit || summary.termination == Termination::Cancelled) {
        throw Interruption{summary.termination};
    }
}

}  // namespace

std::string digest_of(const PointsView& points) {
    static_assert(std::endian::native == std::endian::little, "digests are of little-endian numbers");
    Sha256 digest;
    digest.add(std::uint64_t{points.count});
    digest.add(std::uint64_t{points.dimension});
    for (Index i = 0; i < points.count; ++i) {
        digest.add(std::as_bytes(points[i]));
    }
    return digest.hex();
}

CachedRuns::CachedRuns(const PointsView& x, const std::vector<FitRequest>& wanted, RunCache& cache, Session& session)
    : x_(x), points_digest_(digest_of(x)), cache_(cache), session_(session), series_(x, wanted, session.context()) {}

std::string CachedRuns::key_of(const FitRequest& wanted) const {
    Sha256 digest = begin_key("fit");
    digest.add(points_digest_);
    digest.add(wanted.method + "\n");
    add_options(digest, complete(wanted));
    return digest.hex();
}

CachedFit CachedRuns::fit(const FitRequest& wanted) {
    const std::string key = key_of(wanted);
    if (auto found = cache_.find(key, [&](const Archive& cached) { return fit_from(cached, x_.count); })) {
        ++cached_;
        return {std::move(found->fitted), found->seconds, true, {}};
    }
    CachedFit result;
    try {
        FitSeries::Fit fit = series_.fit(wanted);
        require_finished(fit.fitted.summary);
        result.seconds = fit.seconds;
        if (!fit.fitted.summary.usable()) {
            result.refused = fit.fitted.summary.message;
            return result;
        }
        StoredFit cached{std::move(fit.fitted), fit.seconds};
        cache_.store(key, to_archive(wanted.method, cached));
        result.fitted = std::move(cached.fitted);
    } catch (const InvalidArgument& error) {
        result.refused = error.what();
    } catch (const InputError& error) {
        result.refused = error.what();
    } catch (const LimitExceeded& error) {
        result.refused = error.what();
    }
    return result;
}

CachedFit CachedRuns::made(const std::string& what, const std::function<Embedding()>& make) {
    Sha256 digest = begin_key("made");
    digest.add(points_digest_);
    digest.add(what);
    const std::string key = digest.hex();
    if (auto found = cache_.find(key, [&](const Archive& cached) { return fit_from(cached, x_.count); })) {
        ++cached_;
        return {std::move(found->fitted), found->seconds, true, {}};
    }
    const auto start = std::chrono::steady_clock::now();
    StoredFit cached{make(), 0.0};
    require_finished(cached.fitted.summary);
    if (!cached.fitted.summary.usable()) {
        throw InputError(what, "", cached.fitted.summary.message);
    }
    cached.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    cache_.store(key, to_archive("made", cached));
    return {std::move(cached.fitted), cached.seconds, false, {}};
}

Score CachedRuns::score(const PointsView& y, std::span<const std::int64_t> labels, const ScoreOptions& options) {
    Sha256 digest = begin_key("score");
    digest.add(points_digest_);
    digest.add(digest_of(y));
    digest.add(std::uint64_t{labels.size()});
    digest.add(std::as_bytes(labels));
    add_options(digest, score_option_table().values(options));
    const std::string key = digest.hex();
    if (auto found = cache_.find(key, score_from)) {
        found->search = options.search;  // equal by the key, and not part of the archive
        return std::move(*found);
    }
    Score result = isogon::score(x_, y, labels, options, session_.context());
    require_finished(result.summary);
    cache_.store(key, to_archive(result));
    return result;
}

}  // namespace isogon::cli
