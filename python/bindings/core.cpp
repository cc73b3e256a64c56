#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <string>

#include "bindings.hpp"
#include "isogon/core/error.hpp"
#include "core/processors.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

/// The library's exceptions as Python's own, in text that a terminal may show.
void translate(const std::exception_ptr& failure, void* /*unused*/) {
    try {
        std::rethrow_exception(failure);
    } catch (const InvalidArgument& error) {
        PyErr_SetString(PyExc_ValueError, printable(error.what()).c_str());
    } catch (const InputError& error) {
        PyErr_SetString(PyExc_ValueError, printable(error.what()).c_str());
    } catch (const LimitExceeded& error) {
        PyErr_SetString(PyExc_MemoryError, printable(error.what()).c_str());
    } catch (const OutputError& error) {
        PyErr_SetString(PyExc_OSError, printable(error.what()).c_str());
    } catch (const Error& error) {
        PyErr_SetString(PyExc_RuntimeError, printable(error.what()).c_str());
    } catch (const Interruption& interruption) {
        const bool late = interruption.reason == Termination::TimeLimit;
        PyErr_SetString(late ? PyExc_TimeoutError : PyExc_RuntimeError,
                        late ? "time_limit: over before there was a result" : "stopped before there was a result");
    }
}

}  // namespace

void add_core(nb::module_& m) {
    m.def("usable_processors", &usable_processors);
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
