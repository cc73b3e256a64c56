#include "isogon/methods/svd.hpp"

#include "methods/linear_projection.hpp"

namespace isogon {

const OptionTable<SvdOptions>& svd_option_table() {
    static const OptionTable<SvdOptions> table = OptionTable<SvdOptions>().integer(
        "dimension", &SvdOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more");
    return table;
}

Embedding svd(const PointsView& x, const SvdOptions& options, const RunContext& context) {
    svd_option_table().validate(options);
    Embedding result = linear_projection(x, options.dimension, false, context);
    result.options = svd_option_table().values(options);
    return result;
}

Method svd_method() {
    return {"svd", "projections on the top singular directions, not centred",
            "Eckart and Young 1936; Saul 2022, eq. 10", svd_option_table().specs(),
            [](const PointsView& x, const OptionValues& values, const RunContext& context) {
                return svd(x, svd_option_table().make(values), context);
            }};
}

}  // namespace isogon
