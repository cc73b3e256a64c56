#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <span>
#include <tuple>

#include "bindings.hpp"
#include "convert.hpp"
#include "decomposition/decompose.hpp"
#include "isogon/core/error.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

using FactorArray = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

MultiVector<double> block_of(const FactorArray& array) {
    MultiVector<double> block(static_cast<Index>(array.shape(0)), static_cast<Index>(array.shape(1)));
    std::copy_n(array.data(), array.size(), block.values().begin());
    return block;
}

nb::object to_table(MultiVector<double> block) {
    const std::vector<std::size_t> shape{block.rows(), block.columns()};
    return to_numpy(std::move(block.values()), shape);
}

nb::tuple decompose_rows(const CompressedRows& s, const std::optional<CompressedRows>& observed,
                         const std::optional<std::tuple<FactorArray, FactorArray>>& start, const nb::dict& values,
                         const RunSettings& settings) {
    const DecomposeOptions options = decompose_option_table().make(to_options(values));
    const CsrMatrix<double> matrix = to_matrix(s);
    std::optional<CsrMatrix<double>> known;
    if (observed) {
        known = to_matrix(*observed);
    }
    std::optional<ReluFactors> first;
    if (start) {
        first = ReluFactors{block_of(std::get<0>(*start)), block_of(std::get<1>(*start))};
    }
    Decomposition found;
    run_or_raise(settings, [&](const RunContext& context) {
        found = decompose(matrix, known ? &*known : nullptr, options, first ? &*first : nullptr, context);
        if (found.factors.left.rows() == 0) {
            throw Interruption{found.summary.termination};
        }
    });
    const nb::dict summary = to_python(found.summary);
    const std::size_t updates = found.output_residuals.size();
    nb::object outputs = to_numpy(std::move(found.output_residuals), {updates});
    return nb::make_tuple(to_table(std::move(found.factors.left)), to_table(std::move(found.factors.right)), outputs,
                          summary);
}

}  // namespace

void add_decomposition(nb::module_& m) {
    m.def("decompose_options", [] { return to_python(decompose_option_table().specs()); });
    m.def("decompose", &decompose_rows, nb::arg("s"), nb::arg("observed").none(), nb::arg("start").none(),
          nb::arg("options"), nb::arg("run"));
}

}  // namespace isogon::python
