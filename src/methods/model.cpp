#include "isogon/methods/model.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "isogon/core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/core/trace.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/matching/placement.hpp"
#include "methods/frozen_map.hpp"
#include "methods/joint_extension.hpp"
#include "methods/linear_projection.hpp"
#include "methods/nmf.hpp"

namespace isogon {

namespace {

constexpr const char* map_note = "map";
constexpr const char* linear_map = "linear";
constexpr const char* nonnegative_map = "nonnegative";
constexpr const char* placement = "placement";
constexpr const char* mixture = "mixture";
constexpr const char* frozen = "frozen";

ArchiveSchema linear_schema() {
    using Scalar = ArchiveArray::Scalar;
    constexpr double largest = 1.001;  // of an entry of orthonormal directions, to rounding
    // The longest of the fitted points was no longer in their unit, nor is their mean.
    constexpr double longest = 1.001 * PowerOfTwoScaling::longest;
    return ArchiveSchema(ArchiveKind::Model)
        .size("d", {1, "D"})
        .add({.name = "directions", .scalar = Scalar::Float64, .shape = {"D", "d"}, .values = {{-largest, largest}}})
        .add({.name = "center", .scalar = Scalar::Float64, .shape = {"D"}, .values = {{-longest, longest}}})
        .add({.name = "centered", .scalar = Scalar::Uint64, .values = {{0, 1}}})
        .add({.name = "unit",
              .scalar = Scalar::Float64,
              .values = {{0x1p-149, 0x1p127, ArchiveRange::Form::PowerOfTwo}}});
}

TruncatedSvd decomposition_in(const Archive& archive) {
    const auto sizes = linear_schema().require(archive);
    const auto& values = archive.numbers<double>("directions", {sizes.at("D"), sizes.at("d")});
    TruncatedSvd svd;
    svd.directions = DenseMatrix(sizes.at("D"), sizes.at("d"));
    for (std::size_t i = 0; i < svd.directions.rows; ++i) {
        for (std::size_t a = 0; a < svd.directions.columns; ++a) {
            svd.directions(i, a) = values[i * svd.directions.columns + a];
        }
    }
    if (archive.count("centered") != 0) {
        svd.center = archive.numbers<double>("center", {sizes.at("D")});
    }
    return svd;
}

ArchiveSchema placement_schema() {
    return ArchiveSchema(ArchiveKind::Model)
        .add({.name = "inputs", .shape = {"n", "D"}})
        .add({.name = "coordinates", .shape = {"n", "d"}})
        .add({.name = "threshold",
              .scalar = ArchiveArray::Scalar::Float64,
              .values = {{0, 1, ArchiveRange::Form::Open}}});
}

Placement placement_in(const Archive& archive, const RunContext& context) {
    placement_schema().require(archive);
    try {
        return {points_view(archive, "inputs"),
                points_view(archive, "coordinates"),
                archive.number("threshold"),
                {},
                context};
    } catch (const InputError& error) {  // no point with a direction
        throw InputError(archive.source, "", error.what());
    }
}

/// Far from the fitted points coordinates may exceed float32.
void require_in_float(const Points& coordinates) {
    for (Index i = 0; i < coordinates.count(); ++i) {
        const auto row = coordinates[i];
        if (!std::all_of(row.begin(), row.end(), [](float value) { return std::isfinite(value); })) {
            throw InputError("input", "row " + std::to_string(i),
                             "its coordinates are beyond the largest number of float32");
        }
    }
}

}  // namespace

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
    if (FrozenMap::serves(method)) {
        archive.notes.emplace(map_note, frozen);
        FrozenMap::write(x, fitted.coordinates.view(), archive);
        if (store == Store::All) {
            add_trace("trace", fitted.summary.trace, archive);
        }
        return archive;
    }
    if (fitted.barycentric_map) {
        archive.notes.emplace(map_note, mixture);
        LandmarkMixture::write(x, *fitted.barycentric_map, archive);
        if (store == Store::All) {
            add_trace("trace", fitted.summary.trace, archive);
        }
        return archive;
    }
    if (!fitted.linear_map.empty()) {
        archive.notes.emplace(map_note, linear_map);
        archive.arrays = fitted.linear_map;
    } else if (!fitted.nonnegative_map.empty()) {
        archive.notes.emplace(map_note, nonnegative_map);
        archive.arrays = fitted.nonnegative_map;
    } else {
        archive.notes.emplace(map_note, placement);
        archive.add_number("threshold", fitted.summary.value("threshold"));
    }
    if (archive.note(map_note) == placement || store == Store::All) {
        archive.add("inputs", x);
        archive.add("coordinates", fitted.coordinates.view());
    }
    if (store == Store::All) {
        add_trace("trace", fitted.summary.trace, archive);
    }
    return archive;
}

/// Exactly one of the maps.
struct Transformer::Kept {
    Archive archive;
    std::optional<TruncatedSvd> svd{};
    double unit = 1.0;
    std::optional<NonnegativeProjection> nonnegative{};
    std::optional<Placement> placed{};
    std::optional<LandmarkMixture> mixed{};
    std::optional<FrozenMap> frozen_map{};
    std::optional<LandmarkWeightOptions> weights{};  ///< instead of placement
};

Transformer::Transformer(Archive model, const RunContext& context)
    : kept_(std::make_unique<Kept>(Kept{.archive = std::move(model)})) {
    const Archive& archive = kept_->archive;
    ArchiveSchema(ArchiveKind::Model)
        .note(map_note, {linear_map, nonnegative_map, placement, mixture, frozen})
        .require(archive);
    const std::string& map = archive.note(map_note);
    if (map == linear_map) {
        kept_->svd = decomposition_in(archive);
        kept_->unit = archive.number("unit");
    } else if (map == nonnegative_map) {
        kept_->nonnegative.emplace(archive);
    } else if (map == placement) {
        kept_->placed.emplace(placement_in(archive, context));
    } else if (map == mixture) {
        kept_->mixed.emplace(archive);
    } else {
        kept_->frozen_map.emplace(archive);
    }
}

Transformer::~Transformer() = default;
Transformer::Transformer(Transformer&&) noexcept = default;
Transformer& Transformer::operator=(Transformer&&) noexcept = default;

const Archive& Transformer::model() const {
    return kept_->archive;
}

Index Transformer::input_dimension() const {
    if (kept_->frozen_map) {
        return kept_->frozen_map->input_dimension();
    }
    if (kept_->mixed) {
        return kept_->mixed->input_dimension();
    }
    if (kept_->nonnegative) {
        return kept_->nonnegative->input_dimension();
    }
    return kept_->placed ? kept_->placed->input_dimension() : static_cast<Index>(kept_->svd->directions.rows);
}

Index Transformer::output_dimension() const {
    if (kept_->frozen_map) {
        return kept_->frozen_map->output_dimension();
    }
    if (kept_->mixed) {
        return kept_->mixed->output_dimension();
    }
    if (kept_->nonnegative) {
        return kept_->nonnegative->output_dimension();
    }
    return kept_->placed ? kept_->placed->output_dimension() : static_cast<Index>(kept_->svd->directions.columns);
}

bool Transformer::linear() const {
    return kept_->svd.has_value();
}

bool Transformer::has_map() const {
    return linear() || kept_->nonnegative.has_value() || kept_->mixed.has_value() || kept_->frozen_map.has_value();
}

void Transformer::require_dimension(const PointsView& rows) const {
    if (rows.dimension != input_dimension()) {
        throw InvalidArgument("input dimension", std::to_string(rows.dimension),
                              "must be " + std::to_string(input_dimension()) + ", that of the fitted points");
    }
}

void Transformer::require_landmarks(std::string_view way) const {
    if (kept_->frozen_map) {
        throw InvalidArgument("model", kept_->archive.method,
                              "places new points in its map by forces already; " + std::string(way) +
                                  " is for models of tsm and faithful; use transform as it is");
    }
    if (kept_->mixed) {
        throw InvalidArgument("model", kept_->archive.method,
                              "places new points as mixtures of fitted ones already; " + std::string(way) +
                                  " is for models of tsm and faithful; use transform as it is");
    }
    if (has_map()) {
        throw InvalidArgument("model", kept_->archive.method,
                              "is a " + std::string(linear() ? "linear" : nonnegative_map) +
                                  " map, which places every row exactly as it placed the fitted ones; " +
                                  std::string(way) + " is for models of tsm and faithful; use transform as it is");
    }
}

Transformed Transformer::transform(const PointsView& rows, const RunContext& context) const {
    require_dimension(rows);
    Transformed result;
    Summary& summary = result.summary;
    summary.threads = context.thread_count();
    const PhaseTimer timer(summary, "transform");
    try {
        if (kept_->svd) {
            require_finite(rows, "input");
            throw_if_cancelled(context);
            result.coordinates = project_in_unit(rows, *kept_->svd, kept_->unit, context);
        } else if (kept_->mixed) {
            result.coordinates = kept_->mixed->transform(rows, context);
        } else if (kept_->frozen_map) {
            result.coordinates = kept_->frozen_map->transform(rows, context);
        } else if (kept_->nonnegative) {
            auto projected = kept_->nonnegative->project(rows, context);
            result.coordinates = std::move(projected.coordinates);
            summary.count("unsettled", projected.unsettled);
        } else if (kept_->weights) {
            result.coordinates =
                mix_landmark_outputs(rows, points_view(kept_->archive, "inputs"),
                                     points_view(kept_->archive, "coordinates"), *kept_->weights, context);
        } else {
            Placed placed = kept_->placed->place(rows, context);
            result.coordinates = std::move(placed.outputs);
            summary.count("fitted_rows", placed.counts.fitted);
            summary.count("zero_vectors", placed.counts.zero_vectors);
            summary.count("isolated", placed.counts.isolated);
            summary.count("unsettled", placed.counts.unsettled);
        }
        require_in_float(result.coordinates);
        summary.message = std::to_string(rows.count) + " points, each on its own";
    } catch (const Interruption& interruption) {
        result.coordinates = Points();
        summary.termination = interruption.reason;
        summary.message = "ended before all points had coordinates";
    }
    return result;
}

void Transformer::use_weights(const LandmarkWeightOptions& options) {
    require_landmarks("mixing by weights");
    landmark_weight_option_table().validate(options);
    kept_->weights = options;
}

Extended Transformer::extend(const PointsView& rows, const LocallyLinearOptions& options, const RunContext& context,
                             const NeighborLists* lists) const {
    require_landmarks("joint extension");
    require_dimension(rows);
    return extend_jointly(rows, points_view(kept_->archive, "inputs"), points_view(kept_->archive, "coordinates"),
                          options, context, lists);
}

Index Transformer::fitted_count() const {
    return has_map() && !kept_->mixed && !kept_->frozen_map ? 0 : points_view(kept_->archive, "coordinates").count;
}

}  // namespace isogon
