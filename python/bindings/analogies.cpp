#include "quality/analogies.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "convert.hpp"
#include "io/word_lists.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

using WordsOfCategory = std::pair<std::string, std::vector<std::array<std::string, 4>>>;

AnalogyQuestions questions_of(const std::vector<WordsOfCategory>& categories) {
    AnalogyQuestions result;
    for (const auto& [name, questions] : categories) {
        for (const auto& words : questions) {
            result.questions.push_back({words, static_cast<Index>(result.categories.size())});
        }
        result.categories.push_back(name);
    }
    return result;
}

/// Names of categories are any bytes, in a file.
nb::object python_text(const std::string& bytes) {
    return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

nb::object accuracy_of(const AnalogyTally& tally) {
    const auto accuracy = tally.accuracy();
    return accuracy ? nb::cast(*accuracy) : nb::none();
}

nb::dict counts_of(const AnalogyTally& tally) {
    nb::dict result;
    result["questions"] = tally.questions;
    result["covered"] = tally.covered;
    result["correct"] = tally.correct;
    result["accuracy"] = accuracy_of(tally);
    return result;
}

nb::list categories_of(const AnalogyScore& score) {
    nb::list list;
    for (const auto& category : score.categories) {
        nb::dict entry = counts_of(category.tally);
        entry["name"] = python_text(category.name);
        entry["kind"] = category.syntactic ? "syntactic" : "semantic";
        list.append(entry);
    }
    return list;
}

/// The keys of the command line's JSON.
nb::dict analogies(const RowArray& points, const std::vector<std::string>& words, const AnalogyQuestions& questions,
                   const RunSettings& settings) {
    const PointsView x = view_of(points, "X");
    AnalogyScore score;
    run_or_raise(settings, [&](const RunContext& context) {
        score = score_analogies(x, words, questions, context);
        if (score.summary.termination != Termination::Converged) {
            throw Interruption{score.summary.termination};
        }
    });
    nb::dict result = counts_of(score.all);
    result["semantic_accuracy"] = accuracy_of(score.semantic);
    result["syntactic_accuracy"] = accuracy_of(score.syntactic);
    result["categories"] = categories_of(score);
    result["summary"] = to_python(score.summary);
    return result;
}

}  // namespace

void add_analogies(nb::module_& m) {
    nb::class_<AnalogyQuestions>(m, "AnalogyQuestions", "Questions by category, as the library asks them.")
        .def("__len__", [](const AnalogyQuestions& self) { return self.questions.size(); });
    m.def("questions_of", &questions_of, nb::arg("categories"));
    m.def(
        "read_questions", [](const std::string& path) { return read_questions(path); }, nb::arg("path"),
        nb::call_guard<nb::gil_scoped_release>());
    m.def("analogies", &analogies, nb::arg("points").noconvert(), nb::arg("words"), nb::arg("questions"),
          nb::arg("run"));
}

}  // namespace isogon::python
