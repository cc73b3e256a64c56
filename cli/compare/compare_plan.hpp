#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isogon/methods/fit_series.hpp"

namespace isogon::cli {

/// A method under the options that it is compared with; one curve.
struct Contender {
    std::string name;  ///< as the command line spells it: "tsm", "tsm:recipe=paper"
    std::string method;
    OptionValues options;  ///< all but the dimension
};

/// Reads "faithful,tsm:recipe=paper,isomap:graph=tsm:components=bridge". `seed` and `threshold`, where given, go to
/// every method that has such an option and is not given one of its own (to isomap only with the graph of tsm, where it
/// has an effect). Throws UsageError for a text of another form and a contender that is there twice; InvalidArgument
/// for a method or option that there is not and a value out of bounds.
[[nodiscard]] std::vector<Contender> parse_contenders(const std::string& text, std::optional<std::int64_t> seed,
                                                      std::optional<double> threshold);

/// Reads "4,8,16": whole numbers, at least 1, none twice. Throws InvalidArgument, naming the flag.
[[nodiscard]] std::vector<std::int64_t> parse_dimensions(const std::string& flag, const std::string& text);

/// The contender's fit at this dimension.
[[nodiscard]] FitRequest fit_of(const Contender& contender, std::int64_t dimension);

}  // namespace isogon::cli
