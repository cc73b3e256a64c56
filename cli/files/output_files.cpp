#include "files/output_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "io/atomic_file.hpp"
#include "io/integer_table.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"
#include "program/failure.hpp"

namespace isogon::cli {

namespace fs = std::filesystem;

fs::path place_of(const std::string& path) {
    std::error_code ignored;
    try {
        return fs::weakly_canonical(final_target(path), ignored);
    } catch (const OutputError&) {
        return path;
    }
}

namespace {

bool same_file(const std::string& one, const std::string& other) {
    std::error_code ignored;
    return fs::equivalent(one, other, ignored) || place_of(one) == place_of(other);
}

void require_no_input(const std::string& path, const std::vector<std::string>& inputs) {
    for (const auto& input : inputs) {
        if (!input.empty() && same_file(path, input)) {
            throw UsageError(path + ": is " + (path == input ? "" : input + ", ") +
                             "an input of this run; give the output another name");
        }
    }
}

}  // namespace

void require_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& inputs, Session& session) {
    std::vector<std::string> seen;
    for (const auto& path : paths) {
        if (path.empty()) {
            continue;
        }
        if (path == standard_stream) {
            session.expect_output(path);
            continue;
        }
        require_no_input(path, inputs);
        if (std::any_of(seen.begin(), seen.end(), [&](const auto& other) { return same_file(path, other); })) {
            throw UsageError(path + ": named for two outputs; give each a name of its own");
        }
        seen.push_back(path);
        std::error_code ignored;
        if (!session.overwrite() && fs::is_regular_file(path, ignored)) {
            throw UsageError(path + ": exists; choose another name, or replace it with --overwrite");
        }
        require_output([&] { require_writable_target(path, session.overwrite()); });
        session.expect_output(path);
    }
}

std::vector<std::string> all_of(std::initializer_list<std::vector<std::string>> lists) {
    std::vector<std::string> all;
    for (const auto& list : lists) {
        all.insert(all.end(), list.begin(), list.end());
    }
    return all;
}

void require_output(const std::function<void()>& check) {
    try {
        check();
    } catch (const OutputError& error) {
        throw UsageError(error.what());
    }
}

void require_archive_output(const std::string& path, const Session& session, bool replaces) {
    if (!path.empty()) {
        require_output(
            [&] { require_writable_archive(path, {.format = {}, .overwrite = replaces || session.overwrite()}); });
    }
}

void require_label_output(const std::string& path, Session& session) {
    if (!path.empty()) {
        const auto held = session.while_writing();  // the writer makes a temporary file
        require_output([&] { const LabelWriter none(path, 1, write_options(session)); });
    }
}

WriteOptions write_options(const Session& session) {
    return {.format = {}, .overwrite = session.overwrite()};
}

void write_output(Session& session, const std::function<void(const WriteOptions&)>& write) {
    const auto held = session.while_writing();
    write(write_options(session));
}

void write_text(const std::string& path, const std::string& text, Session& session) {
    write_output(session, [&](const WriteOptions& how) {
        AtomicFile file(path, how.overwrite, text.size());
        file.write(text);
        file.commit();
    });
}

Format output_format(const std::string& path) {
    const auto format = written_format(path);
    if (!format) {
        throw UsageError((path.empty() ? "''" : path) +
                         ": the name tells no format; end it in .npy, .csv, .tsv, .fvecs, .vec or another that "
                         "isogon info can read");
    }
    return *format;
}

void require_words(const std::string& path, bool has_words) {
    const Format format = output_format(path);
    if (!has_words && (format == Format::WordText || format == Format::WordBinary)) {
        throw UsageError(path +
                         ": word vectors need words, and the input has none; write .npy or .csv, or name the "
                         "column of words with --word-column");
    }
}

namespace {

PointsShape shape_of(const InputRows& input, Index dimension, const std::vector<std::string>& columns) {
    return {.count = input.rows->count(),
            .dimension = dimension,
            .labels = !input.labels.empty(),
            .words = !input.words.empty(),
            .columns = columns};
}

template <class Item>
std::span<const Item> part_of(const std::vector<Item>& items, Index first, Index count) {
    return items.empty() ? std::span<const Item>() : std::span(items).subspan(first, count);
}

}  // namespace

OutputRows::OutputRows(const std::string& path, const InputRows& input, Index dimension, const WriteOptions& how,
                       const std::vector<std::string>& columns)
    : writer_(path, shape_of(input, dimension, columns), how), input_(input) {}

void OutputRows::write(const PointsView& rows) {
    writer_.write(rows, {.labels = part_of(input_.labels, writer_.written(), rows.count),
                         .words = part_of(input_.words, writer_.written(), rows.count),
                         .label_names = input_.label_names});
}

}  // namespace isogon::cli
