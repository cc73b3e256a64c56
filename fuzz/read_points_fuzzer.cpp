// Feeds arbitrary bytes to every reader. The first byte picks the format (or none, so that it is detected) and, for
// tables, the header; the rest is the file. Anything but points or an InputError is a fault.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "io/matrix_file.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/dataset.hpp"

namespace {

using isogon::Format;

constexpr std::array<Format, 11> kFormats = {Format::Npy,        Format::Csv,   Format::Tsv,   Format::Idx,
                                             Format::Fvecs,      Format::Bvecs, Format::Ivecs, Format::WordText,
                                             Format::WordBinary, Format::Npz,   Format::Jsonl};

isogon::ReadOptions options_from(std::uint8_t choice) {
    isogon::ReadOptions options;
    const std::size_t format = choice & 15U;
    if (format < kFormats.size()) {
        options.format = kFormats[format];
    }
    options.header = static_cast<isogon::Header>((choice >> 4U) % 3U);
    if ((choice & 64U) != 0) {
        options.label_column = "0";
    }
    if ((choice & 128U) != 0) {
        options.word_column = "1";
    }
    return options;
}

/// Reads every number, so that the address sanitizer sees any that is not there.
void touch(const isogon::Dataset& data) {
    float sum = 0.0F;
    for (isogon::Index i = 0; i < data.points.count; ++i) {
        for (const float value : data.points[i]) {
            sum += value;
        }
    }
    volatile float keep = sum;
    static_cast<void>(keep);
    const bool whole = (data.words.empty() || data.words.size() == data.points.count) &&
                       (data.labels.empty() || data.labels.size() == data.points.count);
    const auto names = static_cast<std::int64_t>(data.label_names.size());
    for (const std::int64_t label : data.labels) {
        if (names > 0 && label >= names) {  // below 0: unknown
            std::abort();
        }
    }
    if (!whole) {
        std::abort();
    }
}

void check(const isogon::CsrMatrix<double>& matrix) {
    try {
        isogon::validate(matrix);
    } catch (const isogon::InvalidArgument&) {
        std::abort();
    }
}

template <class Action>
void expect_input_error_at_worst(Action action) {
    try {
        action();
    } catch (const isogon::InputError&) {
    } catch (const isogon::InvalidArgument&) {  // a label or word column that the table does not have
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const int file = ::memfd_create("fuzz", 0);
    if (file < 0 || ::write(file, data + 1, size - 1) != static_cast<ssize_t>(size - 1)) {
        std::abort();
    }
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    const isogon::ReadOptions options = options_from(data[0]);
    expect_input_error_at_worst([&] { touch(isogon::read_points(path, options)); });
    expect_input_error_at_worst([&] { static_cast<void>(isogon::describe_file(path, options)); });
    expect_input_error_at_worst([&] { static_cast<void>(isogon::read_labels(path)); });
    expect_input_error_at_worst([&] { check(isogon::read_matrix(path)); });
    expect_input_error_at_worst([&] { static_cast<void>(isogon::describe_matrix(path)); });
    expect_input_error_at_worst([&] { check(isogon::read_matrix(path, {.format = isogon::MatrixFormat::Svmlight})); });
    ::close(file);
    return 0;
}
