#pragma once
#include <nanobind/nanobind.h>

namespace isogon::python {

/// Each file of this folder adds its part to the module.
void add_analogies(nanobind::module_& m);
void add_codes(nanobind::module_& m);
void add_core(nanobind::module_& m);
void add_decomposition(nanobind::module_& m);
void add_engines(nanobind::module_& m);
void add_methods(nanobind::module_& m);
void add_model(nanobind::module_& m);
void add_neighbors(nanobind::module_& m);
void add_pairs(nanobind::module_& m);
void add_program(nanobind::module_& m);
void add_quality(nanobind::module_& m);
void add_report(nanobind::module_& m);
void add_synthetic(nanobind::module_& m);

}  // namespace isogon::python
