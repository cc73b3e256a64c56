#include "bindings.hpp"

namespace nb = nanobind;

// The names in here are the package's own business; users see those of python/src/isogon/.
NB_MODULE(_core, m) {
    // Objects may live until the interpreter ends, in a notebook's cells for instance: that is no reason to print.
    nb::set_leak_warnings(false);
    m.doc() = "The C++ library as Python sees it; for the package's own use.";
    m.attr("__version__") = ISOGON_VERSION;
    isogon::python::add_codes(m);
    isogon::python::add_core(m);
    isogon::python::add_analogies(m);
    isogon::python::add_decomposition(m);
    isogon::python::add_engines(m);
    isogon::python::add_methods(m);
    isogon::python::add_model(m);
    isogon::python::add_pairs(m);
    isogon::python::add_neighbors(m);
    isogon::python::add_program(m);
    isogon::python::add_quality(m);
    isogon::python::add_report(m);
    isogon::python::add_synthetic(m);
}
