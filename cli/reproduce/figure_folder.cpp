#include "reproduce/figures.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/io/atomic_file.hpp"
#include "isogon/report/chart.hpp"
#include "isogon/report/report.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

namespace {

/// The numbers of a chart for its .csv: a row for each point, with its series.
ChartTable points_of(const Chart& chart) {
    ChartTable table{chart.title, {"series", chart.x.label, chart.y.label}, {}, ""};
    for (const auto& series : chart.series) {
        for (const auto& [x, y] : series.points) {
            table.rows.push_back({series.name, x, y});
        }
    }
    return table;
}

/// The numbers of a map: a row for each point, with its class if it has one.
ChartTable points_of(const ChartMap& map) {
    ChartTable table{map.title, {"first coordinate", "second coordinate"}, {}, ""};
    if (!map.labels.empty()) {
        table.columns.emplace_back("class");
    }
    for (Index i = 0; i < map.coordinates.count(); ++i) {
        std::vector<ChartCell> row{double{map.coordinates[i][0]}, double{map.coordinates[i][1]}};
        if (!map.labels.empty()) {
            row.emplace_back(map.labels.names[map.labels.index[i]]);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

namespace fs = std::filesystem;

/// Content of the files, by name.
using Contents = std::map<std::string, std::string>;

Contents contents_of(const ChartDocument& document) {
    const std::string json = chart_document(document);
    Contents files{{"data.json", json + "\n"}, {"report.html", report_page(json)}};
    for (std::size_t i = 0; i < document.tables.size(); ++i) {
        files[fmt::format("table-{}.csv", i + 1)] = table_csv(document.tables[i]);
    }
    for (std::size_t i = 0; i < document.charts.size(); ++i) {
        files[fmt::format("chart-{}.svg", i + 1)] = line_chart(document.charts[i]);
        files[fmt::format("chart-{}.csv", i + 1)] = table_csv(points_of(document.charts[i]));
    }
    for (std::size_t i = 0; i < document.maps.size(); ++i) {
        files[fmt::format("map-{}.svg", i + 1)] = map_picture(document.maps[i]);
        files[fmt::format("map-{}.csv", i + 1)] = table_csv(points_of(document.maps[i]));
    }
    return files;
}

/// Whether the name can come from contents_of(): chart-12.svg.
bool is_figure_file_name(const std::string& name) {
    if (name == "data.json" || name == "report.html") {
        return true;
    }
    const std::size_t dash = name.find('-');
    const std::size_t dot = name.find('.');
    if (dash == std::string::npos || dot == std::string::npos || dot < dash + 2) {
        return false;
    }
    constexpr std::array<std::string_view, 5> kinds{"table.csv", "chart.svg", "chart.csv", "map.svg", "map.csv"};
    const bool numbered = std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dash) + 1,
                                      name.begin() + static_cast<std::ptrdiff_t>(dot),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
    return numbered && std::find(kinds.begin(), kinds.end(), name.substr(0, dash) + name.substr(dot)) != kinds.end();
}

/// The names in a folder without temporary files.
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code ignored;  // an unreadable folder is reported when it is written
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (!is_temporary_name(entry.path())) {
            names.push_back(entry.path().filename().string());
        }
    }
    return names;
}

/// Errors are left to the functions that write.
bool path_exists(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

void require_writable(const fs::path& target) {
    try {
        require_writable_target(target, true);
    } catch (const OutputError& error) {
        throw UsageError(error.what());
    }
}

[[noreturn]] void fail(const fs::path& path, const std::error_code& error) {
    throw OutputError(path.string(), "cannot be written: " + error.message());
}

/// A temporary folder beside the folder of the figure, or in it if that exists (it may be a link to another disk);
/// removed with its content in the end.
class StagingFolder {
public:
    explicit StagingFolder(const fs::path& target)
        : existed_(path_exists(target)),
          folder_((existed_ ? target : target.parent_path()) /
                  fmt::format(".isogon-{}-{}.tmp", ::getpid(), target.filename().string())) {
        std::error_code error;
        if (!fs::create_directory(folder_, error)) {
            fail(target, error);
        }
        lock_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ::flock(lock_, LOCK_EX | LOCK_NB);
    }
    ~StagingFolder() {
        try {
            std::error_code ignored;
            fs::remove_all(folder_, ignored);
        } catch (const std::bad_alloc&) {  // the next run removes the rest
        }
        ::close(lock_);
    }
    StagingFolder(const StagingFolder&) = delete;
    StagingFolder& operator=(const StagingFolder&) = delete;

    /// Whether the figure already has a folder.
    [[nodiscard]] bool existed() const { return existed_; }
    [[nodiscard]] const fs::path& folder() const { return folder_; }

private:
    bool existed_;
    fs::path folder_;
    int lock_ = -1;  ///< tells remove_abandoned() that this run is alive
};

/// Errors name the final path of the file.
void write_staged(const fs::path& staging, const fs::path& target, const std::string& text) {
    const fs::path path = staging / target.filename();
    try {
        AtomicFile file(path, false, text.size());
        file.write(text);
        file.commit();
    } catch (const OutputError& error) {
        const std::string what = error.what();
        const std::string named = path.string() + ": ";
        throw OutputError(target.string(), what.starts_with(named) ? what.substr(named.size()) : what);
    }
}

void move(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    if (error) {
        fail(to, error);
    }
}

/// Replaces all files of an earlier figure, and no others.
void replace(const fs::path& folder, const fs::path& staging, const Contents& files) {
    for (const auto& [name, text] : files) {
        move(staging / name, folder / name);
    }
    for (const auto& name : names_in(folder)) {
        std::error_code error;
        if (is_figure_file_name(name) && !files.contains(name) && !fs::remove(folder / name, error)) {
            fail(folder / name, error);
        }
    }
}

}  // namespace

void require_figure_folder(const fs::path& folder, const Session& session) {
    if (!path_exists(folder)) {
        require_writable(folder);
        return;
    }
    if (std::error_code ignored; !fs::is_directory(folder, ignored)) {
        throw UsageError(folder.string() + ": is not a folder; choose another -o");
    }
    const std::vector<std::string> names = names_in(folder);
    if (!session.overwrite() && !names.empty()) {
        throw UsageError(folder.string() +
                         ": holds something; choose another -o, or replace what is in it with --overwrite");
    }
    require_writable(folder / "data.json");
    for (const auto& name : names) {
        if (is_figure_file_name(name)) {
            require_writable(folder / name);
        }
    }
}

std::vector<std::string> write_figure_folder(const fs::path& folder, const ChartDocument& document, Session& session) {
    const Contents files = contents_of(document);
    const auto held = session.while_writing();  // for all files: the figure appears complete or not at all
    session.remove_leftovers(path_exists(folder) ? folder : folder.parent_path());
    const StagingFolder staging(folder);
    std::vector<std::string> names;
    for (const auto& [name, text] : files) {
        write_staged(staging.folder(), folder / name, text);
        names.push_back((folder / name).string());
    }
    staging.existed() ? replace(folder, staging.folder(), files) : move(staging.folder(), folder);
    return names;
}

}  // namespace isogon::cli
