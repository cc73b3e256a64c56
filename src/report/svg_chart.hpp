#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/report/chart.hpp"

namespace isogon {

/// Text that is valid in SVG between tags and in quotes: & < > " ' escaped; what XML cannot hold (control characters,
/// bytes that are not UTF-8, U+FFFE and U+FFFF) becomes U+FFFD. Tabs and line ends become blanks.
[[nodiscard]] std::string svg_escaped(std::string_view text);

/// A number as a label: up to four digits, "0.95", "1e+05". Never "-0".
[[nodiscard]] std::string short_number(double value);

/// A coordinate of the drawing, to a tenth: "12.5".
[[nodiscard]] std::string place(double value);

/// The scale of an axis from `low` to `high`, whose ends are ticks or lie just outside the data.
class ChartScale {
public:
    /// For these values; those that the axis cannot show are ignored. Without any it goes from 0 to 1 (1 to 10 on a
    /// logarithmic axis). A linear axis begins at zero if the values are near enough to it.
    ChartScale(AxisScale kind, const std::vector<double>& values);

    /// 0 at the low end, 1 at the high one; empty for a value that the axis cannot show.
    [[nodiscard]] std::optional<double> share(double value) const;
    /// Ascending, 2 to about 8 of them, within the ends. Logarithmic: the values themselves where these are few.
    [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

private:
    void lay_out_linear(double low, double high);
    void lay_out_log(double low, double high, const std::vector<double>& values);

    AxisScale kind_;
    double low_ = 0.0;
    double high_ = 1.0;
    std::vector<double> ticks_{};
};

}  // namespace isogon
