#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "../cached_runs.hpp"
#include "../input_files.hpp"
#include "../run_cache.hpp"
#include "../session.hpp"

namespace isogon::cli {

/// What figures are made with: data sets by name, and runs that are kept, so that figures of the same runs share them.
class FigureContext {
public:
    /// `dimensions`: those of figures over the dimension, instead of their own; empty: their own.
    FigureContext(std::filesystem::path data, bool quick, std::vector<std::int64_t> dimensions, RunCache& cache,
                  Session& session)
        : data_(std::move(data)), quick_(quick), dimensions_(std::move(dimensions)), cache_(cache), session_(session) {}

    /// Whether a smaller set was asked for.
    [[nodiscard]] bool quick() const { return quick_; }
    /// The dimensions of a figure: those asked for, else its own.
    [[nodiscard]] std::vector<std::int64_t> dimensions(const std::vector<std::int64_t>& own) const {
        return dimensions_.empty() ? own : dimensions_;
    }
    [[nodiscard]] Session& session() { return session_; }
    [[nodiscard]] const RunContext& context() const { return session_.context(); }
    [[nodiscard]] RunCache& cache() { return cache_; }

    /// The 70,000 digits of MNIST, train followed by test, every `every`-th of them from `from` on, with labels. Fold f
    /// of the papers is every 5th from f.
    [[nodiscard]] Input digits(std::int64_t every, std::int64_t from = 0);
    /// Those for training, or those for testing, alone.
    [[nodiscard]] Input training_digits(std::int64_t every);
    [[nodiscard]] Input test_digits(std::int64_t every);
    /// 8,000 words of GoogleNews, 300 numbers each: not the words of the papers, which are not at hand.
    [[nodiscard]] Input words();
    /// The path of a file of the data folder.
    [[nodiscard]] std::string file(const std::string& name) const;
    /// Throws UsageError naming those of the files that are not there. `figure`: what needs them.
    void require(const std::string& figure, const std::vector<std::string>& files) const;
    /// Points and labels of two files.
    [[nodiscard]] Input labelled(const std::vector<std::string>& points, const std::vector<std::string>& labels,
                                 std::int64_t every = 1, std::int64_t from = 0);

    void tell(const std::string& sentence) { session_.log(sentence); }

private:
    std::filesystem::path data_;
    bool quick_;
    std::vector<std::int64_t> dimensions_;
    RunCache& cache_;
    Session& session_;
};

/// The fit of `wanted`; throws InputError if it was refused, for a figure needs it.
[[nodiscard]] CachedFit required_fit(CachedRuns& runs, const FitRequest& wanted);

/// "14,000"
[[nodiscard]] std::string with_commas(std::uint64_t number);

}  // namespace isogon::cli
