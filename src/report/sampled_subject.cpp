#include "report/sampled_subject.hpp"

#include <algorithm>
#include <iterator>

#include "isogon/core/rows.hpp"

namespace isogon {

SampledSubject::SampledSubject(const ReportSubject& all, const std::vector<Index>& chosen)
    : inputs(read_rows(ViewRows(all.inputs), chosen)),
      coordinates(read_rows(ViewRows(all.coordinates), chosen)),
      subject(all) {
    if (!all.words.empty()) {
        words.reserve(chosen.size());
        std::transform(chosen.begin(), chosen.end(), std::back_inserter(words), [&](Index i) { return all.words[i]; });
    }
    if (!all.labels.empty()) {
        subject.labels = classes_of(all.labels, chosen);
    }
    subject.rows = chosen;
    for (Index& row : subject.rows) {
        row = all.rows.empty() ? row : all.rows[row];
    }
    subject.points_in_all = std::max<std::uint64_t>(all.points_in_all, all.inputs.count);
    subject.inputs = inputs.view();
    subject.coordinates = coordinates.view();
    subject.words = words;
}

std::uint64_t SampledSubject::bytes(const ReportSubject& all, std::size_t chosen) {
    const std::uint64_t numbers = std::uint64_t{all.inputs.dimension} + all.coordinates.dimension;
    return chosen * (numbers * sizeof(float) + sizeof(Index));
}

}  // namespace isogon
