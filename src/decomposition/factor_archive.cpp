#include "isogon/decomposition/factor_archive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

WideVectors transposed(const WideVectors& block) {
    WideVectors result(block.columns, block.rows);
    for (Index i = 0; i < block.rows; ++i) {
        for (Index k = 0; k < block.columns; ++k) {
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

/// Numbers of two axes, in either precision.
WideVectors block_in(const Archive& archive, const std::string& name) {
    constexpr std::uint64_t any = Archive::any_length;
    const Array& array = archive.array(name);
    const bool narrow = std::holds_alternative<std::vector<float>>(array.values);
    WideVectors block;
    if (narrow) {
        const auto& floats = archive.numbers<float>(name, {any, any});
        block.values.assign(floats.begin(), floats.end());
    } else {
        block.values = archive.numbers<double>(name, {any, any});
    }
    constexpr std::uint64_t most = std::numeric_limits<Index>::max();
    if (array.shape[0] == 0 || array.shape[1] == 0 || array.shape[0] > most || array.shape[1] > most) {
        throw InputError(
            archive.source, "array " + name,
            "is of shape " + shape_name(array.shape) + "; both sides must be from 1 to " + std::to_string(most));
    }
    block.rows = static_cast<Index>(array.shape[0]);
    block.columns = static_cast<Index>(array.shape[1]);
    return block;
}

}  // namespace

void require_precision(const WideSparseMatrix& s, FactorPrecision precision) {
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

Array factor_array(WideVectors block, FactorPrecision precision, const char* name) {
    Array array{{block.rows, block.columns}, {}};
    if (precision == FactorPrecision::Float32) {
        array.values = narrowed(block.values, name);
    } else {
        array.values = std::move(block.values);
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
    if (archive.kind != ArchiveKind::Decomposition) {
        throw InputError(
            archive.source, "",
            "is a " + std::string(name(archive.kind)) + ", not a decomposition, which isogon decompose writes");
    }
    ReluFactors factors{block_in(archive, "W"), {}};
    const WideVectors right = block_in(archive, "H");
    if (right.rows != factors.left.columns) {
        throw InputError(archive.source, "",
                         "W has " + std::to_string(factors.left.columns) + " columns, but H has " +
                             std::to_string(right.rows) + " rows");
    }
    factors.right = transposed(right);
    return factors;
}

}  // namespace isogon
