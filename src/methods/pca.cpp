#include "isogon/methods/pca.hpp"

#include "methods/linear_projection.hpp"

namespace isogon {

const OptionTable<PcaOptions>& pca_option_table() {
    static const OptionTable<PcaOptions> table = OptionTable<PcaOptions>().integer(
        "dimension", &PcaOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more");
    return table;
}

Embedding pca(const PointsView& x, const PcaOptions& options, const RunContext& context) {
    pca_option_table().validate(options);
    Embedding result = linear_projection(x, options.dimension, true, context);
    result.options = pca_option_table().values(options);
    return result;
}

Method pca_method() {
    return {"pca", "principal components: directions of largest variance about the mean",
            "Pearson 1901; Hotelling 1933", pca_option_table().specs(),
            [](const PointsView& x, const OptionValues& values, const RunContext& context) {
                return pca(x, pca_option_table().make(values), context);
            }};
}

}  // namespace isogon
