#include "forces/sampled_layout.hpp"

#include <hwy/cache_control.h>

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/sampled_steps.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, SampledOthers::batch>;

/// Minus the gradient at eight others, in units of the difference: 2 k' / k for those that pull, -2 k' / (1 - k) for
/// those that push, of a kernel whose a s^b is `power`.
template <class Vector>
HWY_INLINE Vector forces(Vector squared, Vector power, Vector pulls, const OutputKernel& kernel) {
    const Floats tag;
    const auto softening = hn::Set(tag, static_cast<float>(OutputKernel::softening));
    const auto twice_b = hn::Set(tag, 2.0F * static_cast<float>(kernel.b));
    const auto is_pull = hn::Gt(pulls, hn::Zero(tag));
    const auto above = hn::IfThenElse(is_pull, hn::Neg(hn::Mul(twice_b, power)), twice_b);
    const auto base = hn::IfThenElse(is_pull, squared, hn::Add(squared, softening));
    return hn::Div(above, multiply_add(base, power, base));
}

/// sum of coefficients[k] x^k
template <class Vector, std::size_t count>
HWY_INLINE Vector polynomial(const float (&coefficients)[count], Vector x) {
    const Floats tag;
    Vector sum = hn::Set(tag, coefficients[count - 1]);
    for (std::size_t k = count - 1; k-- > 0;) {
        sum = multiply_add(sum, x, Vector{hn::Set(tag, coefficients[k])});
    }
    return sum;
}

// Logarithm and power of 2 to about 1e-7. Not Highway's, which have other bits where there is no fused multiply-add.

/// log2 x for positive normal x = 2^e m, with m around 1: log m = 2 artanh((m - 1) / (m + 1)), by the series of artanh.
template <class Vector>
HWY_INLINE Vector log2_of(Vector x) {
    const Floats tag;
    const hn::RebindToSigned<Floats> integers;
    constexpr std::int32_t root_of_half = 0x3F3504F3;  // its bits: m is between that and its double
    constexpr float series[] = {2.885390082F, 0.961796694F, 0.577078016F, 0.412198583F, 0.320598898F};  // 2 / (k ln 2)
    const auto bits = hn::BitCast(integers, x);
    const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(integers, root_of_half)));
    const Vector m = hn::BitCast(tag, hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
    const Vector one = hn::Set(tag, 1.0F);
    const Vector share = hn::Div(hn::Sub(m, one), hn::Add(m, one));
    return hn::Add(hn::ConvertTo(tag, exponent), hn::Mul(share, polynomial(series, hn::Mul(share, share))));
}

/// 2^x for x from -126 to 126: 2^n times the exponential series of what is left of x, half of 1 at most.
template <class Vector>
HWY_INLINE Vector power_of_2(Vector x) {
    const Floats tag;
    const hn::RebindToSigned<Floats> integers;
    constexpr std::int32_t bias = 127;
    constexpr float series[] = {1.0F,           0.693147181F,   0.240226507F,    0.0555041087F,
                                0.00961812911F, 0.00133335581F, 0.000154035304F, 0.0000152527338F};  // (ln 2)^k / k!
    const auto biased = hn::ConvertTo(integers, hn::Add(x, hn::Set(tag, bias + 0.5F)));
    const Vector rest = hn::Sub(x, hn::ConvertTo(tag, hn::Sub(biased, hn::Set(integers, bias))));
    return hn::Mul(hn::BitCast(tag, hn::ShiftLeft<23>(biased)), polynomial(series, rest));
}

/// a s^b, bounded by 1e30, so that later operations do not overflow.
template <class Vector>
HWY_INLINE Vector power_of(Vector squared, const OutputKernel& kernel) {
    const Floats tag;
    if (kernel.is_cauchy()) {
        return squared;
    }
    const Vector exponent = hn::Mul(hn::Set(tag, static_cast<float>(kernel.b)), log2_of(squared));
    const Vector bounded = hn::Max(hn::Min(exponent, hn::Set(tag, 126.0F)), hn::Set(tag, -126.0F));
    return hn::Min(hn::Mul(hn::Set(tag, static_cast<float>(kernel.a)), power_of_2(bounded)), hn::Set(tag, 1e30F));
}

void step_by(const OutputKernel& kernel, SampledOthers& others, float rate, std::size_t dimension,
             float* HWY_RESTRICT own) {
    constexpr std::size_t batch = SampledOthers::batch;
    const float* HWY_RESTRICT coordinates = others.coordinates.data();
    const float* HWY_RESTRICT units = others.units;
    float* HWY_RESTRICT steps = others.steps.data();
    const Floats tag;
    const auto largest = hn::Set(tag, 4.0F);
    alignas(64) float coefficients[batch];
    for (std::size_t l = 0; l < batch; l += hn::Lanes(tag)) {
        auto squared = hn::Set(tag, 1e-30F);  // has a finite logarithm, and is negligible
        for (std::size_t c = 0; c < dimension; ++c) {
            const auto difference = hn::Sub(hn::Set(tag, own[c]), hn::LoadU(tag, coordinates + c * batch + l));
            squared = multiply_add(difference, difference, squared);
        }
        const auto unit = hn::LoadU(tag, units + l);
        squared = hn::Max(hn::Div(squared, hn::Mul(unit, unit)), hn::Set(tag, 1e-30F));
        hn::Store(forces(squared, power_of(squared, kernel), hn::LoadU(tag, others.pulls + l), kernel), tag,
                  coefficients + l);
    }
    for (std::size_t c = 0; c < dimension; ++c) {
        LaneSums<float, batch> sums;
        sums.add([&](std::size_t l, auto sum) {
            const auto difference = hn::Sub(hn::Set(tag, own[c]), hn::LoadU(tag, coordinates + c * batch + l));
            const auto step = hn::Mul(hn::Load(tag, coefficients + l), difference);
            const auto most = hn::Mul(largest, hn::LoadU(tag, units + l));
            const auto bounded = hn::Max(hn::Min(step, most), hn::Neg(most));
            hn::StoreU(bounded, tag, steps + c * batch + l);
            return hn::Add(sum, bounded);
        });
        own[c] += rate * sums.total();
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(step_by);

namespace {

constexpr double one = 0x1p32;

/// Phases of edges that follow each other lie far apart, so that a point's samples spread over the epochs: multiples of
/// the golden section (Weyl, 1916), in units of 2^-32.
std::uint64_t phase_of(Offset edge) {
    constexpr std::uint64_t golden = 0x9E3779B9U;
    return (edge * golden) & 0xFFFFFFFFU;
}

}  // namespace

SampledSteps::SampledSteps(const OutputKernel& kernel, const PointsView& map, double heaviest, int negatives,
                           std::span<const float> radii)
    : kernel_(kernel),
      map_(map),
      shares_(heaviest > 0.0 ? one / heaviest : 0.0),
      negatives_(negatives),
      radii_(radii),
      others_{std::vector<float>(SampledOthers::batch * map.dimension),
              std::vector<float>(SampledOthers::batch * map.dimension)} {}

/// Without a branch for each edge: it could not be predicted.
void SampledSteps::find_sampled_edges(const SampledRow& row, int epoch) {
    sampled_edges_.resize(row.neighbors.size() + 1);
    std::size_t count = 0;
    for (std::size_t e = 0; e < row.neighbors.size(); ++e) {
        const auto share = static_cast<std::uint64_t>(row.weights[e] * shares_);
        const std::uint64_t place = static_cast<std::uint64_t>(epoch) * share + phase_of(row.first_edge + e);
        sampled_edges_[count] = e;
        count += ((place + share) >> 32U) != (place >> 32U) ? 1 : 0;
    }
    sampled_edges_.resize(count);
}

void SampledSteps::add(const SampledRow& row, const Sample& sample, float rate) {
    constexpr std::size_t batch = SampledOthers::batch;
    hwy::Prefetch(map_[sample.other].data());
    samples_[waiting_] = sample;
    if (++waiting_ == 2 * batch) {
        take(row, batch, rate);
    }
}

/// The first `count` of those that wait. Unused lanes are filled with the row's own coordinates, whose difference is
/// zero.
void SampledSteps::take(const SampledRow& row, std::size_t count, float rate) {
    constexpr std::size_t batch = SampledOthers::batch;
    for (std::size_t k = 0; k < batch; ++k) {
        const bool used = k < count;
        const float* place = used ? map_[samples_[k].other].data() : row.own;
        for (Index c = 0; c < map_.dimension; ++c) {
            others_.coordinates[c * batch + k] = place[c];
        }
        others_.pulls[k] = used && samples_[k].force != Force::Push ? 1.0F : 0.0F;
        others_.units[k] = used && !radii_.empty() ? std::max(radii_[row.self], radii_[samples_[k].other]) : 1.0F;
    }
    HWY_DYNAMIC_DISPATCH(step_by)(kernel_, others_, rate, map_.dimension, row.own);
    for (std::size_t k = 0; k < count; ++k) {
        if (samples_[k].force == Force::Pull && row.reactions != nullptr &&
            row.reactions->roles[samples_[k].other] == OutputRole::Free) {
            row.reactions->rows.push_back(samples_[k].other);
            for (Index c = 0; c < map_.dimension; ++c) {
                row.reactions->moves.push_back(-rate * others_.steps[c * batch + k]);
            }
        }
    }
    std::copy(samples_ + count, samples_ + waiting_, samples_);
    waiting_ -= count;
}

void SampledSteps::move(const SampledRow& row, int epoch, float rate, Random random) {
    const bool pulls_twice = row.reactions == nullptr || row.reactions->roles[row.self] == OutputRole::Hub;
    find_sampled_edges(row, epoch);
    for (const std::size_t edge : sampled_edges_) {
        add(row, {row.neighbors[edge], Force::Pull}, rate);
        for (int draw = 0; draw < negatives_; ++draw) {
            // Biased by 2^-32 n, negligible beside the noise of sampling.
            const auto drawn = static_cast<Index>((std::uint64_t{random.bits()} * map_.count) >> 32U);
            if (drawn != row.self) {
                add(row, {drawn, Force::Push}, rate);
            }
        }
        if (pulls_twice || row.reactions->roles[row.neighbors[edge]] == OutputRole::Fixed) {
            add(row, {row.neighbors[edge], Force::SecondPull}, rate);
        }
    }
    while (waiting_ > 0) {
        take(row, std::min(waiting_, SampledOthers::batch), rate);
    }
}

}  // namespace isogon
#endif
