#include "methods/spectral/kernel_family.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

SpectralProblem problem_of(std::unique_ptr<const SpectralMatrix> a) {
    SpectralProblem problem{.end = SpectrumEnd::Largest, .scale = CoordinateScale::RootOfValue};
    problem.a = std::move(a);
    return problem;
}

}  // namespace

SpectralProblem KernelFamily::whole(Summary& summary, const RunContext& context) {
    if (auto matrix = factored(summary, context)) {
        held_ = factored_bytes();
        return problem_of(std::move(matrix));
    }
    prepare(summary, context);
    const PhaseTimer timer(summary, "kernel");
    held_ = reduced_ ? 0 : KernelMatrix::bytes(size());
    const KernelRows all = [this](Index first, std::span<double> values, const RunContext& running) {
        std::vector<Index> sources(values.size() / size());
        std::iota(sources.begin(), sources.end(), first);
        rows(sources, values, running);
    };
    return problem_of(reduced_ ? reducible_kernel(size(), all) : centred_kernel(size(), all, context));
}

template <class Visit>
void KernelFamily::for_each_block(const std::vector<Index>& sources, const RunContext& context,
                                  const Visit& visit) const {
    constexpr std::size_t numbers = 1 << 22;
    const std::size_t block = std::clamp<std::size_t>(numbers / size(), 1, sources.size());
    const std::uint64_t bytes = std::uint64_t{block} * size() * sizeof(double);
    require_memory(context, {{"rows of the kernel", bytes}}, "raise the limit or take fewer points");
    const RunContext rest = beside(context, bytes);
    std::vector<double> values(block * size());
    for (std::size_t first = 0; first < sources.size(); first += block) {
        throw_if_cancelled(context);
        const std::span<const Index> part(sources.data() + first, std::min(block, sources.size() - first));
        rows(part, std::span(values).first(part.size() * size()), rest);
        visit(first, part.size(), values);
    }
}

SpectralProblem KernelFamily::among(const std::vector<Index>& landmarks, Summary& summary, const RunContext& context) {
    prepare(summary, context);
    const PhaseTimer timer(summary, "kernel");
    const std::size_t count = landmarks.size();
    const std::uint64_t square = count * count * sizeof(double);
    held_ = square + KernelMatrix::bytes(static_cast<Index>(count));
    require_memory(context, {{"the kernel among landmarks", held_}}, "raise the limit or take fewer landmarks");
    among_ = DenseMatrix(count, count);
    const RunContext rest = beside(context, square);
    for_each_block(landmarks, rest, [&](std::size_t first, std::size_t rows, const std::vector<double>& values) {
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t j = 0; j < count; ++j) {
                among_(first + r, j) = values[r * size() + landmarks[j]];
            }
        }
    });
    const KernelRows picked = [this, count](Index first, std::span<double> values, const RunContext& /*context*/) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            values[k] = among_(first + k / count, k % count);
        }
    };
    return problem_of(centred_kernel(static_cast<Index>(count), picked, rest));
}

MultiVector<double> KernelFamily::nystrom(const std::vector<Index>& landmarks, const SpectralSolution& solution,
                                          Summary& summary, const RunContext& context) {
    const PhaseTimer timer(summary, "nystrom");
    MultiVector<double> weights = solution.landmarks;  // x_l / lambda
    for (std::size_t l = 0; l < weights.rows(); ++l) {
        for (std::size_t j = 0; j < weights.columns(); ++j) {
            const double value = solution.eigenvalues[j];
            weights.at(l, j) *= value > 0.0 ? 1.0 / value : 0.0;
        }
    }
    MultiVector<double> result(size(), weights.columns());
    for_each_block(landmarks, context, [&](std::size_t first, std::size_t rows, const std::vector<double>& values) {
        constexpr std::size_t points_in_block = 256;
        parallel_blocks(context, size(), points_in_block, [&](Range points) {
            for (std::size_t r = 0; r < rows; ++r) {
                const std::size_t l = first + r;
                const double* row = values.data() + r * size();
                double mean = 0.0;
                for (std::size_t j = 0; j < among_.rows; ++j) {
                    mean += among_(l, j);
                }
                mean /= static_cast<double>(among_.rows);
                for (std::size_t i = points.begin; i < points.end; ++i) {
                    for (std::size_t j = 0; j < weights.columns(); ++j) {
                        result.at(i, j) += (row[i] - mean) * weights.at(l, j);
                    }
                }
            }
        });
    });
    for (std::size_t l = 0; l < landmarks.size(); ++l) {
        std::copy_n(solution.landmarks.row(l), result.columns(), result.row(landmarks[l]));
    }
    return result;
}

void TableFamily::rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const {
    const std::size_t size = table_.count;
    parallel_blocks(context, sources.size(), 1, [&](Range range) {
        for (std::size_t s = range.begin; s < range.end; ++s) {
            const auto row = table_[sources[s]];
            std::transform(row.begin(), row.end(), values.begin() + static_cast<std::ptrdiff_t>(s * size),
                           [this](float value) { return entry_(value); });
        }
    });
}

void require_landmarks_of_table(const LandmarkOptions* landmarks, const std::string& what) {
    if (landmarks == nullptr) {
        return;
    }
    if (landmarks->extension != LandmarkExtension::Nystrom) {
        throw InvalidArgument("extension", "of points", "needs points; of precomputed " + what + " take nystrom");
    }
    if (landmarks->selection != LandmarkSelection::Random) {
        throw InvalidArgument("landmark-selection", "by points",
                              "needs points; of precomputed " + what + " take random");
    }
}

void PointKernelFamily::prepare(Summary& summary, const RunContext& context) {
    const PhaseTimer timer(summary, "kernel");
    choose_shape(summary);
    kernel_.emplace(x_, *shape_, context);
}

void PointKernelFamily::choose_shape(Summary& summary) {
    if (!shape_) {
        shape_ = choose_(summary);
    }
}

void PointKernelFamily::rows(std::span<const Index> sources, std::span<double> values,
                             const RunContext& context) const {
    kernel_->rows(sources, values, context);
}

std::unique_ptr<const SpectralMatrix> PointKernelFamily::factored(Summary& summary, const RunContext& context) {
    const PhaseTimer timer(summary, "kernel");
    choose_shape(summary);
    const bool linear = shape_->kind == KernelKind::Linear || shape_->kind == KernelKind::Cosine;
    return linear ? centred_gram(x_, shape_->kind == KernelKind::Cosine, context) : nullptr;
}

}  // namespace isogon
