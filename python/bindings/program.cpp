#include "bindings.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#ifdef ISOGON_PYTHON_PROGRAM
#include "begin.hpp"
#include "io/column_names.hpp"
#include "io/frame_files.hpp"
#include "isogon/core/error.hpp"
#endif

namespace nb = nanobind;

namespace isogon::python {

#ifdef ISOGON_PYTHON_PROGRAM
namespace {

/// Calls a function of isogon._frames. What it raises is an InputError about the file.
template <class... Given>
nb::object in_python(const char* function, const std::string& path, Given&&... given) {
    try {
        return nb::module_::import_("isogon._frames").attr(function)(path, std::forward<Given>(given)...);
    } catch (const nb::python_error& error) {
        throw InputError(path, "", nb::cast<std::string>(nb::str(error.value())));
    }
}

nb::dict reading(Format format, const ReadOptions& options) {
    nb::dict given;
    given["format"] = std::string(name(format));
    given["vectors"] = options.vectors;
    given["label_column"] = options.label_column;
    given["word_column"] = options.word_column;
    given["skip_columns"] = options.skip_columns;
    given["skip_text"] = options.skip_text;
    given["order"] = options.columns.names;
    return given;
}

/// An array of numpy, which goes when the last that holds it does.
std::shared_ptr<const void> owner_of(nb::object object) {
    return {new nb::object(std::move(object)), [](const nb::object* kept) {
                const nb::gil_scoped_acquire locked;
                delete kept;
            }};
}

Dataset read_frame(const std::filesystem::path& path, Format format, const ReadOptions& options) {
    const nb::gil_scoped_acquire locked;
    const nb::object frame = in_python("read", path.string(), **reading(format, options));
    Dataset data;
    const nb::object rows = frame.attr("rows");
    const auto array = nb::cast<nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>>(rows);
    data.points = {array.data(), static_cast<Index>(array.shape(0)), static_cast<Index>(array.shape(1))};
    data.storage = owner_of(rows);
    Labels labels = numbered_labels(nb::cast<std::vector<std::string>>(frame.attr("labels")));
    data.labels = std::move(labels.values);
    data.label_names = std::move(labels.names);
    data.words = nb::cast<std::vector<std::string>>(frame.attr("words"));
    data.column_names = nb::cast<std::vector<std::string>>(frame.attr("names"));
    for (const auto& note : nb::cast<std::vector<std::string>>(frame.attr("notes"))) {
        data.notes.emplace_back(note);
    }
    static_cast<void>(places_of(data.column_names, options.columns, path));  // refuses other names
    return data;
}

FileInfo describe_frame(const std::filesystem::path& path, Format format, const ReadOptions& options) {
    const nb::gil_scoped_acquire locked;
    const nb::object frame = in_python("describe", path.string(), **reading(format, options));
    FileInfo info;
    info.format = format;
    info.scalar = nb::cast<std::string>(frame.attr("scalar"));
    info.shape = nb::cast<std::vector<std::uint64_t>>(frame.attr("shape"));
    info.has_labels = nb::cast<bool>(frame.attr("has_labels"));
    info.has_words = nb::cast<bool>(frame.attr("has_words"));
    info.has_header = nb::cast<bool>(frame.attr("has_names"));
    return info;
}

void extend_frame(const ExtendedFrame& frame) {
    const nb::gil_scoped_acquire locked;
    const PointsView& points = frame.columns;
    const nb::ndarray<nb::numpy, const float> columns(points.data, {points.count, points.dimension}, nb::handle());
    in_python("extend", frame.output, frame.inputs, frame.from, frame.every, frame.prefix,
              nb::cast(columns, nb::rv_policy::copy));
}

}  // namespace
#endif

void add_program([[maybe_unused]] nb::module_& m) {
#ifdef ISOGON_PYTHON_PROGRAM
    m.def(
        "run_program",
        [](const std::vector<nb::bytes>& given) {
            std::vector<std::string> words;
            for (const nb::bytes& word : given) {
                words.emplace_back(word.c_str(), word.size());
            }
            std::vector<char*> argv;
            for (std::string& word : words) {
                argv.push_back(word.data());
            }
            argv.push_back(nullptr);
            set_frame_files({read_frame, describe_frame, extend_frame});
            const nb::gil_scoped_release released;
            return cli::begin(static_cast<int>(words.size()), argv.data());
        },
        nb::arg("words"), "Runs the command isogon, of which `words` are the whole line, and returns its exit code.");
#endif
}

}  // namespace isogon::python
