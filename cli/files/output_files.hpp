#pragma once
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "files/input_rows.hpp"
#include "isogon/io/output.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Called before work starts. Throws UsageError if one of the files could not be written, exists without --overwrite,
/// is named twice, or is one that the run reads (`inputs`, of all flags), by whatever name or link: --overwrite is for
/// a result of before, not for what the new one is made of. Empty names (not asked for) are passed over.
void require_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& inputs, Session& session);

/// `lists` of names as one.
[[nodiscard]] std::vector<std::string> all_of(std::initializer_list<std::vector<std::string>> lists);

/// Runs a check of an output that the library makes: what it finds before work starts is a matter of usage. Throws
/// UsageError for its OutputError.
void require_output(const std::function<void()>& check);

/// Throws UsageError for labels that could not be written into a file of this name, if one is wanted.
void require_label_output(const std::string& path, const Session& session);

/// Runs `write`, which must leave its file whole or not at all. A second Ctrl-C waits for it.
void write_output(Session& session, const std::function<void(const WriteOptions&)>& write);

/// The format a name asks for. Throws UsageError when it asks for none.
[[nodiscard]] Format output_format(const std::string& path);

/// Word vectors cannot be written without words: throws UsageError before work starts.
void require_words(const std::string& path, bool has_words);

/// Rows on their way to a file, each block with the labels and words that belong to it.
class OutputRows final : public RowSink {
public:
    /// Opens the file for one row of `dimension` numbers for each of the input's. Throws as PointWriter does.
    OutputRows(const std::string& path, const InputRows& input, Index dimension, bool overwrite);

    void write(const PointsView& rows) override;
    /// Whether all rows have come.
    [[nodiscard]] bool complete() const { return writer_.written() == input_.rows->count(); }
    void commit(const BeforePlacing& before = {}) { writer_.commit(before); }

private:
    PointWriter writer_;
    const InputRows& input_;
};

}  // namespace isogon::cli
