#include "report/chart_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace isogon {

namespace {

bool can_show(AxisScale kind, double value) {
    // Within what float64 can subtract and take logarithms of without an overflow.
    constexpr double farthest = 1e300;
    constexpr double nearest = 1e-300;
    return std::isfinite(value) && std::abs(value) < farthest && (kind == AxisScale::Linear || value > nearest);
}

/// The least of 1, 2, 2.5 and 5 times a power of ten that is not below `rough`.
double round_step(double rough) {
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (factor * power >= rough * (1.0 - 1e-9)) {
            return factor * power;
        }
    }
    return 10.0 * power;
}

std::vector<double> shown(AxisScale kind, const std::vector<double>& values) {
    std::vector<double> list;
    std::copy_if(values.begin(), values.end(), std::back_inserter(list),
                 [&](double value) { return can_show(kind, value); });
    return list;
}

}  // namespace

ChartScale::ChartScale(AxisScale kind, const std::vector<double>& values) : kind_(kind) {
    const std::vector<double> list = shown(kind, values);
    const auto [least, most] = std::minmax_element(list.begin(), list.end());
    if (kind == AxisScale::Log) {
        lay_out_log(list.empty() ? 1.0 : *least, list.empty() ? 10.0 : *most, list);
    } else {
        lay_out_linear(list.empty() ? 0.0 : *least, list.empty() ? 1.0 : *most);
    }
}

void ChartScale::lay_out_linear(double low, double high) {
    constexpr double near_zero = 0.4;  // of the largest value: beyond it, zero would take too much of the room
    constexpr double steps = 5.0;
    if (low > 0.0 && low < near_zero * high) {
        low = 0.0;
    }
    if (high < 0.0 && high > near_zero * low) {
        high = 0.0;
    }
    if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {  // one value: something about it
        const double about = low == 0.0 ? 1.0 : 0.1 * std::abs(low);
        low -= about;
        high += about;
    }
    const double step = round_step((high - low) / steps);
    const double first = std::floor(low / step + 1e-9);
    const auto count = static_cast<int>(std::ceil(high / step - 1e-9) - first);
    for (int i = 0; i <= count; ++i) {
        ticks_.push_back((first + i) * step);
    }
    low_ = ticks_.front();
    high_ = ticks_.back();
}

void ChartScale::lay_out_log(double low, double high, const std::vector<double>& values) {
    constexpr std::size_t few = 9;
    constexpr double margin = 1.15;
    if (high < 1.02 * low) {
        low /= 2.0;
        high *= 2.0;
    }
    low_ = std::log(low / margin);
    high_ = std::log(high * margin);
    const std::set<double> different(values.begin(), values.end());
    const auto crowded = [&] {
        return std::adjacent_find(different.begin(), different.end(), [&](double one, double next) {
                   return std::log(next / one) < 0.04 * (high_ - low_);
               }) != different.end();
    };
    if (different.size() >= 2 && different.size() <= few && !crowded()) {
        ticks_.assign(different.begin(), different.end());
        return;
    }
    const double decades = std::log10(high / low);
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / 7.0)));
    const auto add = [&](double tick) {
        if (std::log(tick) >= low_ && std::log(tick) <= high_) {
            ticks_.push_back(tick);
        }
    };
    const auto last = static_cast<int>(std::ceil(std::log10(high)));
    for (auto power = static_cast<int>(std::floor(std::log10(low))) - 1; power <= last; power += stride) {
        add(std::pow(10.0, power));
        if (decades < 3.0) {
            add(2.0 * std::pow(10.0, power));
            add(5.0 * std::pow(10.0, power));
        }
    }
    if (ticks_.size() < 2) {
        ticks_ = {low, high};
    }
}

std::optional<double> ChartScale::share(double value) const {
    if (!can_show(kind_, value)) {
        return std::nullopt;
    }
    const double at = kind_ == AxisScale::Log ? std::log(value) : value;
    return (at - low_) / (high_ - low_);
}

}  // namespace isogon
