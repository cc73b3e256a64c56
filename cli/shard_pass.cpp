#include "shard_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "fit_report.hpp"
#include "isogon/core/error.hpp"
#include "isogon/methods/transform_rows.hpp"
#include "output_rows.hpp"

namespace isogon::cli {

namespace {

namespace fs = std::filesystem;
using Named = std::vector<std::pair<std::string, double>>;

void add_to(const Named& part, Named& sum) {
    for (const auto& item : part) {
        const auto found = std::find_if(sum.begin(), sum.end(), [&](const auto& s) { return s.first == item.first; });
        if (found == sum.end()) {
            sum.push_back(item);
        } else {
            found->second += item.second;
        }
    }
}

/// By this a file is seen to change while it is read.
struct Stamp {
    std::uint64_t bytes = 0;
    fs::file_time_type written{};

    [[nodiscard]] bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::string& path) {
    std::error_code ignored;
    return {fs::file_size(path, ignored), fs::last_write_time(path, ignored)};
}

class ShardPass {
public:
    ShardPass(std::vector<ShardTask>& tasks, const Transformer& transformer, const ShardFolder& folder,
              const InputFlags& reading, Session& session)
        : tasks_(tasks),
          transformer_(transformer),
          folder_(folder),
          reading_(reading),
          session_(session),
          inner_(session.context()) {
        for (const ShardTask& task : tasks) {
            total_ += task.finished() ? 0 : task.points;
        }
        // Progress is over all files of the shard, not over those of one.
        inner_.on_iteration = [this](const Progress& progress) {
            session_.context().report({"transform", done_ + progress.done, total_, 0.0});
        };
    }

    ShardEnd run() {
        // Held all the way: a first Ctrl-C ends the pass within a second, and a second must not leave a temporary file.
        const auto held = session_.while_writing();
        for (ShardTask& task : tasks_) {
            if (!task.finished() && !advance(task)) {
                break;
            }
        }
        session_.end_progress();
        if (end_.code == ExitCode::Ok && std::any_of(tasks_.begin(), tasks_.end(), is_in_trouble)) {
            end_.code = ExitCode::BadInput;
            end_.why = troubles();
        }
        end_.summary.threads = session_.context().thread_count();
        return std::move(end_);
    }

private:
    static bool is_in_trouble(const ShardTask& task) { return !task.trouble.empty(); }

    /// False when the pass has to end.
    bool advance(ShardTask& task) {
        try {
            make(task);
        } catch (const InputError& error) {
            task.trouble = error.what();
            session_.warn(task.trouble + "; going on with the other files");
        } catch (const OutputError& error) {
            if (!finished_by_another(task)) {
                return stop(ExitCode::Unusable, error.what());
            }
        } catch (const Interruption& interruption) {
            end_.summary.termination = interruption.reason;
            return stop(exit_code(interruption.reason),
                        interruption.reason == Termination::TimeLimit ? "stopped by --time-limit" : "interrupted");
        }
        done_ += task.points;
        return true;
    }

    bool stop(ExitCode code, const std::string& why) {
        end_.code = code;
        end_.why = why;
        return false;
    }

    /// Of two workers with the same file the second finds it finished when it wants to give its own the name.
    bool finished_by_another(ShardTask& task) {
        try {
            task.state = folder_.state(task.file, {});
        } catch (const InputError&) {
            return false;
        }
        return task.finished();
    }

    void make(ShardTask& task) {
        const Stamp before = stamp_of(task.file.input);
        ShardRecord record;
        record.input = timed_mark(task.file.input);
        const InputRows input = open_parts({task.file.input}, reading_);
        const FiniteRows rows(*input.rows);
        const bool replace = task.state != ShardState::Missing;
        OutputRows output(task.file.output.string(), input, transformer_.output_dimension(), replace);
        const Summary summary = transform_rows(transformer_, rows, output, inner_);
        add_to(summary.seconds, end_.summary.seconds);
        add_to(summary.counts, end_.summary.counts);
        if (summary.termination != Termination::Converged) {
            throw Interruption{summary.termination};
        }
        if (stamp_of(task.file.input) != before) {
            throw InputError(task.file.input, "", "was changed while it was read; its output was not written");
        }
        record.points = rows.count();
        place(task, record, replace, output);
    }

    void place(ShardTask& task, ShardRecord& record, bool replace, OutputRows& output) {
        output.commit([&](const fs::path& whole) {
            record.output = timed_mark(whole);
            folder_.keep(task.file, record, replace);
        });
        task.state = ShardState::Finished;
        task.made = true;
    }

    FileMark timed_mark(const fs::path& path) {
        const PhaseTimer timer(end_.summary, "digest");
        return mark_of(path, session_.context());
    }

    [[nodiscard]] std::string troubles() const {
        constexpr std::size_t most = 20;
        const auto count = std::count_if(tasks_.begin(), tasks_.end(), is_in_trouble);
        std::string text = fmt::format("{} of {} files could not be transformed", count, tasks_.size());
        std::size_t named = 0;
        for (const ShardTask& task : tasks_) {
            if (is_in_trouble(task) && named++ < most) {
                text += "; " + task.trouble;
            }
        }
        return text;
    }

    std::vector<ShardTask>& tasks_;
    const Transformer& transformer_;
    const ShardFolder& folder_;
    const InputFlags& reading_;
    Session& session_;
    RunContext inner_;
    std::uint64_t done_ = 0;  ///< points of the files that are through
    std::uint64_t total_ = 0;
    ShardEnd end_;
};

}  // namespace

ShardEnd transform_shard(std::vector<ShardTask>& tasks, const Transformer& transformer, const ShardFolder& folder,
                         const InputFlags& reading, Session& session) {
    return ShardPass(tasks, transformer, folder, reading, session).run();
}

}  // namespace isogon::cli
