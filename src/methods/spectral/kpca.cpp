#include "methods/spectral.hpp"

#include <algorithm>
#include <cmath>

#include "core/elementary.hpp"
#include "core/power_of_two_scaling.hpp"
#include "isogon/core/error.hpp"
#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/spectral/kernel_family.hpp"
#include "methods/spectral/spectral_family.hpp"
#include "methods/spectral/spectral_steps.hpp"
#include "spectral/dense_kernel.hpp"

namespace isogon {

namespace {

/// Coordinates reach the root of the largest value, and float32 must hold them.
void require_powers_in_float(const PointsView& x, const KernelShape& shape) {
    constexpr double most = 252.0;
    double largest = 0.0;
    for (const double length : norms(x)) {
        largest = std::max(largest, length * length);
    }
    const double exponent = shape.degree * elementary::log2(shape.scale * largest + 1.0);
    if (!(exponent <= most)) {
        throw InvalidArgument("degree", std::to_string(shape.degree),
                              "makes kernel values of up to 2^" + to_text(OptionValue{std::round(exponent)}) +
                                  " of these points; coordinates are their roots, which float32 holds up to 2^252: "
                                  "lower degree");
    }
}

/// Widths are given and reported in the unit of the input.
KernelShape shape_of(const PowerOfTwoScaling& input, const KpcaOptions& options, Summary& summary) {
    const PointsView x = input.points();
    const double unit = input.unit();
    KernelShape shape{.kind = options.kernel, .degree = options.degree};
    if (options.kernel == KernelKind::Gaussian) {
        shape.sigma = options.sigma ? *options.sigma / unit : mean_distance(x);
        summary.measure("sigma", options.sigma.value_or(shape.sigma * unit));
    } else if (options.kernel == KernelKind::Polynomial) {
        // The unit of length does not count, and products and the 1 beside them weigh about alike.
        shape.scale = 1.0 / mean_square(x);
        require_powers_in_float(x, shape);
        summary.measure("scale", shape.scale / (unit * unit));
    }
    return shape;
}

double rounding_of(const PointKernelFamily& family, KernelKind kernel, bool on_landmarks, const Summary& summary) {
    if (kernel != KernelKind::Linear && kernel != KernelKind::Cosine) {
        return rounding_of_values * family.largest_value();
    }
    return summary.value("eigenvalue_0") * (on_landmarks ? rounding_of_products : rounding_of_wide_products);
}

/// Coordinates and eigenvalues of values that were divided by `unit`.
void restore_values(double unit, Embedding& result) {
    const auto restore = [root = std::sqrt(unit)](Points& coordinates) {
        std::ranges::transform(coordinates.values(), coordinates.values().begin(),
                               [root](float value) { return static_cast<float>(double{value} * root); });
    };
    restore(result.coordinates);
    if (result.barycentric_map) {
        restore(result.barycentric_map->coordinates);
    }
    for (auto& [what, value] : result.summary.measures) {
        value *= what.starts_with("eigenvalue_") ? unit : 1.0;
    }
}

/// For a table of values k(x, y): coordinates have the unit of their roots.
Embedding components_of_table(const PointsView& table, const KpcaOptions& options, const RunContext& context,
                              const FitExtras& extras, const LandmarkOptions* landmarks) {
    require_landmarks_of_table(landmarks, "kernel values");
    require_kernel_table(table);
    require_points(table, options.dimension, MostNumbers::OfPoints);
    const PowerOfTwoScaling unit(table, context);
    TableFamily family(unit.points(), TableFamily::of_kernel, landmarks != nullptr);
    const SpectralRun run = spectral_run(unit.points(), options, landmarks, extras);
    Embedding result = embed_spectrally(family, run, beside(context, unit.bytes()));
    restore_values(unit.unit(), result);
    result.barycentric_map.reset();  // new points are not mixtures of rows of the table
    double largest = 0.0;
    for (Index i = 0; i < table.count; ++i) {
        largest = std::max(largest, double{table[i][i]});
    }
    warn_of_rounding(rounding_of_values * largest, result.summary);
    return result;
}

Embedding components_of_points(const PointsView& x, const KpcaOptions& options, const RunContext& context,
                               const FitExtras& extras, const LandmarkOptions* landmarks) {
    const bool of_products = options.kernel == KernelKind::Linear || options.kernel == KernelKind::Cosine;
    require_points(x, options.dimension, of_products ? MostNumbers::OfInputs : MostNumbers::OfPoints);
    const PowerOfTwoScaling unit(x, context);
    PointKernelFamily family(
        unit.points(), [&](Summary& summary) { return shape_of(unit, options, summary); }, landmarks != nullptr);
    SpectralRun run = spectral_run(unit.points(), options, landmarks, extras);
    run.measures_mixtures = options.kernel == KernelKind::Linear;
    Embedding result = embed_spectrally(family, run, beside(context, unit.bytes()));
    if (options.kernel == KernelKind::Linear) {
        restore_lengths(unit, result);
        warn_of_mixtures(x.count, landmarks, result.summary);
    }
    restore_values(family.unit(), result);
    warn_of_rounding(rounding_of(family, options.kernel, landmarks != nullptr, result.summary), result.summary);
    return result;
}

}  // namespace

const OptionTable<KpcaOptions>& kpca_option_table() {
    static const OptionTable<KpcaOptions> table = with_eigensolver_options(
        OptionTable<KpcaOptions>()
            .integer("dimension", &KpcaOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more")
            .choice(
                "kernel", &KpcaOptions::kernel,
                {{"gaussian", KernelKind::Gaussian},
                 {"linear", KernelKind::Linear},
                 {"cosine", KernelKind::Cosine},
                 {"polynomial", KernelKind::Polynomial},
                 {"precomputed", KernelKind::Precomputed}},
                "gaussian: exp(-(|x - y| / sigma)^2), near is alike; linear: x.y, which is pca; cosine: the same of "
                "directions; polynomial: (x.y / s + 1)^degree, s the mean of |x|^2; precomputed: the input is a square "
                "table of the kernel's values")
            .number("sigma", &KpcaOptions::sigma, {.minimum = 0.0, .open = true},
                    "width of the gaussian kernel; auto: the root of the mean squared distance of pairs")
            .only_with("kernel", {"gaussian"})
            .integer("degree", &KpcaOptions::degree, {.minimum = 1, .maximum = 100}, "of the polynomial kernel")
            .only_with("kernel", {"polynomial"}),
        "lambda x", " and of landmarks");
    return table;
}

Embedding kernel_principal_components(const PointsView& x, const KpcaOptions& options, const RunContext& context,
                                      const FitExtras& extras, const LandmarkOptions* landmarks) {
    kpca_option_table().validate(options);
    Embedding result = options.kernel == KernelKind::Precomputed
                           ? components_of_table(x, options, context, extras, landmarks)
                           : components_of_points(x, options, context, extras, landmarks);
    result.options = kpca_option_table().values(options);
    return result;
}

Method kpca_method() {
    return method_entry({.name = "kpca",
                         .title = "kernel principal components: directions of largest variance after a kernel's map",
                         .source = "Schoelkopf, Smola, Mueller, Neural Computation 1998"},
                        kpca_option_table(), kernel_principal_components);
}

}  // namespace isogon
