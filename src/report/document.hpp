#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/report/report.hpp"
#include "report/json_writer.hpp"
#include "report/measures.hpp"

namespace isogon {

/// Points as small pictures: at most 32 pixels a side (larger ones are averaged over squares of pixels), in 256
/// levels of grey, or 16 where they are many.
class Thumbnails {
public:
    static constexpr Index most_side = 32;

    /// Grey goes from the smallest number of all images, or 0 if that is more, to the largest. O(n D).
    Thumbnails(const PointsView& images, const ImageShape& shape);

    [[nodiscard]] Index width() const { return (shape_.width + square_ - 1) / square_; }
    [[nodiscard]] Index height() const { return (shape_.height + square_ - 1) / square_; }
    [[nodiscard]] unsigned levels() const { return levels_; }
    /// Fills `pixels`, width() x height() of them, with whole numbers below levels().
    void draw(Index i, std::span<std::uint8_t> pixels) const;

private:
    [[nodiscard]] double mean_of_square(std::span<const float> image, Index row, Index column) const;

    PointsView images_;
    ImageShape shape_;
    Index square_;
    unsigned levels_;
    float low_ = 0.0F;
    float high_ = 0.0F;
};

/// Writes the value of "images". Returns why it is null where the pictures would take more than `most_bytes`.
std::optional<std::string> write_thumbnails(JsonWriter& json, const PointsView& images, const ImageShape& shape,
                                            std::size_t most_bytes);

/// The document of an embedding, docs/report_data.md.
struct ReportDocument {
    std::string json{};
    std::vector<std::string> warnings{};  ///< warnings of the report, and those found while it was written
};

/// `origin` is the result of the subject's own callback.
[[nodiscard]] ReportDocument write_document(const ReportSubject& subject, const Measures& measures,
                                            const ReportOrigin& origin, std::vector<std::string> warnings);

/// viewer/dist/report.html, byte for byte. Its definition is made at build time by cmake/IsogonReportPage.cmake.
[[nodiscard]] std::string_view page_bytes();

}  // namespace isogon
