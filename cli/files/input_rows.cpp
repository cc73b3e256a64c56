#include "files/input_files.hpp"

#include <algorithm>

#include "io/label_numbers.hpp"
#include "io/row_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon::cli {

namespace {

/// Bytes that reading a file takes, by its header. A memory-mapped file takes none: the system can drop its pages at
/// any time.
struct Need {
    double values = 0.0;  ///< all of the file as float32
    double held = 0.0;    ///< the part of it that reading must hold
};

/// Rows of unknown number are stored in vectors that double when they are full; the old and the new block exist at the
/// same time.
constexpr double growth = 2.0;

Need expected_bytes(const std::string& path, const ReadOptions& options) {
    const FileInfo info = describe_file(path, options);
    Need need{sizeof(float), 0.0};
    for (const std::uint64_t side : info.shape) {
        need.values *= static_cast<double>(side);
    }
    const bool mapped = info.format == Format::Npy && !info.gzip && !info.fortran_order && info.scalar == "float32";
    need.held = mapped ? 0.0 : need.values * (has_short_head(path, options) ? 1.0 : growth);
    return need;
}

/// Bytes held while the rows of a file are streamed.
double held_by_stream(const std::string& path, const ReadOptions& options) {
    return is_streamed(describe_file(path, options)) ? 0.0 : expected_bytes(path, options).held;
}

/// While rows of text are counted nothing but its words is held, and those only up to the limit.
ReadOptions within_limit(const InputFlags& flags, const Session& session) {
    ReadOptions options = read_options(flags);
    options.memory_limit = session.context().memory_limit;
    return options;
}

constexpr double most_bytes = 0x1p62;  // a header may contain any number

void reserve_bytes(double bytes, Session& session) {
    session.reserve_for_input(static_cast<std::uint64_t>(std::min(bytes, most_bytes)));
}

/// Counting the rows of a text or compressed file means reading all of it, which is only done under a limit.
bool size_is_known(const std::vector<std::string>& paths, const InputFlags& flags, const Session& session) {
    return session.context().memory_limit || std::all_of(paths.begin(), paths.end(), [&](const std::string& path) {
               return has_short_head(path, read_options(flags));
           });
}

double held_by_streams(const std::vector<std::string>& paths, const ReadOptions& options) {
    double held = 0.0;
    for (const auto& path : paths) {
        held += held_by_stream(path, options);
    }
    return held;
}

double held_by_inputs(const std::vector<std::string>& paths, const ReadOptions& options, const RowPicker& picker) {
    const bool picked = paths.size() > 1 || picker.every > 1 || picker.from > 0;
    Need sum;
    for (const auto& path : paths) {
        const Need need = expected_bytes(path, options);
        sum.values += need.values;
        sum.held += picked && is_streamed(describe_file(path, options)) ? 0.0 : need.held;
    }
    if (picked) {
        sum.held += sum.values / static_cast<double>(picker.every);
    }
    return sum.held;
}

}  // namespace

void reserve_for_largest(const std::vector<std::string>& paths, const InputFlags& flags, Session& session) {
    double held = 0.0;
    for (const auto& path : paths) {
        if (size_is_known({path}, flags, session)) {
            held = std::max(held, held_by_stream(path, within_limit(flags, session)));
        }
    }
    reserve_bytes(held, session);
}

bool reserve_for_streams(const std::vector<std::string>& paths, const InputFlags& flags, Session& session) {
    const bool known = size_is_known(paths, flags, session);
    if (known) {
        reserve_bytes(held_by_streams(paths, within_limit(flags, session)), session);
    }
    return known;
}

bool reserve_for_inputs(const std::vector<std::string>& paths, const InputFlags& flags, const RowPicker& picker,
                        Session& session) {
    const bool known = size_is_known(paths, flags, session);
    if (known) {
        reserve_bytes(held_by_inputs(paths, within_limit(flags, session), picker), session);
    }
    return known;
}

void reserve_for_read(std::uint64_t rows, std::uint64_t copied, std::uint64_t dimension, Session& session) {
    const double row = static_cast<double>(dimension) * sizeof(float);
    reserve_bytes((growth * static_cast<double>(rows) + static_cast<double>(copied)) * row, session);
}

namespace {

struct Part {
    std::string path;
    RowFile file;
    std::uint64_t before = 0;  ///< rows of the files before it
};

/// The rows from, from + every, ... of all files, concatenated.
class PickedRows final : public RowSource {
public:
    PickedRows(std::vector<Part> parts, const RowPicker& picker, Index count)
        : parts_(std::move(parts)), picker_(picker), count_(count) {}

    [[nodiscard]] Index count() const override { return count_; }
    [[nodiscard]] Index dimension() const override { return parts_.front().file.rows->dimension(); }
    [[nodiscard]] bool always_finite() const override {
        return std::all_of(parts_.begin(), parts_.end(),
                           [](const Part& part) { return part.file.rows->always_finite(); });
    }
    [[nodiscard]] std::string place(Index row) const override {
        const Part& part = part_of(number(row));
        return part.file.rows->place(static_cast<Index>(number(row) - part.before));
    }

    void read(Index first, std::span<float> values) const override {
        const std::uint64_t rows = values.size() / dimension();
        for (std::uint64_t done = 0; done < rows;) {
            const std::uint64_t begin = picker_.from + (first + done) * picker_.every;
            const Part& part = part_of(begin);
            // Consecutive rows are read in one call.
            const std::uint64_t left = part.before + part.file.rows->count() - begin;
            const std::uint64_t run = picker_.every == 1 ? std::min(rows - done, left) : 1;
            part.file.rows->read(static_cast<Index>(begin - part.before),
                                 values.subspan(done * dimension(), run * dimension()));
            done += run;
        }
    }

private:
    [[nodiscard]] std::uint64_t number(Index row) const { return picker_.from + row * picker_.every; }
    [[nodiscard]] const Part& part_of(std::uint64_t row) const {
        const auto after = std::upper_bound(parts_.begin(), parts_.end(), row,
                                            [](std::uint64_t value, const Part& part) { return value < part.before; });
        return *std::prev(after);
    }

    std::vector<Part> parts_;
    RowPicker picker_;
    Index count_;
};

/// `columns`: what those of the files are to be; where this has no names that say more than their places, it becomes
/// those of the first file that has some.
std::vector<Part> open_files(const std::vector<std::string>& paths, const InputFlags& flags, std::uint64_t& rows,
                             ColumnNames& columns) {
    std::vector<Part> parts;
    for (const auto& path : paths) {
        ReadOptions options = read_options(flags);
        options.columns = columns;
        Part part{path, open_rows(path, options), rows};
        rows += part.file.rows->count();
        if (!part.file.column_names.empty() && (columns.empty() || only_count(columns.names))) {
            columns = {part.file.column_names, path};
        }
        parts.push_back(std::move(part));
    }
    require_stackable(paths, rows, [&](std::size_t i) { return parts[i].file.rows->dimension(); });
    return parts;
}

/// Labels (or words) are kept only if all parts have them.
template <class Item>
std::vector<Item> gather(const std::vector<Part>& parts, const RowPicker& picker, std::vector<Item> RowFile::*member) {
    std::vector<Item> list;
    for (const auto& part : parts) {
        const auto& items = part.file.*member;
        if (items.empty()) {
            return {};
        }
        for (const Index i : picker.rows(part.before, items.size())) {
            list.push_back(items[i]);
        }
    }
    return list;
}

}  // namespace

namespace {

/// Labels of files with names agree on their numbers.
void gather_labels(const std::vector<Part>& parts, const RowPicker& picker, InputRows& input) {
    const bool named =
        std::any_of(parts.begin(), parts.end(), [](const Part& part) { return !part.file.label_names.empty(); });
    if (!named || std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.file.labels.empty(); })) {
        input.labels = gather(parts, picker, &RowFile::labels);
        return;
    }
    LabelNumbers labels;
    for (const auto& part : parts) {
        std::vector<std::int64_t> picked;
        for (const Index i : picker.rows(part.before, part.file.labels.size())) {
            picked.push_back(part.file.labels[i]);
        }
        labels.add(picked, part.file.label_names);
    }
    input.labels = labels.labels();
    input.label_names = labels.names();
}

/// Each once, where several files have the same.
void gather_notes(const std::vector<Part>& parts, InputRows& input) {
    for (const auto& part : parts) {
        for (const auto& note : part.file.notes) {
            if (std::find(input.notes.begin(), input.notes.end(), note) == input.notes.end()) {
                input.notes.push_back(note);
            }
        }
    }
}

}  // namespace

InputRows open_parts(const std::vector<std::string>& paths, const InputFlags& flags) {
    const RowPicker picker = row_picker(flags);
    require_table(paths, flags);
    std::uint64_t rows = 0;
    ColumnNames columns = flags.columns;
    auto parts = open_files(paths, flags, rows, columns);
    const std::uint64_t picked = rows <= picker.from ? 0 : (rows - picker.from + picker.every - 1) / picker.every;
    require_picked(picked, flags, rows);
    InputRows input;
    input.rows_in_files = rows;
    input.columns = std::move(columns);
    gather_labels(parts, picker, input);
    gather_notes(parts, input);
    input.words = gather(parts, picker, &RowFile::words);
    input.rows = std::make_unique<PickedRows>(std::move(parts), picker, static_cast<Index>(picked));
    return input;
}

InputRows open_input(const std::vector<std::string>& paths, const InputFlags& flags, Session& session) {
    const bool known = reserve_for_streams(paths, flags, session);
    InputRows input = open_parts(paths, flags);
    if (!known) {
        reserve_for_read(input.rows_in_files, 0, input.rows->dimension(), session);
    }
    require_finite(*input.rows, session.context());
    warn_of(input.notes, session);
    return input;
}

}  // namespace isogon::cli
