#include "decomposition/decompose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "core/archive_schema.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

MultiVector<double> transposed(const MultiVector<double>& block) {
    MultiVector<double> result(block.columns(), block.rows());
    for (Index i = 0; i < block.rows(); ++i) {
        for (Index k = 0; k < block.columns(); ++k) {
            result.at(k, i) = block.at(i, k);
        }
    }
    return result;
}

std::vector<float> narrowed(const std::vector<double>& values, const char* name) {
    std::vector<float> floats;
    floats.reserve(values.size());
    for (const double value : values) {
        if (std::abs(value) > std::numeric_limits<float>::max()) {
            throw InvalidArgument("precision", "float32",
                                  std::string(name) + " holds " + to_text(OptionValue{value}) +
                                      ", beyond its range; keep float64, or scale S");
        }
        floats.push_back(static_cast<float>(value));
    }
    return floats;
}

/// Reads a block in either precision.
MultiVector<double> block_in(const Archive& archive, const std::string& name, std::uint64_t rows,
                             std::uint64_t columns) {
    MultiVector<double> block(static_cast<Index>(rows), static_cast<Index>(columns));
    std::visit([&](const auto& values) { std::copy(values.begin(), values.end(), block.values().begin()); },
               archive.array(name).values);
    return block;
}

}  // namespace

void require_precision(const CsrMatrix<double>& s, FactorPrecision precision) {
    // Balanced factors are as large as the root of L's largest singular value: 2^100 of 2^127 leave 2^54 for how much
    // larger that is than the entries of S.
    constexpr int most = 200;
    double largest = 0.0;
    for (const double value : s.values) {
        largest = std::max(largest, value);
    }
    if (precision == FactorPrecision::Float32 && largest > 0.0 && std::abs(std::ilogb(largest)) > most) {
        throw InvalidArgument("precision", "float32",
                              "the largest entry of S is " + to_text(OptionValue{largest}) +
                                  ", beyond 2^-200 to 2^200, and its factors may be beyond float32: keep float64, or "
                                  "scale S");
    }
}

Array factor_array(MultiVector<double> block, FactorPrecision precision, const char* name) {
    Array array{{block.rows(), block.columns()}, {}};
    if (precision == FactorPrecision::Float32) {
        array.values = narrowed(block.values(), name);
    } else {
        array.values = std::move(block.values());
    }
    return array;
}

Archive factor_archive(const Decomposition& decomposition, const DecomposeOptions& options, FactorPrecision precision) {
    Archive archive{.kind = ArchiveKind::Decomposition};
    archive.options = decompose_option_table().values(options);
    archive.method = to_text(archive.options.at("algorithm"));
    const Summary& summary = decomposition.summary;
    archive.notes.emplace("termination", name(summary.termination));
    archive.notes.emplace("updates", std::to_string(summary.trace.size()));
    for (const auto& [what, value] : summary.measures) {
        archive.notes.emplace(what, to_text(OptionValue{value}));
    }
    archive.add("W", factor_array(decomposition.factors.left, precision, "W"));
    archive.add("H", factor_array(transposed(decomposition.factors.right), precision, "H"));
    return archive;
}

ReluFactors factors_in(const Archive& archive) {
    constexpr auto either = ArchiveArray::Scalar::AnyFloat;
    const auto sizes = ArchiveSchema(ArchiveKind::Decomposition)
                           .add({.name = "W", .scalar = either, .shape = {"m", "r"}})
                           .add({.name = "H", .scalar = either, .shape = {"r", "n"}})
                           .require(archive);
    ReluFactors factors{block_in(archive, "W", sizes.at("m"), sizes.at("r")), {}};
    factors.right = transposed(block_in(archive, "H", sizes.at("r"), sizes.at("n")));
    return factors;
}

}  // namespace isogon
