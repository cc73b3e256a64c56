#include "isogon/io/dataset.hpp"

#include "io/array_reader.hpp"
#include "io/byte_stream.hpp"
#include "io/frame_files.hpp"
#include "io/point_formats.hpp"
#include "io/text_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

FrameFiles& present_files() {
    static FrameFiles files;
    return files;
}

Dataset read(ByteStream& stream, Format format, const ReadOptions& options) {
    switch (format) {
        case Format::Npy: return read_array(stream, read_npy_header(stream));
        case Format::Idx: return read_array(stream, read_idx_header(stream));
        case Format::Csv:
        case Format::Tsv: return read_table(stream, format, options);
        case Format::Fvecs:
        case Format::Bvecs:
        case Format::Ivecs: return read_vecs(stream, format);
        case Format::WordText: return read_word_text(stream);
        case Format::WordBinary: return read_word_binary(stream);
        case Format::Npz: return read_npz_points(stream.source(), options);
        case Format::Jsonl: return read_json_lines(stream, options);
        case Format::Parquet:
        case Format::Arrow:
        case Format::H5ad:
        case Format::Hdf5: return frame_files(stream.source(), format).read(stream.source(), format, options);
    }
    stream.fail("", "the format is unknown");
}

FileInfo describe(ByteStream& stream, Format format, const ReadOptions& options) {
    switch (format) {
        case Format::Npy: return describe_array(stream, read_npy_header(stream), format);
        case Format::Idx: return describe_array(stream, read_idx_header(stream), format);
        case Format::Csv:
        case Format::Tsv: return describe_table(stream, format, options);
        case Format::Fvecs:
        case Format::Bvecs:
        case Format::Ivecs: return describe_vecs(stream, format);
        case Format::WordText: return describe_word_text(stream);
        case Format::WordBinary: return describe_word_binary(stream);
        case Format::Npz: return describe_npz_points(stream.source(), options);
        case Format::Jsonl: return describe_json_lines(stream, options);
        case Format::Parquet:
        case Format::Arrow:
        case Format::H5ad:
        case Format::Hdf5: return frame_files(stream.source(), format).describe(stream.source(), format, options);
    }
    stream.fail("", "the format is unknown");
}

Labels labels_of(ByteStream& stream, Format format) {
    switch (format) {
        case Format::Npy: return {read_array_labels(stream, read_npy_header(stream))};
        case Format::Idx: return {read_array_labels(stream, read_idx_header(stream))};
        case Format::Csv:
        case Format::Tsv: return read_text_labels(stream);
        case Format::Fvecs:
        case Format::Bvecs:
        case Format::Ivecs: return {read_vecs_labels(stream, format)};
        case Format::WordText:
            if (!format_from_name(stream.source())) {  // lines such as "class 1"
                return read_text_labels(stream);
            }
            break;
        default: break;
    }
    stream.fail("", "no labels are read from " + std::string(name(format)) +
                        "; give .npy, IDX, .ivecs, or text with one label a line");
}

void require_use_of_vectors(Format format, const ReadOptions& options) {
    if (options.vectors && format != Format::Npz && format != Format::Jsonl && !is_frame(format)) {
        throw InvalidArgument(
            "vectors", *options.vectors,
            "has an effect only with npz and jsonl, or parquet and its like, which hold several things; "
            "leave it out");
    }
}

/// Opens a file and calls action(stream, format).
template <class Action>
auto with_file(const std::filesystem::path& path, const std::optional<Format>& said, Action action) {
    ByteStream stream(path);
    return action(stream, detect_format(stream, path, said));
}

}  // namespace

void set_frame_files(FrameFiles files) {
    present_files() = std::move(files);
}

const FrameFiles& frame_files(const std::filesystem::path& path, Format format) {
    if (!present_files().read) {
        throw InputError(path.string(), "",
                         "is a file of " + std::string(name(format)) +
                             ", which the program reads that the Python package brings along (python -m isogon, or "
                             "isogon where pip has installed it); this one reads npy, npz, csv and jsonl");
    }
    return present_files();
}

Dataset read_points(const std::filesystem::path& path, const ReadOptions& options) {
    return with_file(path, options.format, [&](ByteStream& stream, Format format) {
        require_use_of_vectors(format, options);
        return read(stream, format, options);
    });
}

Labels read_named_labels(const std::filesystem::path& path) {
    return with_file(path, std::nullopt, [](ByteStream& stream, Format format) { return labels_of(stream, format); });
}

std::vector<std::int64_t> read_labels(const std::filesystem::path& path) {
    Labels labels = read_named_labels(path);
    if (!labels.names.empty()) {
        throw InputError(
            path.string(), "",
            "holds labels of text, as " + in_quotes(labels.names.front()) + ", where whole numbers are needed");
    }
    return std::move(labels.values);
}

FileInfo describe_file(const std::filesystem::path& path, const ReadOptions& options) {
    return with_file(path, options.format, [&](ByteStream& stream, Format format) {
        require_use_of_vectors(format, options);
        stream.limit_memory(options.memory_limit);
        FileInfo info = describe(stream, format, options);
        info.gzip = stream.gzip();
        info.file_bytes = stream.file().size();
        return info;
    });
}

}  // namespace isogon
