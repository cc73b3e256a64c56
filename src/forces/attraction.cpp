#include <algorithm>

#include "core/elementary.hpp"
#include "core/parallel.hpp"
#include "forces/force_layout.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/attraction.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>
// After foreach_target, as it is compiled as often.
#include "core/lane_sums.hpp"

HWY_BEFORE_NAMESPACE();
namespace isogon::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t edges_at_once = 8;
using Doubles = hn::CappedTag<double, edges_at_once>;
using Sums = LaneSums<double, edges_at_once>;

/// Of two numbers a point, by the Cauchy kernel: w / (1 + |y_i - y_j|^2) (y_i - y_j), summed over the edges of each
/// row, its edge e in lane e modulo 8: the outputs of eight others are fetched at a time, which are all over memory.
/// Products and sums are rounded each by itself: a fused one is slow where the processor has none.
void pull_rows_in_plane(const CsrMatrix<float>& edges, const double* HWY_RESTRICT y, Range rows,
                        double* HWY_RESTRICT pulls) {
    const Doubles tag;
    const hn::Rebind<std::int64_t, Doubles> places;
    const hn::Rebind<std::uint64_t, Doubles> wide_numbers;
    const hn::Rebind<std::uint32_t, Doubles> numbers;
    const hn::Rebind<float, Doubles> weights;
    const auto one = hn::Set(tag, 1.0);
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const auto own_x = hn::Set(tag, y[2 * i]);
        const auto own_y = hn::Set(tag, y[2 * i + 1]);
        const Offset end = edges.offsets[i + 1];
        Sums pull_x;
        Sums pull_y;
        for (Offset e = edges.offsets[i]; e < end; e += edges_at_once) {
#pragma GCC unroll 8
            for (std::size_t lane = 0; lane < edges_at_once; lane += hn::MaxLanes(tag)) {
                // Beyond the end the other is point 0, and its weight 0.
                const auto others = load_until(numbers, edges.indices.data(), e + lane, end);
                const auto force = load_until(weights, edges.values.data(), e + lane, end);
                const auto place = hn::ShiftLeft<1>(hn::BitCast(places, hn::PromoteTo(wide_numbers, others)));
                const auto apart_x = hn::Sub(own_x, hn::GatherIndex(tag, y, place));
                const auto apart_y = hn::Sub(own_y, hn::GatherIndex(tag, y + 1, place));
                const auto squared = hn::Add(hn::Mul(apart_x, apart_x), hn::Mul(apart_y, apart_y));
                const auto share = hn::Div(hn::PromoteTo(tag, force), hn::Add(one, squared));
                pull_x.part(lane) = hn::Add(pull_x.part(lane), hn::Mul(share, apart_x));
                pull_y.part(lane) = hn::Add(pull_y.part(lane), hn::Mul(share, apart_y));
            }
        }
        pulls[2 * i] = pull_x.total();
        pulls[2 * i + 1] = pull_y.total();
    }
}

}  // namespace isogon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isogon {

HWY_EXPORT(pull_rows_in_plane);

namespace {

constexpr std::size_t edge_rows_of_task = 256;

/// Of any number of numbers, by any kernel.
void pull_rows(const CsrMatrix<float>& edges, const OutputKernel& kernel, const MultiVector<double>& y, Range rows,
               MultiVector<double>& pulls) {
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
        const double* own = y.row(i);
        double* pull = pulls.row(i);
        std::fill_n(pull, y.columns(), 0.0);
        for (Offset e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
            const double* other = y.row(edges.indices[e]);
            const double force = double{edges.values[e]} * kernel.pull(squared_distance(own, other, y.columns()));
            for (Index c = 0; c < y.columns(); ++c) {
                pull[c] += force * (own[c] - other[c]);
            }
        }
    }
}

}  // namespace

void attract(const CsrMatrix<float>& edges, const OutputKernel& kernel, const MultiVector<double>& y,
             MultiVector<double>& pulls, const RunContext& context) {
    parallel_blocks(context, edges.rows, edge_rows_of_task, [&](Range rows) {
        if (y.columns() == 2 && kernel.is_cauchy()) {
            HWY_DYNAMIC_DISPATCH(pull_rows_in_plane)(edges, y.values().data(), rows, pulls.values().data());
        } else {
            pull_rows(edges, kernel, y, rows, pulls);
        }
    });
}

double attraction_cost(const CsrMatrix<float>& edges, const OutputKernel& kernel, const MultiVector<double>& y,
                       const RunContext& context) {
    return parallel_sum(context, edges.rows, edge_rows_of_task, [&](Range rows) {
        double sum = 0.0;
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (Offset e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
                sum += double{edges.values[e]} *
                       kernel.cost(squared_distance(y.row(i), y.row(edges.indices[e]), y.columns()));
            }
        }
        return sum;
    });
}

double negative_entropy(const CsrMatrix<float>& edges, const RunContext& context) {
    return parallel_sum(context, edges.values.size(), edge_rows_of_task * edge_rows_of_task, [&](Range entries) {
        double sum = 0.0;
        for (std::size_t e = entries.begin; e < entries.end; ++e) {
            const auto weight = double{edges.values[e]};
            sum += weight > 0.0 ? weight * elementary::log(weight) : 0.0;
        }
        return sum;
    });
}

}  // namespace isogon
#endif
