#pragma once
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/io/output.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Checks output paths before work starts. Throws UsageError for a path that cannot be written, exists without
/// --overwrite, is given twice, or is an input of the run (`inputs`, of all flags), by whatever name or link. Empty
/// paths (outputs not requested) are skipped.
void require_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& inputs, Session& session);

/// Where a write to this path would go, also by links to a file that does not exist yet; the path itself where that
/// cannot be known: require_writable_target() names the reason.
[[nodiscard]] std::filesystem::path place_of(const std::string& path);

/// Concatenates lists of names.
[[nodiscard]] std::vector<std::string> all_of(std::initializer_list<std::vector<std::string>> lists);

/// Runs a check of the library on an output. Throws UsageError for its OutputError, as this happens before work starts.
void require_output(const std::function<void()>& check);

/// Throws UsageError if an archive cannot be written into a file of this name; an empty name is skipped. `replaces`: a
/// file that is there, as with --overwrite.
void require_archive_output(const std::string& path, const Session& session, bool replaces = false);

/// Throws UsageError if labels cannot be written into a file of this name; an empty name is skipped.
void require_label_output(const std::string& path, Session& session);

/// How the outputs of a run are written.
[[nodiscard]] WriteOptions write_options(const Session& session);

/// Runs `write`, which must write its file completely or not at all. A second Ctrl-C waits for it.
void write_output(Session& session, const std::function<void(const WriteOptions&)>& write);

/// Writes a text file.
void write_text(const std::string& path, const std::string& text, Session& session);

/// The format by the extension of the name. Throws UsageError if there is none.
[[nodiscard]] Format output_format(const std::string& path);

/// Throws UsageError if the format of the output needs words and there are none.
void require_words(const std::string& path, bool has_words);

/// Writes rows to a file block by block, with their labels and words.
class OutputRows final : public RowSink {
public:
    /// Opens the file for one row of `dimension` numbers for each row of the input. Throws as PointWriter does.
    /// `columns`: their names, or none.
    OutputRows(const std::string& path, const InputRows& input, Index dimension, const WriteOptions& how,
               const std::vector<std::string>& columns = {});

    void write(const PointsView& rows) override;
    /// Whether all rows have been written.
    [[nodiscard]] bool complete() const { return writer_.written() == input_.rows->count(); }
    void commit() { writer_.commit(); }

private:
    PointWriter writer_;
    const InputRows& input_;
};

}  // namespace isogon::cli
