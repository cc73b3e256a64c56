// How long does one pass of the pair kernel take, and what share of the peak do its products and the whole reach?
#include <cstdio>
#include <map>

#include "../digits.hpp"
#include "../timing.hpp"
#include "core/random.hpp"
#include "linalg/truncated_svd.hpp"
#include "pairs/hinge_pass.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/quantized_points.hpp"
#include "pairs/similarities.hpp"
#include "pairs/threshold.hpp"

namespace {

using namespace isogon;
using namespace isogon::bench;

constexpr const char* help =
    "bench [--data DIR] [--points 10000,20000,40000,70000] [--dims 8,16,32,64,128] [--threads 1,2] [--repeat 3] "
    "[--noise 0.1, length of what turns the points off their targets]\n";

/// The first `count` points in d numbers, of unit length.
Points unit_points(const Points& coordinates, Index count, Index d) {
    Points points(count, d);
    for (Index i = 0; i < count; ++i) {
        std::copy_n(coordinates[i].begin(), d, points[i].begin());
    }
    set_unit_lengths(points);
    return points;
}

/// Points in the middle of a fit: near the targets, and with some pairs above tau that should not be.
Points turned_off(Points points, double noise) {
    const double share = noise / std::sqrt(static_cast<double>(points.dimension()));
    for (Index i = 0; i < points.count(); ++i) {
        Random random(0, RandomStream::Test, i);
        for (float& value : points[i]) {
            value += static_cast<float>(share * random.normal());
        }
    }
    set_unit_lengths(points);
    return points;
}

/// One size: S of the points themselves in d numbers, L of the points turned off.
class Workload {
public:
    Workload(const Points& unit, double noise, const RunContext& context)
        : count_(unit.count()),
          tau_(choose_threshold(unit.view(), {}, context).threshold),
          s_(thresholded_similarities(unit.view(), tau_, context)),
          pass_(s_.upper, 1.0),
          in_(count_, unit.dimension()),
          out_(count_, unit.dimension()),
          few_(count_, unit.dimension(), MarksExpected::Few),
          many_(count_, unit.dimension(), MarksExpected::Many),
          radii_(std::size_t{few_.panels()} * panel_width, static_cast<float>(0.5 * std::sqrt(2.0 - 2.0 * tau_))),
          skins_(radii_.size()) {
        const Points turned = turned_off(unit, noise);
        for (Index i = 0; i < count_; ++i) {
            std::copy(turned[i].begin(), turned[i].end(), in_.row(i));
        }
        std::vector<float> last(count_, static_cast<float>(std::sqrt(tau_)));
        for (Index p = 0; p < few_.panels(); ++p) {
            for (QuantizedPoints* points : {&few_, &many_}) {
                points->set_panel(p, in_.row(p * panel_width), in_.stride());
            }
        }
        l_.left = pack(turned.view(), {}, last, context);
        for (float& value : last) {
            value = -value;
        }
        l_.right = pack(turned.view(), {}, last, context);
    }

    void dense(const RunContext& context) const {
        for_each_pair_tile(l_.left, l_.right, context, [](PairTile&) {});
    }
    /// Marks in bytes, as scans do, the pairs that are nearer than half of what tau allows.
    void marks(MarksExpected expected, const RunContext& context) const {
        const QuantizedPoints& points = expected == MarksExpected::Few ? few_ : many_;
        const auto panel = [&](Index p) {
            return points.panel(p, {radii_.data() + p * panel_width, skins_.data() + p * panel_width});
        };
        for_each_block_pair_of({0, pair_blocks(count_).blocks}, count_, context, [&](std::span<const PanelPair> pairs) {
            TilePlaces places;
            for (const PanelPair& pair : pairs) {
                mark_within_reach(panel(pair.rows), panel(pair.columns), places);
            }
        });
    }
    void whole(const RunContext& context) { sums_ = pass_.apply(l_, in_, out_, nullptr, context); }

    [[nodiscard]] double pairs() const { return 0.5 * static_cast<double>(count_) * (count_ - 1.0); }
    [[nodiscard]] double operations() const { return 2.0 * pairs() * l_.left.depth(); }
    [[nodiscard]] double threshold() const { return tau_; }
    [[nodiscard]] double support() const { return static_cast<double>(s_.upper.entries()) / pairs(); }
    /// After a whole pass: the share of pairs off the support and above tau.
    [[nodiscard]] double violations() const { return sums_.violations / pairs(); }

private:
    Index count_;
    double tau_;
    Similarities s_;
    HingePass pass_;
    MultiVector<float> in_;
    MultiVector<float> out_;
    QuantizedPoints few_;
    QuantizedPoints many_;
    std::vector<float> radii_;
    std::vector<float> skins_;
    PackedLowRank l_;
    HingeSums sums_;
};

/// `peak` is the highest seen so far on that many threads.
void print_row(Workload& work, Index n, Index d, int threads, int repetitions, double& peak) {
    RunContext context;
    context.threads = threads;
    peak = std::max(peak, panel_peak(context));
    const double dense = median_seconds(repetitions, [&] { work.dense(context); });
    const double whole = median_seconds(repetitions, [&] { work.whole(context); });
    const double few = median_seconds(repetitions, [&] { work.marks(MarksExpected::Few, context); });
    const double many = median_seconds(repetitions, [&] { work.marks(MarksExpected::Many, context); });
    const auto share = [&](double seconds) { return 100.0 * work.operations() / (seconds * peak); };
    std::printf("| %u | %u | %d | %.3f | %.2f%% | %.2f%% | %.0f | %.1f | %.1f | %.0f%% | %.0f%% | %.1f | %.1f |\n", n,
                d, threads, work.threshold(), 100.0 * work.support(), 100.0 * work.violations(), peak / 1e9,
                1e3 * dense, 1e3 * whole, share(dense), share(whole), 1e3 * few, 1e3 * many);
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    const Arguments arguments(count, words, help);
    const RunContext context;
    const auto sizes = arguments.numbers("--points", "10000,20000,40000,70000");
    const auto dims = arguments.numbers("--dims", "8,16,32,64,128");
    const double noise = arguments.number("--noise", 0.1);
    const int repetitions = std::max(1, static_cast<int>(arguments.number("--repeat", 3.0)));
    const Digits x = digits(arguments, *std::max_element(sizes.begin(), sizes.end()), 1, context);
    const Index rank = *std::max_element(dims.begin(), dims.end());
    const Points coordinates = project(x.points.view(), truncated_svd(x.points.view(), rank, false, context), context);
    std::printf("%s digits in d coordinates of their SVD, noise %.2f, %s, medians of %d\n\n", x.kind, noise,
                instruction_set_name(), repetitions);
    std::printf(
        "| n | d | threads | tau | pairs on the support | off it, above tau | peak GFLOP/s | products alone ms | whole "
        "pass ms | products, of peak | pass, of peak | marks, few expected, ms | marks, many, ms |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    std::map<unsigned, double> peaks;
    for (const unsigned n : sizes) {
        for (const unsigned d : dims) {
            const Index present = std::min<Index>(n, x.points.count());
            Workload work(unit_points(coordinates, present, d), noise, context);
            for (const unsigned threads : arguments.numbers("--threads", "1,2")) {
                print_row(work, present, d, static_cast<int>(threads), repetitions, peaks[threads]);
            }
        }
    }
    return 0;
}
