#include "report/measures.hpp"

#include <algorithm>
#include <numbers>

#include "core/trigonometry.hpp"

namespace isogon {

std::string count_text(std::uint64_t count) {
    std::string text = std::to_string(count);
    for (std::size_t place = text.size(); place > 3;) {
        place -= 3;
        text.insert(place, 1, ',');
    }
    return text;
}

std::string points_count_text(std::uint64_t count) {
    return count_text(count) + (count == 1 ? " point" : " points");
}

namespace {

// Thresholds of the warnings. They are judgements, not theory: values that a reader of the picture would not expect.
constexpr double much_degrees = 10.0;         // mean over near pairs
constexpr double wrong_degrees = 20.0;        // mean over a point's own near pairs
constexpr double many_wrong = 0.1;            // share of points
constexpr double much_length = 0.1;           // share of a length
constexpr double few_neighbors_kept = 0.5;    // share
constexpr double many_false_neighbors = 0.9;  // trustworthiness below it
constexpr double dense = 0.1;                 // share of pairs above the threshold
constexpr double few_pairs = 4.0;             // pairs of a point above the threshold
constexpr double sparse = 0.005;              // share of pairs above the threshold; by default it is 1%

class Warnings {
public:
    Warnings(const ReportSubject& subject, const Measures& measures)
        : subject_(subject), measures_(measures), score_(measures.score) {}

    std::vector<std::string> run() {
        list_ = subject_.warnings;
        add_run();
        add_sample();
        list_.insert(list_.end(), measures_.remarks.begin(), measures_.remarks.end());
        if (by_distance()) {
            add_choice();
            add_neighbors();
        } else {
            add_points_without_place();
            add_angles();
            add_neighbors();
            add_lengths();
            add_threshold();
        }
        add_search();
        return std::move(list_);
    }

private:
    void add_run() {
        if (!subject_.run) {
            return;
        }
        const Summary& summary = subject_.run->summary;
        if (summary.termination != Termination::Converged && summary.termination != Termination::IterationLimit) {
            list_.push_back("The run ended early (" + std::string(name(summary.termination)) + "): " + summary.message +
                            ".");
        }
        for (const std::string& warning : summary.warnings) {
            list_.push_back("The method warns: " + warning + ".");
        }
    }

    void add_sample() {
        if (subject_.points_in_all > subject_.inputs.count) {
            list_.push_back("Shown and compared are " + points_count_text(subject_.inputs.count) + " of " +
                            count_text(subject_.points_in_all) + ", drawn at random; neighbours are those among them.");
        }
    }

    [[nodiscard]] double near_degrees() const { return elementary::acos(score_.threshold) * 180.0 / std::numbers::pi; }

    /// Whether the fit uses near pairs alone.
    [[nodiscard]] bool goes_by_threshold() const { return subject_.run && threshold_of(*subject_.run).has_value(); }

    void add_points_without_place() {
        if (score_.isolated > 0 && goes_by_threshold()) {
            list_.push_back(
                points_count_text(score_.isolated) +
                printed(score_.isolated == 1
                            ? " has no neighbour within %.1f degrees (the threshold): its position is not informative."
                            : " have no neighbour within %.1f degrees (the threshold): their positions are not "
                              "informative.",
                        near_degrees()));
        }
        if (score_.zero_vectors > 0) {
            list_.push_back(points_count_text(score_.zero_vectors) +
                            (score_.zero_vectors == 1 ? " is a zero vector: it has no direction, so no angle and no "
                                                        "neighbour by angle."
                                                      : " are zero vectors: they have no direction, so no angles and "
                                                        "no neighbours by angle."));
        }
    }

    [[nodiscard]] double share_of_wrong_points() const {
        const auto& degrees = measures_.points.deviation_degrees;
        const auto wrong = std::count_if(degrees.begin(), degrees.end(), [](double d) { return d > wrong_degrees; });
        return static_cast<double>(wrong) / static_cast<double>(std::max<std::size_t>(degrees.size(), 1));
    }

    void add_angles() {
        if (score_.deviation_without_self_degrees > much_degrees) {
            list_.push_back(
                printed("Angles between near points are off by %.1f degrees on average: do not read how "
                        "similar two points are from how close they lie.",
                        score_.deviation_without_self_degrees));
        }
        if (share_of_wrong_points() > many_wrong) {
            list_.push_back(
                printed("For %.0f%% of the points, angles to their near ones are off by more than %.0f "
                        "degrees on average; colour by angle error shows which.",
                        100.0 * share_of_wrong_points(), wrong_degrees));
        }
    }

    [[nodiscard]] bool by_distance() const { return score_.metrics.output == Nearness::Euclidean; }

    /// Tells the reader how coordinates of unknown origin are judged: that is a choice.
    void add_choice() {
        if (!subject_.run) {
            list_.push_back(
                std::string("How these coordinates were made is not known: near are those at small distances "
                            "in them, and in the inputs those at small ") +
                (score_.metrics.correlation                 ? "angles of rows less their means"
                 : score_.metrics.input == Nearness::Cosine ? "angles"
                                                            : "distances") +
                ". If the fit had other metrics, report them with these (options metric and output-metric).");
        }
    }

    void add_neighbors() {
        if (score_.recall < few_neighbors_kept) {
            list_.push_back(
                printed("Of the %d nearest points of a point only %.1f are still among its %d nearest, on "
                        "average: look at the lists before you believe a neighbourhood.",
                        score_.neighbors, score_.recall * score_.neighbors, score_.neighbors));
        }
        if (score_.trustworthiness < many_false_neighbors) {
            list_.push_back(
                printed("Many points that lie together here are far apart in the input (trustworthiness "
                        "%.2f of 1): groups may be invented.",
                        score_.trustworthiness));
        }
    }

    void add_lengths() {
        if (score_.norm_deviation_mean > much_length) {
            list_.push_back(
                printed("Lengths are off by %.0f%% on average: how far a point lies from the origin says "
                        "nothing about its input.",
                        100.0 * score_.norm_deviation_mean));
        }
    }

    void add_threshold() {
        const double share = 1.0 - score_.sparsity;
        const double pairs = share * (static_cast<double>(score_.points) - 1.0);
        if (share <= 0.0) {
            list_.push_back(
                printed("No two points are within %.1f degrees (the threshold) in the input: nothing can be "
                        "said of small angles.",
                        near_degrees()));
            return;
        }
        if (share > dense) {
            list_.push_back(
                printed("%.0f%% of all pairs are within %.1f degrees (the threshold) and count as near: a "
                        "higher threshold would ask about nearer ones only.",
                        100.0 * share, near_degrees()));
        } else if (share < sparse && pairs < few_pairs) {
            list_.push_back(
                printed("A point has only %.1f others within %.1f degrees (the threshold) on average: what is said of "
                        "angles rests on few pairs; a lower threshold would count more.",
                        pairs, near_degrees()));
        }
    }

    void add_search() {
        if (measures_.neighbors.recall < 1.0) {
            list_.push_back(
                printed("Lists of neighbours were searched approximately: they hold about %.1f%% of the "
                        "true ones.",
                        100.0 * measures_.neighbors.recall));
        }
    }

    const ReportSubject& subject_;
    const Measures& measures_;
    const Score& score_;
    std::vector<std::string> list_;
};

}  // namespace

std::vector<std::string> report_warnings(const ReportSubject& subject, const Measures& measures) {
    return Warnings(subject, measures).run();
}

}  // namespace isogon
