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

[[nodiscard]] ReportDocument write_document(const ReportSubject& subject, const Measures& measures,
                                            std::vector<std::string> warnings);

}  // namespace isogon
