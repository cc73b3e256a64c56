#pragma once
#include <string>
#include <vector>

#include "isogon/report/report.hpp"
#include "report/measures.hpp"

namespace isogon {

/// The document of an embedding, docs/report_data.md.
struct ReportDocument {
    std::string json{};
    std::vector<std::string> warnings{};  ///< those of the report, with what was found out on writing
};

/// `origin` is what the subject's own answers.
[[nodiscard]] ReportDocument write_document(const ReportSubject& subject, const Measures& measures,
                                            const ReportOrigin& origin, std::vector<std::string> warnings);

}  // namespace isogon
