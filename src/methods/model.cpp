#include "isogon/methods/model.hpp"

#include <utility>

#include "isogon/core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "methods/model_maps.hpp"

namespace isogon {

void require_transform(std::string_view method, const OptionValues& options) {
    const auto found = options.find("output-for");
    if (method == "faithful" && found != options.end() && to_text(found->second) == "inner-product") {
        throw InvalidArgument("output-for", "inner-product",
                              "has no transform, so there is no model to keep; use cosine");
    }
    const auto metric = options.find("metric");
    if (metric != options.end() && to_text(metric->second) == "precomputed") {
        throw InvalidArgument("metric", "precomputed",
                              "has no transform, so there is no model to keep: new points are placed by the fitted "
                              "points, which are not known");
    }
}

Archive make_model(std::string_view method, const PointsView& x, const Embedding& fitted, Store store) {
    require_transform(method, fitted.options);
    if (x.dimension == 0) {
        throw InvalidArgument("input", "a graph of neighbours",
                              "leaves no model: new points are placed by the fitted points, which are not known");
    }
    Archive archive{.kind = ArchiveKind::Model, .method = std::string(method), .options = fitted.options};
    write_map(method, x, fitted, archive);
    if (store == Store::All) {
        if (!archive.has("inputs")) {  // those of the fit, or of its landmarks, are there where the map needs them
            archive.add("inputs", x);
            archive.add("coordinates", fitted.coordinates.view());
        }
        add_trace("trace", fitted.summary.trace, archive);
    }
    return archive;
}

Transformer::Transformer(Archive model, const RunContext& context)
    : archive_(std::make_unique<const Archive>(std::move(model))), map_(read_map(*archive_, context)) {}

void Transformer::require_landmarks(std::string_view way) const {
    if (has_map()) {
        throw InvalidArgument("model", archive_->method,
                              std::string(map_->only_way()) + "; " + std::string(way) +
                                  " is for models of tsm and faithful; use transform as it is");
    }
}

void Transformer::use_weights(const LandmarkWeightOptions& options) {
    require_landmarks("mixing by weights");
    map_ = std::make_unique<LandmarkWeights>(points_view(*archive_, "inputs"), points_view(*archive_, "coordinates"),
                                             options);
}

Extended Transformer::extend(const PointsView& rows, const LocallyLinearOptions& options, const RunContext& context,
                             const NeighborLists* lists) const {
    require_landmarks("joint extension");
    map_->require_dimension(rows);
    return extend_jointly(rows, points_view(*archive_, "inputs"), points_view(*archive_, "coordinates"), options,
                          context, lists);
}

}  // namespace isogon
