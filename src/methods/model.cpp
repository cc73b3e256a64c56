#include "isogon/methods/model.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "core/archive_schema.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/error.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "methods/forces.hpp"
#include "methods/forces/layout_edges.hpp"
#include "transform/distance_placement.hpp"
#include "transform/frozen_map.hpp"
#include "transform/inverse_map.hpp"
#include "transform/landmark_mixtures.hpp"
#include "transform/locally_linear_extension.hpp"
#include "transform/placement.hpp"
#include "transform/projection_map.hpp"
#include "transform/query_map.hpp"

namespace isogon {

namespace {

constexpr const char* map_note = "map";
constexpr const char* metric_note = "metric";
// Kinds of maps, by the note of their models.
constexpr const char* linear_kind = "linear";
constexpr const char* nonnegative_kind = "nonnegative";
constexpr const char* placement_kind = "placement";
constexpr const char* local_kind = "local-placement";
constexpr const char* mixture_kind = "mixture";
constexpr const char* frozen_kind = "frozen";
constexpr const char* query_kind = "query-map";  // of no fit: make_query_map() leaves it
constexpr std::array kinds{linear_kind,  nonnegative_kind, placement_kind, local_kind,
                           mixture_kind, frozen_kind,      query_kind};
constexpr std::array frozen_methods{"tsne", "umap"};

bool is_frozen(std::string_view method) {
    return std::find(frozen_methods.begin(), frozen_methods.end(), method) != frozen_methods.end();
}

void write_fitted(const PointsView& x, const Embedding& fitted, Archive& model) {
    model.add("inputs", x);
    model.add("coordinates", fitted.coordinates.view());
}

std::unique_ptr<NewPointMap> read_placement(const Archive& model, const RunContext& context) {
    ArchiveSchema(ArchiveKind::Model)
        .add({.name = "inputs", .shape = {"n", "D"}})
        .add({.name = "coordinates", .shape = {"n", "d"}})
        .add({.name = "threshold",
              .scalar = ArchiveArray::Scalar::Float64,
              .values = {{0, 1, ArchiveRange::Form::Open}}})
        .require(model);
    try {
        return std::make_unique<Placement>(points_view(model, "inputs"), points_view(model, "coordinates"),
                                           model.number("threshold"), PlacementOptions{}, context);
    } catch (const InputError& error) {  // no point with a direction
        throw InputError(model.source, "", error.what());
    }
}

void write_local_placement(const PointsView& x, const Embedding& fitted, Archive& model) {
    const LocalPlacement& local = *fitted.local_placement;
    if (local.rows.empty()) {
        write_fitted(x, fitted, model);
    } else {
        model.add("inputs", read_rows(ViewRows(x), local.rows).view());
        model.add("coordinates", read_rows(ViewRows(fitted.coordinates.view()), local.rows).view());
    }
    model.notes.emplace(metric_note, name(local.metric));
    model.add_count("neighbors", local.neighbors);
    model.add_number("repulsion", local.repulsion);
    model.add("radii", local.radii);
    model.add_number("farthest", local.farthest);
}

LocalPlacement local_placement_in(const Archive& model) {
    using Scalar = ArchiveArray::Scalar;
    constexpr auto most = std::numeric_limits<double>::max();
    std::vector<std::string> metrics = metric_names();
    std::erase(metrics, name(Metric::InnerProduct));
    const auto sizes =
        ArchiveSchema(ArchiveKind::Model)
            .size("n", {2, std::numeric_limits<Index>::max()})
            .add({.name = "inputs", .shape = {"n", "D"}})
            .add({.name = "coordinates", .shape = {"n", "d"}})
            .add({.name = "neighbors", .scalar = Scalar::Uint64, .values = {{1, {"n", -1}, ArchiveRange::Form::Whole}}})
            .add({.name = "repulsion", .scalar = Scalar::Float64, .values = {{0, most, ArchiveRange::Form::Open}}})
            .add({.name = "radii", .shape = {"n"}, .values = {{0, most}}})
            .add({.name = "farthest", .scalar = Scalar::Float64, .values = {{0, most}}})
            .note(metric_note, std::move(metrics))
            .require(model);
    return {.metric = find_metric(model.note(metric_note)),
            .neighbors = static_cast<Index>(model.count("neighbors")),
            .repulsion = model.number("repulsion"),
            .radii = model.numbers<float>("radii", {sizes.at("n")}),
            .farthest = model.number("farthest")};
}

FittedPoints fitted_points(const Archive& model) {
    return {points_view(model, "inputs"), points_view(model, "coordinates")};
}

std::shared_ptr<const OutOfSampleIndexes> indexes_of(const Archive& model, const LocalPlacement& local,
                                                     const RunContext& context) {
    const auto [inputs, outputs] = fitted_points(model);
    return std::make_shared<const OutOfSampleIndexes>(OutOfSampleIndexes::are_in(model)
                                                          ? OutOfSampleIndexes(inputs, outputs, local, model, context)
                                                          : OutOfSampleIndexes(inputs, outputs, local, context));
}

std::unique_ptr<NewPointMap> read_local_placement(const Archive& model, const RunContext& context, Placing placing) {
    const LocalPlacement local = local_placement_in(model);
    const bool by_indexes =
        placing == Placing::Approximate || (placing == Placing::Auto && OutOfSampleIndexes::are_in(model));
    try {
        return std::make_unique<DistancePlacement>(points_view(model, "inputs"), points_view(model, "coordinates"),
                                                   local, by_indexes ? indexes_of(model, local, context) : nullptr,
                                                   context);
    } catch (const InputError& error) {  // inputs that the metric does not take
        throw InputError(model.source, "", error.what());
    }
}

FrozenDivergence frozen_forces(const TsneOptions& options, Index fitted) {
    const double perplexity = options.perplexity.value_or(1.0);
    return {perplexity, neighbors_of_perplexity(perplexity, fitted), options.metric};
}

FrozenSamples frozen_forces(const UmapOptions& options) {
    return {.sampling = {.kernel = umap_kernel(options),
                         .epochs = std::max(1, options.iterations / 3),  // umap-learn's third,
                         .negatives = options.negatives,
                         .learning_rate = options.learning_rate / 4.0,  // at a quarter of the rate
                         .seed = options.seed},
            .neighbors = options.neighbors,
            .metric = options.metric};
}

std::unique_ptr<NewPointMap> read_frozen_map(const Archive& model) {
    constexpr double most = SampledLayout::largest_start;
    ArchiveSchema(ArchiveKind::Model)
        .methods({frozen_methods.begin(), frozen_methods.end()})
        .size("n", {2, std::numeric_limits<Index>::max()})
        .add({.name = "inputs", .shape = {"n", "D"}})
        .add({.name = "coordinates", .shape = {"n", "d"}, .values = {{-most, most}}})
        .require(model);
    const auto [inputs, coordinates] = fitted_points(model);
    try {
        if (model.method == "tsne") {
            const auto forces = frozen_forces(tsne_option_table().make(model.options), inputs.count);
            return std::make_unique<FrozenMap>(inputs, coordinates, forces);
        }
        const auto forces = frozen_forces(umap_option_table().make(model.options));
        return std::make_unique<FrozenMap>(inputs, coordinates, forces);
    } catch (const InvalidArgument& error) {
        throw InputError(model.source, "options", error.what());
    }
}

/// Adds to a model what the map of new points of such a fit needs, and the note that names the kind of map.
void write_map(std::string_view method, const PointsView& x, const Embedding& fitted, Archive& model) {
    const char* kind = placement_kind;  // of fits that leave no map of their own
    if (!fitted.linear_map.empty()) {
        kind = linear_kind;
        model.arrays = fitted.linear_map;
    } else if (!fitted.nonnegative_map.empty()) {
        kind = nonnegative_kind;
        model.arrays = fitted.nonnegative_map;
    } else if (fitted.local_placement) {
        kind = local_kind;
        write_local_placement(x, fitted, model);
    } else if (fitted.barycentric_map) {
        kind = mixture_kind;
        BarycentricMixture::write(x, *fitted.barycentric_map, model);
    } else {
        if (is_frozen(method)) {
            kind = frozen_kind;
        } else {
            model.add_number("threshold", fitted.summary.value("threshold"));
        }
        write_fitted(x, fitted, model);
    }
    model.notes.emplace(map_note, kind);
}

/// Maps coordinates back to inputs. Every model keeps its map, or fitted inputs and their coordinates.
std::unique_ptr<NewPointMap> read_inverse(const std::string& kind, const Archive& model) {
    if (kind == linear_kind) {
        return LinearInverse::of_projection(model);
    }
    if (kind == nonnegative_kind) {
        return LinearInverse::of_parts(model);
    }
    ArchiveSchema(ArchiveKind::Model)
        .size("n", {1, std::numeric_limits<Index>::max()})
        .add({.name = "inputs", .shape = {"n", "D"}})
        .add({.name = "coordinates", .shape = {"n", "d"}})
        .require(model);
    return std::make_unique<InverseMixture>(points_view(model, "inputs"), points_view(model, "coordinates"));
}

void require_model_for(const std::string& kind, const Archive& model, Placing placing) {
    if (placing == Placing::Approximate && kind != local_kind) {
        throw InvalidArgument("search", "approximate", "is for models of faithful; leave it out");
    }
    if (placing == Placing::QueryMap && kind == local_kind) {
        throw InvalidArgument("model", model.method,
                              "places rows among the fitted points; a map for queries is for models of tsm: leave the "
                              "map out");
    }
    if (placing == Placing::QueryMap && kind == placement_kind && !QueryMap::is_in(model)) {
        throw InvalidArgument("model", model.method,
                              {"has no map for queries; fit again with ", Text::option("embed map"),
                               " relu, or leave the map out: rows are then placed among the fitted points"});
    }
}

/// Throws InvalidArgument for a map that is the only way of its model. `other`: which way is for which models.
void require_another_way(const NewPointMap& map, const Archive& model, std::string_view other) {
    if (!map.only_way().empty()) {
        throw InvalidArgument("model", model.method,
                              std::string(map.only_way()) + "; " + std::string(other) + "; use transform as it is");
    }
}

/// The model's map for queries, without a look at the fitted points.
std::unique_ptr<NewPointMap> read_query_map(const Archive& model) {
    const auto sizes = ArchiveSchema(ArchiveKind::Model)
                           .add({.name = "inputs", .shape = {"n", "D"}})
                           .add({.name = "coordinates", .shape = {"n", "d"}})
                           .require(model);
    auto map = std::make_unique<QueryMap>(model);
    if (map->input_dimension() != sizes.at("D") || map->output_dimension() != sizes.at("d")) {
        throw InputError(model.source, "map_directions and map_pieces",
                         "are of a map from " + std::to_string(map->input_dimension()) + " to " +
                             std::to_string(map->output_dimension()) + " numbers, but the fit is from " +
                             std::to_string(sizes.at("D")) + " to " + std::to_string(sizes.at("d")));
    }
    return map;
}

std::unique_ptr<NewPointMap> read_kind(const std::string& kind, const Archive& model, const RunContext& context,
                                       Placing placing) {
    if (kind == linear_kind) {
        return std::make_unique<ProjectionMap>(model);
    }
    if (kind == nonnegative_kind) {
        return std::make_unique<NonnegativeProjection>(model);
    }
    if (kind == placement_kind) {
        return read_placement(model, context);
    }
    if (kind == local_kind) {
        return read_local_placement(model, context, placing);
    }
    if (kind == mixture_kind) {
        return std::make_unique<BarycentricMixture>(model);
    }
    if (kind == frozen_kind) {
        return read_frozen_map(model);
    }
    return std::make_unique<QueryMap>(model);
}

/// The map that write_map() has written, or that for queries; borrows the model's arrays. Throws InputError for an
/// archive that is no model of a method with a transform, InvalidArgument for one that is not placed so, LimitExceeded.
std::unique_ptr<NewPointMap> read_map(const Archive& model, const RunContext& context, Placing placing) {
    ArchiveSchema(ArchiveKind::Model).require(model);
    const std::string& kind = model.note(map_note);
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
        throw InputError(model.source, "note map",
                         "is \"" + kind + "\", a kind of map that this version does not have: fit again");
    }
    require_model_for(kind, model, placing);
    if (placing == Placing::QueryMap && kind == placement_kind) {
        return read_query_map(model);
    }
    if (placing == Placing::Inverse) {
        return read_inverse(kind, model);
    }
    auto map = read_kind(kind, model, context, placing);
    if (placing == Placing::QueryMap && kind != query_kind) {
        require_another_way(*map, model, "a map for queries is for models of tsm");
    }
    return map;
}

}  // namespace

void require_transform(const OptionValues& options) {
    for (const char* name : {"metric", "kernel"}) {
        const auto given = options.find(name);
        if (given != options.end() && to_text(given->second) == "precomputed") {
            throw InvalidArgument(name, "precomputed",
                                  "has no transform, so there is no model to keep: new points are placed by the fitted "
                                  "points, which are not known");
        }
    }
}

Archive make_model(std::string_view method, const PointsView& x, const Embedding& fitted) {
    require_transform(fitted.options);
    if (x.dimension == 0 && fitted.linear_map.empty()) {
        throw InvalidArgument("input", "a graph of neighbours",
                              "leaves no model: new points are placed by the fitted points, which are not known");
    }
    Archive archive{.kind = ArchiveKind::Model, .method = std::string(method), .options = fitted.options};
    write_map(method, x, fitted, archive);
    return archive;
}

bool has_query_maps(std::string_view method) {
    return method == "tsm";
}

namespace {

Points stacked(const PointsView& first, const PointsView& second) {
    Points all(first.count + second.count, first.dimension);
    for (Index i = 0; i < all.count(); ++i) {
        const std::span<const float> row = i < first.count ? first[i] : second[i - first.count];
        std::copy(row.begin(), row.end(), all[i].begin());
    }
    return all;
}

}  // namespace

Archive make_query_map(const Archive& model, const QueryMapOptions& options, const RunContext& context,
                       const PointsView& queries) {
    if (!has_query_maps(model.method)) {
        throw InvalidArgument("method", model.method, "has no map for queries: that is for fits of tsm");
    }
    const auto [x, y] = fitted_points(model);
    Archive made{.kind = ArchiveKind::Model, .method = model.method, .options = model.options};
    made.notes.emplace(map_note, query_kind);
    if (queries.empty()) {
        made.arrays = fit_query_map(x, y, options, context);
        return made;
    }
    const Transformed transformed = read_map(model, context, Placing::Auto)->transform(queries, context);
    throw_if_cancelled(context);
    if (!transformed.summary.usable()) {
        throw InputError("queries", "", transformed.summary.message);
    }
    const Points& placed = transformed.coordinates;
    const std::uint64_t rows = std::uint64_t{x.count} + queries.count;
    require_memory(context, {{"fitted points and queries", rows * (x.dimension + y.dimension) * sizeof(float)}},
                   "raise the limit, or give fewer queries");
    made.arrays = fit_query_map(stacked(x, queries).view(), stacked(y, placed.view()).view(), options, context);
    return made;
}

void add_query_map(Archive& model, const Archive& map) {
    for (const auto& [name, array] : map.arrays) {
        model.arrays.insert_or_assign(name, array);
    }
}

void add_placement_indexes(Archive& model, const RunContext& context) {
    const auto map = model.notes.find(map_note);
    if (map == model.notes.end() || map->second != local_kind) {
        return;
    }
    const LocalPlacement local = local_placement_in(model);
    const PointsView inputs = points_view(model, "inputs");
    if (!is_of_products(local.metric) || inputs.count < OutOfSampleIndexes::worthwhile) {
        return;
    }
    try {
        OutOfSampleIndexes(inputs, points_view(model, "coordinates"), local, context).save(model);
    } catch (const Interruption&) {  // the model is whole without them
    } catch (const LimitExceeded&) {
    }
}

Transformer::Transformer(Archive model, const RunContext& context, Placing placing)
    : archive_(std::make_unique<const Archive>(std::move(model))), map_(read_map(*archive_, context, placing)) {}

std::unique_ptr<const NewPointMap> Transformer::inverse(const RunContext& context) const {
    return read_map(*archive_, context, Placing::Inverse);
}

void Transformer::use_weights(const LandmarkWeightOptions& options) {
    require_another_way(*map_, *archive_, "mixing by weights is for models of tsm and faithful");
    map_ = std::make_unique<LandmarkWeights>(fitted_points(*archive_), options);
}

Extended Transformer::extend(const PointsView& rows, const LocallyLinearOptions& options, const RunContext& context,
                             const NeighborLists* lists) const {
    require_another_way(*map_, *archive_, "joint extension is for models of tsm and faithful");
    map_->require_dimension(rows);
    return extend_jointly(rows, fitted_points(*archive_), options, context, lists);
}

}  // namespace isogon
