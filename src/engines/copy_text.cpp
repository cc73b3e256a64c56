#include "engines/copy_text.hpp"

#include <array>
#include <charconv>

#include "io/atomic_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// A text between tabs, escaped as COPY wants it.
void append_text(std::string& line, const std::string& text, Index row) {
    for (const char c : text) {
        switch (c) {
            case '\0':
                throw InvalidArgument("words", "a zero byte in row " + std::to_string(row),
                                      "PostgreSQL's texts cannot hold it; give whole numbers as ids instead");
            case '\\': line += "\\\\"; break;
            case '\t': line += "\\t"; break;
            case '\n': line += "\\n"; break;
            case '\r': line += "\\r"; break;
            default: line += c;
        }
    }
}

void append_vector(std::string& line, std::span<const float> row) {
    std::array<char, 32> text{};
    char between = '[';
    for (const float value : row) {
        line += between;
        line.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
        between = ',';
    }
    line += ']';
}

void require_ids(const std::string& field, std::size_t given, Index count) {
    if (given != 0 && given != count) {
        throw InvalidArgument(field, std::to_string(given),
                              "must be none or " + std::to_string(count) + ", one for each vector");
    }
}

}  // namespace

void write_copy_text(const std::filesystem::path& path, const PointsView& points, const Companions& ids,
                     const WriteOptions& options, const RunContext& context) {
    require_ids("labels", ids.labels.size(), points.count);
    require_ids("words", ids.words.size(), points.count);
    if (points.dimension > most_pgvector_numbers) {
        throw InvalidArgument("dimension", std::to_string(points.dimension),
                              "must be at most " + std::to_string(most_pgvector_numbers) +
                                  ", the most numbers of a vector of pgvector; embed in fewer");
    }
    require_finite(points, "input");
    AtomicFile file(path, options.overwrite);
    std::string line;
    for (Index i = 0; i < points.count; ++i) {
        if (i % 4096 == 0) {
            throw_if_cancelled(context);
        }
        line.clear();
        if (!ids.labels.empty()) {
            line += std::to_string(ids.labels[i]);
        } else if (!ids.words.empty()) {
            append_text(line, ids.words[i], i);
        } else {
            line += std::to_string(i);
        }
        line += '\t';
        append_vector(line, points[i]);
        file.write(line += '\n');
    }
    file.commit();
}

}  // namespace isogon
