#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "convert.hpp"
#include "core/processors.hpp"
#include "isogon/core/error.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

/// The name of an option or an argument in Python.
std::string python_name(const char* function, const std::string& name) {
    const nb::object names = nb::module_::import_("isogon._names");
    const std::string shown = printable(name);  // as a file may have named it, in whatever bytes
    return nb::cast<std::string>(names.attr(function)(shown));
}

/// Sets a ValueError whose attributes are what the library's exception holds, in text that a terminal may show.
void set_value_error(const std::string& message, const std::vector<std::pair<const char*, std::string>>& held) {
    const nb::object error = nb::handle(PyExc_ValueError)(printable(message));
    for (const auto& [attribute, text] : held) {
        nb::setattr(error, attribute, nb::cast(printable(text)));
    }
    PyErr_SetObject(PyExc_ValueError, error.ptr());
}

void set_invalid_argument(const InvalidArgument& error) {
    const std::string option = python_name("word_for", error.field());
    const std::string requirement = in_python(error.requirement());
    set_value_error(option + " = " + error.value() + ": " + requirement,
                    {{"option", option}, {"value", error.value()}, {"requirement", requirement}});
}

void set_input_error(const InputError& error) {
    const std::string source = python_name("argument_of", error.source());
    const std::string reason = in_python(error.reason());
    set_value_error(InputError(source, error.place(), reason).what(),
                    {{"source", source}, {"place", error.place()}, {"reason", reason}});
}

/// The library's exceptions as Python's own.
void translate(const std::exception_ptr& failure, void* /*unused*/) {
    try {
        std::rethrow_exception(failure);
    } catch (const InvalidArgument& error) {
        set_invalid_argument(error);
    } catch (const InputError& error) {
        set_input_error(error);
    } catch (const LimitExceeded& error) {
        PyErr_SetString(PyExc_MemoryError, printable(in_python(error.text())).c_str());
    } catch (const OutputError& error) {
        PyErr_SetString(PyExc_OSError, printable(error.what()).c_str());
    } catch (const Error& error) {
        PyErr_SetString(PyExc_RuntimeError, printable(in_python(error.text())).c_str());
    } catch (const Interruption& interruption) {
        const bool late = interruption.reason == Termination::TimeLimit;
        PyErr_SetString(late ? PyExc_TimeoutError : PyExc_RuntimeError,
                        late ? "time_limit: over before there was a result" : "stopped before there was a result");
    }
}

}  // namespace

std::string in_python(const Text& text) {
    return text.in([](const std::string& option) { return python_name("word_for", option); });
}

void add_core(nb::module_& m) {
    m.def("usable_processors", &usable_processors);
    m.def("did_you_mean", &did_you_mean, nb::arg("word"), nb::arg("known"));
    nb::register_exception_translator(translate);
    nb::class_<RunSettings>(m, "Run", "How to run: threads, limits and the callback.")
        .def(
            "__init__",
            [](RunSettings* self, int threads, std::optional<std::uint64_t> memory_limit,
               std::optional<double> time_limit, nb::object callback) {
                new (self) RunSettings{threads, memory_limit, time_limit, std::move(callback)};
            },
            nb::arg("threads") = 0, nb::arg("memory_limit") = nb::none(), nb::arg("time_limit") = nb::none(),
            nb::arg("callback") = nb::none());
}

}  // namespace isogon::python
