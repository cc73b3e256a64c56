#include "isogon/registry/registry.hpp"

#include <algorithm>

#include "isogon/core/error.hpp"
#include "isogon/faithful/faithful.hpp"
#include "methods/fitting_defaults.hpp"
#include "methods/forces.hpp"
#include "methods/linear.hpp"
#include "methods/semidefinite.hpp"
#include "methods/spectral.hpp"
#include "methods/tsm.hpp"
#include "registry/input_rules.hpp"

namespace isogon {

const std::vector<Method>& methods() {
    static const std::vector<Method> list = [] {
        std::vector<Method> all{
            faithful_method(), tsm_method(),  svd_method(),        pca_method(),  mds_method(),  kpca_method(),
            isomap_method(),   lle_method(),  laplacian_method(),  sde_method(),  lsde_method(), nmf_method(),
            tsne_method(),     umap_method(), pca_forces_method(), pca2_method(), lle2_method()};
        // Rules of input know how many neighbours and numbers are asked for.
        std::ranges::transform(all, all.begin(), [](const Method& method) {
            return with_sparse_rows(with_fitting_defaults(with_input_rules(method)));
        });
        return all;
    }();
    return list;
}

const Method& find_method(std::string_view name) {
    const auto& list = methods();
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Method& method) { return method.name == name; });
    if (found != list.end()) {
        return *found;
    }
    std::vector<std::string> known;
    std::string names;
    for (const auto& method : list) {
        known.push_back(method.name);
        names += (names.empty() ? "" : ", ") + method.name;
    }
    throw InvalidArgument("method", std::string(name), "must be one of " + names + did_you_mean(name, known));
}

}  // namespace isogon
