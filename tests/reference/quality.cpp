#include "reference/quality.hpp"

#include "reference/point_sets.hpp"

namespace isogon::reference {

double dot(const Points& p, Index i, Index j) {
    double sum = 0.0;
    for (Index k = 0; k < p.dimension(); ++k) {
        sum += double{p[i][k]} * double{p[j][k]};
    }
    return sum;
}

double squared_distance(const Points& p, Index i, Index j) {
    double sum = 0.0;
    for (Index k = 0; k < p.dimension(); ++k) {
        const double difference = double{p[i][k]} - double{p[j][k]};
        sum += difference * difference;
    }
    return sum;
}

bool is_zero(const Points& p, Index i) {
    return std::all_of(p[i].begin(), p[i].end(), [](float value) { return value == 0.0F; });
}

double cosine(const Points& p, Index i, Index j) {
    if (is_zero(p, i) || is_zero(p, j)) {
        return 0.0;
    }
    return dot(p, i, j) / std::sqrt(dot(p, i, i)) / std::sqrt(dot(p, j, j));
}

double degrees(const Points& p, Index i, Index j) {
    if (is_zero(p, i) || is_zero(p, j)) {
        return 90.0;
    }
    const double a = std::sqrt(dot(p, i, i));
    const double b = std::sqrt(dot(p, j, j));
    double minus = 0.0;
    double plus = 0.0;
    for (Index k = 0; k < p.dimension(); ++k) {
        const double u = double{p[i][k]} / a;
        const double v = double{p[j][k]} / b;
        minus += (u - v) * (u - v);
        plus += (u + v) * (u + v);
    }
    return 2.0 * std::atan2(std::sqrt(minus), std::sqrt(plus)) * 180.0 / std::numbers::pi;
}

double clear_threshold(std::vector<double> cosines, double requested) {
    cosines.push_back(requested + 0.1);
    std::sort(cosines.begin(), cosines.end());
    auto above = std::upper_bound(cosines.begin(), cosines.end(), requested);
    while (above + 1 != cosines.end() && *(above + 1) - *above < 2e-6) {
        ++above;
    }
    return above + 1 == cosines.end() ? *above : (*above + *(above + 1)) / 2.0;
}

Angles angles(const Points& x, const Points& y, double threshold, std::vector<Index> rows) {
    if (rows.empty()) {
        rows = every_point(x.count());
    }
    const auto above = [&](const Points& p, Index i, Index j) {
        return i == j ? !is_zero(p, i) : cosine(p, i, j) > threshold;
    };
    double deviations = 0.0;
    double in_x = 0.0;
    double in_both = 0.0;
    double in_either = 0.0;
    double off_diagonal = 0.0;
    double both_off_diagonal = 0.0;
    double either_off_diagonal = 0.0;
    Index isolated = 0;
    for (const Index i : rows) {
        Index neighbors = 0;
        for (Index j = 0; j < x.count(); ++j) {
            const bool x_above = above(x, i, j);
            const bool y_above = above(y, i, j);
            in_x += x_above;
            in_both += x_above && y_above;
            in_either += x_above || y_above;
            both_off_diagonal += i != j && x_above && y_above;
            either_off_diagonal += i != j && (x_above || y_above);
            deviations += x_above && i != j ? std::abs(degrees(x, i, j) - degrees(y, i, j)) : 0.0;
            neighbors += x_above && i != j;
        }
        off_diagonal += neighbors;
        isolated += neighbors == 0 && !is_zero(x, i);
    }
    Angles result;
    result.deviation = in_x > 0.0 ? deviations / in_x : 0.0;
    result.jaccard = in_either > 0.0 ? in_both / in_either : 1.0;
    result.deviation_without_self = off_diagonal > 0.0 ? deviations / off_diagonal : 0.0;
    result.jaccard_without_self = either_off_diagonal > 0.0 ? both_off_diagonal / either_off_diagonal : 1.0;
    result.sparsity = 1.0 - off_diagonal / (double(rows.size()) * (x.count() - 1.0));
    result.isolated = isolated;
    return result;
}

std::vector<Index> order_from(const Points& p, Index i, bool by_cosine) {
    std::vector<std::pair<double, Index>> keys;
    for (Index j = 0; j < p.count(); ++j) {
        if (j != i) {
            keys.emplace_back(by_cosine ? -cosine(p, i, j) : squared_distance(p, i, j), j);
        }
    }
    std::sort(keys.begin(), keys.end());
    std::vector<Index> order;
    for (const auto& key : keys) {
        order.push_back(key.second);
    }
    return order;
}

double recall(const Points& x, const Points& y, Index k, bool by_cosine) {
    double shared = 0.0;
    double directed = 0.0;
    for (Index i = 0; i < x.count(); ++i) {
        if (by_cosine && is_zero(x, i)) {
            continue;
        }
        directed += 1.0;
        const auto in_x = order_from(x, i, by_cosine);
        const auto in_y = order_from(y, i, by_cosine);
        for (Index a = 0; a < k; ++a) {
            shared += static_cast<double>(std::count(in_y.begin(), in_y.begin() + k, in_x[a]));
        }
    }
    return directed > 0.0 ? shared / directed / k : 1.0;
}

double trustworthiness(const Points& x, const Points& y, Index k, bool by_cosine) {
    const double n = x.count();
    double excess = 0.0;
    for (Index i = 0; i < x.count(); ++i) {
        const auto in_x = order_from(x, i, by_cosine);
        const auto in_y = order_from(y, i, by_cosine);
        for (Index a = 0; a < k; ++a) {
            const auto rank = 1 + std::find(in_x.begin(), in_x.end(), in_y[a]) - in_x.begin();
            excess += std::max(0.0, static_cast<double>(rank) - k);
        }
    }
    return 1.0 - 2.0 / (n * k * (2.0 * n - 3.0 * k - 1.0)) * excess;
}

namespace {

/// Keys that rounding cannot tell apart are equal.
bool nearer(double a, double b) {
    return a < b - 1e-5 * std::abs(b);
}

/// All sets of k of the others of which no point outside is nearer than one inside.
std::vector<std::vector<Index>> nearest_sets(const std::vector<Index>& others, const std::vector<double>& keys,
                                             Index k) {
    std::vector<std::vector<Index>> sets;
    for (unsigned bits = 0; bits < 1U << others.size(); ++bits) {
        std::vector<Index> in;
        std::vector<Index> out;
        for (std::size_t a = 0; a < others.size(); ++a) {
            ((bits >> a & 1U) != 0 ? in : out).push_back(others[a]);
        }
        const bool is_nearest = std::all_of(in.begin(), in.end(), [&](Index j) {
            return std::none_of(out.begin(), out.end(), [&](Index l) { return nearer(keys[l], keys[j]); });
        });
        if (in.size() == k && is_nearest) {
            sets.push_back(in);
        }
    }
    return sets;
}

double largest_excess(Index n, Index k) {
    double sum = 0.0;
    for (Index rank = n - k; rank < n; ++rank) {
        sum += rank > k ? rank - k : 0.0;
    }
    return sum;
}

}  // namespace

TiedRanks tied_ranks(const Points& x, const Points& y, Index k, bool x_by_cosine) {
    TiedRanks sum;
    for (Index i = 0; i < x.count(); ++i) {
        std::vector<Index> others;
        std::vector<double> x_keys(x.count());
        std::vector<double> y_keys(x.count());
        for (Index j = 0; j < x.count(); ++j) {
            x_keys[j] = x_by_cosine ? 1.0 - cosine(x, i, j) : squared_distance(x, i, j);
            y_keys[j] = squared_distance(y, i, j);
            if (j != i) {
                others.push_back(j);
            }
        }
        const auto rank_in_x = [&](Index j) {
            return 1.0 + static_cast<double>(std::count_if(others.begin(), others.end(),
                                                           [&](Index l) { return nearer(x_keys[l], x_keys[j]); }));
        };
        const auto sets = nearest_sets(others, x_keys, k);
        TiedRanks of_row;
        double orders = 0.0;
        std::vector<Index> order = others;
        do {
            if (!std::is_sorted(order.begin(), order.end(), [&](Index a, Index b) { return y_keys[a] < y_keys[b]; })) {
                continue;
            }
            orders += 1.0;
            double most_kept = 0.0;
            double least_lost = 1e300;
            for (const auto& set : sets) {
                double kept = 0.0;
                double lost = 0.0;
                for (const Index j : set) {
                    const double rank =
                        1.0 + static_cast<double>(std::find(order.begin(), order.end(), j) - order.begin());
                    kept += rank <= k;
                    lost += std::max(0.0, rank - k);
                }
                most_kept = std::max(most_kept, kept);
                least_lost = std::min(least_lost, lost);
            }
            of_row.recall += most_kept;
            of_row.all_kept += most_kept == k;
            of_row.continuity += least_lost;
            for (Index a = 0; a < k; ++a) {
                of_row.trustworthiness += std::max(0.0, rank_in_x(order[a]) - k);
            }
        } while (std::next_permutation(order.begin(), order.end()));
        sum.recall += of_row.recall / orders;
        sum.all_kept += of_row.all_kept / orders;
        sum.trustworthiness += of_row.trustworthiness / orders;
        sum.continuity += of_row.continuity / orders;
    }
    const double n = x.count();
    const double most = std::max(1.0, largest_excess(x.count(), k)) * n;
    return {sum.recall / n / k, sum.all_kept / n, 1.0 - sum.trustworthiness / most, 1.0 - sum.continuity / most};
}

std::optional<double> knn_accuracy(const Points& y, const std::vector<std::int64_t>& labels, Index k, bool by_cosine) {
    double right = 0.0;
    double judged = 0.0;
    for (Index i = 0; i < y.count(); ++i) {
        const auto order = order_from(y, i, by_cosine);
        std::map<std::int64_t, Index> votes;
        for (Index a = 0; a < k; ++a) {
            if (labels[order[a]] >= 0) {
                ++votes[labels[order[a]]];
            }
        }
        if (labels[i] < 0 || votes.empty()) {
            continue;
        }
        judged += 1.0;
        const auto more = [](const auto& a, const auto& b) { return a.second < b.second; };
        const Index most = std::max_element(votes.begin(), votes.end(), more)->second;
        const auto first =
            std::count_if(votes.begin(), votes.end(), [&](const auto& vote) { return vote.second == most; });
        right += votes[labels[i]] == most ? 1.0 / static_cast<double>(first) : 0.0;
    }
    return judged > 0.0 ? std::optional(right / judged) : std::nullopt;
}

}  // namespace isogon::reference
