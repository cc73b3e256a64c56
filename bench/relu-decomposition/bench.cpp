// How many updates and seconds does each algorithm for S ~ max(0, W H) take, and what error does it reach? See
// README.md.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../digits.hpp"
#include "../timing.hpp"
#include "core/random.hpp"
#include "decomposition/decompose.hpp"

namespace {

using namespace isogon;
using namespace isogon::bench;

constexpr const char* help =
    "bench [--case gaussian | sparse | identity | digits] [--sizes 500,1000] [--rank 32] [--density 0.01, of sparse] "
    "[--points 10000, of digits]\n      [--algorithms 3b,newton,em:0.6 (its momentum),...] [--start nuclear] [--seeds "
    "5, matrices] [--starts 5, of "
    "each] "
    "[--latent 0] [--output 1e-4]\n      [--iterations 500] [--seconds 0, of each run; 0: no limit] [--stall 0] "
    "[--history auto] [--momentum 0.5] [--threads 0]\n      [--trace 0; 1: the errors of every update, for a plot]\n";

struct Case {
    std::string name;
    CsrMatrix<double> s;
};

struct Factors {
    std::vector<double> left;
    std::vector<double> right;
};

std::vector<double> normal_numbers(Index rows, Index rank, std::uint64_t seed, Index first) {
    std::vector<double> values(std::size_t{rows} * rank);
    for (Index i = 0; i < rows; ++i) {
        Random random(seed, RandomStream::Test, first + i);
        std::generate_n(values.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * rank), rank,
                        [&] { return random.normal(); });
    }
    return values;
}

/// max(0, W H - shift) with normal W and H: an exact L of rank `rank`, one more where there is a shift.
CsrMatrix<double> planted(Index size, Index rank, double shift, std::uint64_t seed) {
    const std::vector<double> w = normal_numbers(size, rank, seed, 0);
    const std::vector<double> h = normal_numbers(size, rank, seed, size);
    CsrMatrix<double> s{.rows = size, .columns = size};
    for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < size; ++j) {
            double value = -shift;
            for (Index k = 0; k < rank; ++k) {
                value += w[std::size_t{i} * rank + k] * h[std::size_t{j} * rank + k];
            }
            if (value > 0.0) {
                s.indices.push_back(j);
                s.values.push_back(value);
            }
        }
        s.offsets.push_back(s.indices.size());
    }
    return s;
}

/// The shift that a share `density` of products of normal vectors exceeds, from a sample of them.
double shift_for(double density, Index rank) {
    constexpr Index sample = 2000;
    const std::vector<double> w = normal_numbers(sample, rank, 99, 0);
    std::vector<double> products;
    for (Index i = 0; i < sample; ++i) {
        for (Index j = 0; j < i; j += 7) {
            double value = 0.0;
            for (Index k = 0; k < rank; ++k) {
                value += w[std::size_t{i} * rank + k] * w[std::size_t{j} * rank + k];
            }
            products.push_back(value);
        }
    }
    const auto at =
        products.begin() + static_cast<std::ptrdiff_t>((1.0 - density) * static_cast<double>(products.size()));
    std::nth_element(products.begin(), at, products.end());
    return *at;
}

CsrMatrix<double> identity(Index size) {
    CsrMatrix<double> s{.rows = size, .columns = size};
    for (Index i = 0; i < size; ++i) {
        s.indices.push_back(i);
        s.values.push_back(1.0);
        s.offsets.push_back(s.indices.size());
    }
    return s;
}

CsrMatrix<double> sparse_of(const Points& points) {
    CsrMatrix<double> s{.rows = points.count(), .columns = points.dimension()};
    for (Index i = 0; i < points.count(); ++i) {
        for (Index j = 0; j < points.dimension(); ++j) {
            if (points[i][j] > 0.0F) {
                s.indices.push_back(j);
                s.values.push_back(double{points[i][j]} / 255.0);
            }
        }
        s.offsets.push_back(s.indices.size());
    }
    return s;
}

std::vector<std::string> words_of(const std::string& list) {
    std::istringstream stream(list);
    std::vector<std::string> words;
    for (std::string word; std::getline(stream, word, ',');) {
        words.push_back(word);
    }
    return words;
}

/// The most that the process has held so far, S and its making included.
double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1000.0;
}

class Bench {
public:
    explicit Bench(const Arguments& arguments) : arguments_(arguments) {
        values_["rank"] = std::int64_t{static_cast<std::int64_t>(arguments.number("--rank", 32))};
        values_["iterations"] = std::int64_t{static_cast<std::int64_t>(arguments.number("--iterations", 500))};
        values_["latent-tolerance"] = arguments.number("--latent", 0.0);
        values_["output-tolerance"] = arguments.number("--output", 1e-4);
        values_["stall-tolerance"] = arguments.number("--stall", 0.0);
        values_["momentum"] = arguments.number("--momentum", 0.5);
        values_["start"] = arguments.text("--start", "nuclear");
        values_["history"] = arguments.text("--history", "auto");
        context_.threads = static_cast<int>(arguments.number("--threads", 0.0));
    }

    /// The starts of a matrix, which all algorithms share.
    void begin(const Case& problem) {
        OptionValues values = values_;
        values["algorithm"] = std::string("alternating");
        values["iterations"] = std::int64_t{0};
        values["history"] = std::string("last-two");
        starts_.clear();
        start_seconds_ = 0.0;
        const auto count = static_cast<int>(arguments_.number("--starts", 5));
        for (int start = 0; start < count; ++start) {
            values["seed"] = std::int64_t{start};
            Decomposition found =
                decompose(problem.s, nullptr, decompose_option_table().make(values), nullptr, context_);
            start_seconds_ += found.summary.seconds.front().second / count;
            starts_.push_back(std::move(found.factors));
        }
    }

    /// One line: means over starts, of errors the largest. `words` is an algorithm or, as in em:0.6, one and its
    /// momentum.
    void line(const Case& problem, const std::string& words) {
        const std::size_t colon = words.find(':');
        OptionValues values = values_;
        values["algorithm"] = words.substr(0, colon);
        if (colon != std::string::npos) {
            values["momentum"] = std::stod(words.substr(colon + 1));
        }
        double updates = 0.0;
        double seconds = 0.0;
        double latent = 0.0;
        double output = 0.0;
        Summary last;
        for (std::size_t start = 0; start < starts_.size(); ++start) {
            values["seed"] = static_cast<std::int64_t>(start);
            RunContext context = context_;
            const double limit = arguments_.number("--seconds", 0.0);
            context.limit_seconds(limit > 0.0 ? limit : 1e9);
            const Decomposition result =
                decompose(problem.s, nullptr, decompose_option_table().make(values), &starts_[start], context);
            last = result.summary;
            const auto count = static_cast<double>(starts_.size());
            updates += static_cast<double>(last.trace.size()) / count;
            for (const auto& [phase, spent] : last.seconds) {
                seconds += phase == "start" ? 0.0 : spent / count;
            }
            latent = std::max(latent, last.value("latent_residual"));
            output = std::max(output, last.value("output_residual"));
            if (arguments_.number("--trace", 0.0) > 0.0) {
                print_trace(problem.name, words, result);
            }
        }
        std::printf("| %s | %s | %.1f | %.2f | %.2f | %.3g | %.3g | %s | %.0f |\n", problem.name.c_str(), words.c_str(),
                    updates, seconds, start_seconds_, latent, output, std::string(name(last.termination)).c_str(),
                    peak_megabytes());
        std::fflush(stdout);
    }

private:
    static void print_trace(const std::string& problem, const std::string& algorithm, const Decomposition& result) {
        for (std::size_t k = 0; k < result.output_residuals.size(); ++k) {
            std::printf("trace,%s,%s,%zu,%.3f,%.6g,%.6g\n", problem.c_str(), algorithm.c_str(), k + 1,
                        result.summary.trace[k].seconds, result.summary.trace[k].objective, result.output_residuals[k]);
        }
    }

    const Arguments& arguments_;
    OptionValues values_;
    RunContext context_;
    std::vector<ReluFactors> starts_;
    double start_seconds_ = 0.0;  ///< the mean of making one
};

}  // namespace

int main(int count, char** words) {
    const Arguments arguments(count, words, help);
    const std::string kind = arguments.text("--case", "gaussian");
    const auto rank = static_cast<Index>(arguments.number("--rank", 32));
    std::printf(
        "| S | algorithm | updates | s | of the start | latent error | output error | end "
        "|\n|---|---|---|---|---|---|---|---|\n");
    Bench bench(arguments);
    const auto table = [&](const Case& problem) {
        bench.begin(problem);
        for (const std::string& algorithm :
             words_of(arguments.text("--algorithms", "alternating,momentum,a-nmd,3b,ebcd,em,newton"))) {
            bench.line(problem, algorithm);
        }
    };
    if (kind == "digits") {
        const auto points = static_cast<Index>(arguments.number("--points", 10000));
        const Digits set = digits(arguments, points, std::max<Index>(1, 70000 / points), {});
        table({std::string(set.kind) + " digits", sparse_of(set.points)});
        return 0;
    }
    for (const unsigned size : arguments.numbers("--sizes", "500,1000")) {
        for (int seed = 0; seed < static_cast<int>(arguments.number("--seeds", 1)); ++seed) {
            const double density = kind == "sparse" ? arguments.number("--density", 0.01) : 0.5;
            const Index planted_rank = kind == "sparse" ? rank - 1 : rank;
            const double shift = kind == "sparse" ? shift_for(density, planted_rank) : 0.0;
            table({kind + " " + std::to_string(size),
                   kind == "identity" ? identity(size) : planted(size, planted_rank, shift, seed)});
        }
    }
    return 0;
}
