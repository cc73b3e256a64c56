// Measures the cost of the same bits for the same seed with any number of threads.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <thread>

#include "../digits.hpp"
#include "../timing.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "forces/force_layout.hpp"
#include "forces/sampled_layout.hpp"
#include "graph/calibrated_affinities.hpp"
#include "isogon/neighbors/neighbor_search.hpp"

namespace {

using namespace isogon;
using namespace isogon::bench;

constexpr const char* help =
    "bench [--data DIR] [--points 70000] [--epochs 20] [--threads 1,2] [--repeat 3]\n"
    "What the promise of the same bits for any number of threads costs tsne and umap.\n";

constexpr int negatives = 5;

/// Numbers that hang on nothing but what was drawn before: as cheap as they come (Marsaglia, "Xorshift RNGs", 2003).
class Xorshift {
public:
    explicit Xorshift(std::uint64_t seed) : state_(0x9E3779B97F4A7C15U * (seed + 1)) {}
    std::uint32_t bits() {
        state_ ^= state_ << 13U;
        state_ ^= state_ >> 7U;
        state_ ^= state_ << 17U;
        return static_cast<std::uint32_t>(state_ >> 32U);
    }

private:
    std::uint64_t state_;
};

/// Umap's samples with the Cauchy kernel, whose steps are the cheapest there are: order then costs the largest share.
class Samples {
public:
    Samples(const CsrMatrix<double>& edges, std::vector<float> start)
        : edges_(edges), y_(std::move(start)), moved_(y_) {
        heaviest_ = *std::max_element(edges.values.begin(), edges.values.end());
    }

    /// The way of isogon: points in eight classes, of which one moves while all others stand still; draws are a
    /// function of epoch and point.
    void ordered_epoch(int epoch, float rate, const RunContext& context) {
        constexpr Index classes = 8;
        constexpr std::size_t points_of_task = 64;
        for (Index shade = 0; shade < classes; ++shade) {
            const Index members = (edges_.rows - shade + classes - 1) / classes;
            parallel_blocks(context, members, points_of_task, [&](Range range) {
                for (std::size_t k = range.begin; k < range.end; ++k) {
                    const auto i = static_cast<Index>(k * classes + shade);
                    Random random(0, RandomStream::Test, static_cast<std::uint64_t>(epoch) * edges_.rows + i);
                    const auto place = move(i, epoch, rate, random);
                    std::copy(place.begin(), place.end(), moved_.data() + std::size_t{2} * i);
                }
            });
            for (std::size_t i = shade; i < edges_.rows; i += classes) {
                std::copy_n(moved_.data() + 2 * i, 2, y_.data() + 2 * i);
            }
        }
    }

    /// The way of umap-learn without a seed: threads go through their points and write where they stand, whoever reads.
    template <class Numbers>
    void unordered_epoch(int epoch, float rate, unsigned threads, const std::function<Numbers(Index)>& numbers_of) {
        std::atomic<Index> next{0};
        constexpr Index points_of_task = 512;
        const auto work = [&] {
            for (Index begin = next.fetch_add(points_of_task); begin < edges_.rows;
                 begin = next.fetch_add(points_of_task)) {
                Numbers numbers = numbers_of(begin);
                for (Index i = begin; i < std::min(begin + points_of_task, edges_.rows); ++i) {
                    const auto place = move(i, epoch, rate, numbers);
                    write(i, place);
                }
            }
        };
        std::vector<std::jthread> others;
        for (unsigned t = 1; t < threads; ++t) {
            others.emplace_back(work);
        }
        work();
    }

    [[nodiscard]] const std::vector<float>& outputs() const { return y_; }

private:
    using Place = std::array<float, 2>;

    /// Plain loads and stores, as far as the processor is concerned.
    [[nodiscard]] Place read(Index i) {
        float* at = y_.data() + std::size_t{2} * i;
        return {std::atomic_ref(at[0]).load(std::memory_order_relaxed),
                std::atomic_ref(at[1]).load(std::memory_order_relaxed)};
    }
    void write(Index i, Place place) {
        float* at = y_.data() + std::size_t{2} * i;
        std::atomic_ref(at[0]).store(place[0], std::memory_order_relaxed);
        std::atomic_ref(at[1]).store(place[1], std::memory_order_relaxed);
    }

    static void step(Place& own, Place other, bool pulls, float rate) {
        const Place apart{own[0] - other[0], own[1] - other[1]};
        const float squared = apart[0] * apart[0] + apart[1] * apart[1];
        const float force = pulls ? -2.0F / (1.0F + squared) : 2.0F / ((0.001F + squared) * (1.0F + squared));
        for (std::size_t c = 0; c < 2; ++c) {
            own[c] += rate * std::clamp(force * apart[c], -4.0F, 4.0F);
        }
    }

    template <class Numbers>
    Place move(Index i, int epoch, float rate, Numbers& numbers) {
        Place own = read(i);
        for (Offset e = edges_.offsets[i]; e < edges_.offsets[i + 1]; ++e) {
            const double share = edges_.values[e] / heaviest_;
            const double place = epoch * share + std::fmod(static_cast<double>(e) * 0.6180339887498949, 1.0);
            if (std::floor(place + share) == std::floor(place)) {
                continue;
            }
            const Place other = read(edges_.indices[e]);
            step(own, other, true, rate);
            for (int draw = 0; draw < negatives; ++draw) {
                const auto drawn = static_cast<Index>((std::uint64_t{numbers.bits()} * edges_.rows) >> 32U);
                if (drawn != i) {
                    step(own, read(drawn), false, rate);
                }
            }
            step(own, other, true, rate);
        }
        return own;
    }

    const CsrMatrix<double>& edges_;
    std::vector<float> y_;
    std::vector<float> moved_;
    double heaviest_ = 0.0;
};

MultiVector<double> random_outputs(Index count, double spread) {
    MultiVector<double> y(count, 2);
    for (std::size_t i = 0; i < count; ++i) {
        Random random(1, RandomStream::Test, i);
        y.at(i, 0) = spread * random.normal();
        y.at(i, 1) = spread * random.normal();
    }
    return y;
}

/// The mean length of edges by weight: near alike after as many epochs, whoever moved when.
double stretch(const CsrMatrix<double>& edges, const std::vector<float>& y) {
    double sum = 0.0;
    for (Index i = 0; i < edges.rows; ++i) {
        for (Offset e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
            const std::size_t j = edges.indices[e];
            sum += edges.values[e] * std::hypot(double{y[2 * std::size_t{i}]} - double{y[2 * j]},
                                                double{y[2 * std::size_t{i} + 1]} - double{y[2 * j + 1]});
        }
    }
    return sum / std::accumulate(edges.values.begin(), edges.values.end(), 0.0);
}

struct Asked {
    int epochs;
    int repeat;
    unsigned threads;
};

RunContext on(unsigned threads) {
    RunContext context;
    context.threads = static_cast<int>(threads);
    return context;
}

template <class Epoch>
void time_epochs(const char* name, const CsrMatrix<double>& edges, const MultiVector<double>& start, const Asked& asked,
                 const Epoch& epoch) {
    const std::vector<float> from(start.values().begin(), start.values().end());
    double best = INFINITY;
    double reached = 0.0;
    for (int run = 0; run < asked.repeat; ++run) {
        Samples samples(edges, from);
        const Stopwatch watch;
        for (int k = 0; k < asked.epochs; ++k) {
            epoch(samples, k, 1.0F - static_cast<float>(k) / static_cast<float>(asked.epochs));
        }
        best = std::min(best, watch.seconds() / asked.epochs);
        reached = stretch(edges, samples.outputs());
    }
    std::printf("| umap epoch | %s | %u | %.1f | %.3f |\n", name, asked.threads, 1e3 * best, reached);
    std::fflush(stdout);
}

void umap_epochs(const CsrMatrix<double>& edges, const Asked& asked) {
    const MultiVector<double> start = random_outputs(edges.rows, 5.0);
    const RunContext context = on(asked.threads);
    time_epochs("ordered, numbers by counter", edges, start, asked,
                [&](Samples& samples, int k, float rate) { samples.ordered_epoch(k, rate, context); });
    time_epochs("unordered, numbers by counter", edges, start, asked, [&](Samples& samples, int k, float rate) {
        samples.unordered_epoch<Random>(k, rate, asked.threads, [&](Index i) {
            return Random(0, RandomStream::Test, static_cast<std::uint64_t>(k) * edges.rows + i);
        });
    });
    time_epochs("unordered, cheapest numbers", edges, start, asked, [&](Samples& samples, int k, float rate) {
        samples.unordered_epoch<Xorshift>(
            k, rate, asked.threads, [&](Index i) { return Xorshift(static_cast<std::uint64_t>(k) * edges.rows + i); });
    });
    SampledLayout layout(edges, start, {.kernel = {}, .epochs = asked.epochs, .negatives = negatives}, context);
    const Stopwatch watch;
    (void)layout.run_to(asked.epochs);
    const std::vector<float> outputs(layout.outputs().values().begin(), layout.outputs().values().end());
    std::printf("| umap epoch | isogon's own: ordered, by counter, eight samples at a time | %u | %.1f | %.3f |\n",
                asked.threads, 1e3 * watch.seconds() / asked.epochs, stretch(edges, outputs));
}

/// Each edge once, into both its ends, each thread into sums of its own, which are added up in the end: what depends on
/// how many threads there are.
void scatter_pulls(const CsrMatrix<float>& edges, const MultiVector<double>& y, unsigned threads,
                   MultiVector<double>& pulls) {
    std::vector<MultiVector<double>> parts(threads, MultiVector<double>(y.rows(), 2));
    const auto work = [&](unsigned t) {
        for (Index i = t; i < edges.rows; i += threads) {
            for (Offset e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
                const Index j = edges.indices[e];
                if (j > i) {
                    const std::array apart{y.at(i, 0) - y.at(j, 0), y.at(i, 1) - y.at(j, 1)};
                    const double force = double{edges.values[e]} / (1.0 + apart[0] * apart[0] + apart[1] * apart[1]);
                    for (std::size_t c = 0; c < 2; ++c) {
                        parts[t].at(i, c) += force * apart[c];
                        parts[t].at(j, c) -= force * apart[c];
                    }
                }
            }
        }
    };
    {
        std::vector<std::jthread> others;
        for (unsigned t = 1; t < threads; ++t) {
            others.emplace_back(work, t);
        }
        work(0);
    }
    for (std::size_t k = 0; k < pulls.values().size(); ++k) {
        pulls.values()[k] = 0.0;
        for (const MultiVector<double>& part : parts) {
            pulls.values()[k] += part.values()[k];
        }
    }
}

void tsne_attraction(const CsrMatrix<float>& edges, const Asked& asked) {
    const MultiVector<double> y = random_outputs(edges.rows, 20.0);
    MultiVector<double> gathered(edges.rows, 2);
    MultiVector<double> scattered(edges.rows, 2);
    std::array<double, 2> best{INFINITY, INFINITY};
    for (int run = 0; run < asked.repeat; ++run) {
        const Stopwatch ordered;
        attract(edges, {}, y, gathered, on(asked.threads));
        best[0] = std::min(best[0], ordered.seconds());
        const Stopwatch unordered;
        scatter_pulls(edges, y, asked.threads, scattered);
        best[1] = std::min(best[1], unordered.seconds());
    }
    double largest = 0.0;
    double error = 0.0;
    for (std::size_t k = 0; k < gathered.values().size(); ++k) {
        largest = std::max(largest, std::abs(gathered.values()[k]));
        error = std::max(error, std::abs(gathered.values()[k] - scattered.values()[k]));
    }
    std::printf("| tsne attraction | ordered: isogon's own, each edge at both its ends | %u | %.1f | |\n",
                asked.threads, 1e3 * best[0]);
    std::printf(
        "| tsne attraction | unordered: each edge once, sums of each thread's own | %u | %.1f | differs by %.0e |\n",
        asked.threads, 1e3 * best[1], error / largest);
}

}  // namespace

int main(int count, char** words) {
    const Arguments arguments(count, words, help);
    const auto points = static_cast<Index>(arguments.number("--points", 70000));
    const Digits data = digits(arguments, points, std::max<Index>(1, 70000 / std::max<Index>(points, 1)), {});
    const auto lists = [&](Index k) {
        return find_neighbors(data.points.view(), {.neighbors = k, .metric = Metric::Euclidean}).lists;
    };
    const CsrMatrix<double> fuzzy = fuzzy_affinities(lists(15));
    const CsrMatrix<float> shares = joint_probabilities(lists(90), 30.0);
    std::printf(
        "%u %s digits; %u hardware threads\n\n| what | how | threads | ms | mean length of edges |\n"
        "|---|---|---|---|---|\n",
        data.points.count(), data.kind, std::thread::hardware_concurrency());
    for (const unsigned threads : arguments.numbers("--threads", "1,2")) {
        const Asked asked{static_cast<int>(arguments.number("--epochs", 20)),
                          static_cast<int>(arguments.number("--repeat", 3)), threads};
        umap_epochs(fuzzy, asked);
        tsne_attraction(shares, asked);
    }
    return 0;
}
