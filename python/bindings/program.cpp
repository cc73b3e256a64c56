#include "bindings.hpp"

#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#ifdef ISOGON_PYTHON_PROGRAM
#include "begin.hpp"
#endif

namespace nb = nanobind;

namespace isogon::python {

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
            const nb::gil_scoped_release released;
            return cli::begin(static_cast<int>(words.size()), argv.data());
        },
        nb::arg("words"), "Runs the command isogon, of which `words` are the whole line, and returns its exit code.");
#endif
}

}  // namespace isogon::python
