#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isogon/methods/fit_series.hpp"

namespace isogon::cli {

/// A method and the options with which it is compared; one curve.
struct MethodVariant {
    std::string name;  ///< as the command line spells it: "tsm", "tsm:recipe=paper"
    std::string method;
    OptionValues options;  ///< all but the dimension
};

/// Parses "faithful,tsm:recipe=paper,isomap:graph=tsm:components=bridge". `seed` and `threshold`, if set, are passed to
/// every method that has such an option and no value of its own for it (to isomap only with the graph of tsm, where it
/// has an effect). Throws UsageError for invalid syntax and for duplicates; InvalidArgument for an unknown method or
/// option and a value out of bounds.
[[nodiscard]] std::vector<MethodVariant> parse_variants(const std::string& text, std::optional<std::int64_t> seed,
                                                        std::optional<double> threshold);

/// Parses "4,8,16": integers, at least 1, without duplicates. Throws InvalidArgument, naming the flag.
[[nodiscard]] std::vector<std::int64_t> parse_dimensions(const std::string& flag, const std::string& text);

/// The fit of this variant with this dimension.
[[nodiscard]] FitRequest fit_of(const MethodVariant& variant, std::int64_t dimension);

}  // namespace isogon::cli
