#pragma once
#include <string>
#include <vector>

#include "isogon/report/report.hpp"

namespace isogon {

/// Some points of a subject, as a subject of its own that owns what it is about.
struct SampledSubject {
    Points inputs{};
    Points coordinates{};
    std::vector<std::string> words{};
    ReportSubject subject{};  ///< of the above; good while they stay where they are

    /// The points that `chosen` lists. O(chosen (D + d)).
    SampledSubject(const ReportSubject& all, const std::vector<Index>& chosen);
    SampledSubject(const SampledSubject&) = delete;
    SampledSubject& operator=(const SampledSubject&) = delete;
    SampledSubject(SampledSubject&&) = delete;
    SampledSubject& operator=(SampledSubject&&) = delete;
    ~SampledSubject() = default;

    [[nodiscard]] static std::uint64_t bytes(const ReportSubject& all, std::size_t chosen);
};

}  // namespace isogon
