#include "isogon/core/trace.hpp"

#include <utility>

namespace isogon {

namespace {

constexpr std::uint64_t columns = 3;

}  // namespace

void add_trace(const std::string& name, const std::vector<IterationRecord>& trace, Archive& archive) {
    std::vector<double> numbers;
    for (const auto& record : trace) {
        numbers.insert(numbers.end(), {record.objective, record.change, record.seconds});
    }
    archive.add(name, Array{{trace.size(), columns}, std::move(numbers)});
}

void add_trace(const std::string& name, ArchiveSchema& schema, const ArchiveRange& rows) {
    constexpr double largest = 1e300;  // so that differences and sums of two are finite
    schema.size(name, rows);
    schema.add({.name = name,
                .scalar = ArchiveArray::Scalar::Float64,
                .shape = {name.c_str(), columns},
                .values = {{-largest, largest}}});
}

std::vector<IterationRecord> trace_in(const Archive& archive, const std::string& name) {
    const auto& numbers = archive.numbers<double>(name, {Archive::any_length, columns});
    std::vector<IterationRecord> trace;
    for (std::size_t i = 0; i < numbers.size(); i += columns) {
        trace.push_back({static_cast<int>(i / columns) + 1, numbers[i], numbers[i + 1], numbers[i + 2]});
    }
    return trace;
}

}  // namespace isogon
