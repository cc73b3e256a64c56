#include "report/document.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "isogon/core/run_context.hpp"
#include "report/json_writer.hpp"
#include "report/measures.hpp"
#include "report/packed_array.hpp"
#include "report/point_columns.hpp"

namespace isogon {

namespace {

// 16 levels of grey pack twice as well as 256, and on 28 x 28 pixels look the same. Below a few megabytes the reduction
// is not worth it.
constexpr std::uint64_t pixels_in_full = 2'000'000;

unsigned levels_for(std::uint64_t pixels) {
    return pixels <= pixels_in_full ? 256 : 16;
}

}  // namespace

Thumbnails::Thumbnails(const PointsView& images, const ImageShape& shape)
    : images_(images), shape_(shape), square_((std::max(shape.width, shape.height) + most_side - 1) / most_side) {
    levels_ = levels_for(std::uint64_t{images.count} * width() * height());
    for (Index i = 0; i < images.count; ++i) {
        for (const float value : images[i]) {
            low_ = std::min(low_, value);
            high_ = std::max(high_, value);
        }
    }
}

double Thumbnails::mean_of_square(std::span<const float> image, Index row, Index column) const {
    const Index bottom = std::min((row + 1) * square_, shape_.height);
    const Index right = std::min((column + 1) * square_, shape_.width);
    double sum = 0.0;
    Index pixels = 0;
    for (Index r = row * square_; r < bottom; ++r) {
        for (Index c = column * square_; c < right; ++c) {
            sum += double{image[std::size_t{r} * shape_.width + c]};
            ++pixels;
        }
    }
    return sum / pixels;
}

void Thumbnails::draw(Index i, std::span<std::uint8_t> pixels) const {
    const double range = double{high_} - double{low_};
    for (Index row = 0; row < height(); ++row) {
        for (Index column = 0; column < width(); ++column) {
            const double grey = range > 0.0 ? (mean_of_square(images_[i], row, column) - double{low_}) / range : 0.0;
            pixels[std::size_t{row} * width() + column] = static_cast<std::uint8_t>(std::lround(grey * (levels_ - 1)));
        }
    }
}

std::optional<std::string> write_thumbnails(JsonWriter& json, const PointsView& images, const ImageShape& shape,
                                            std::size_t most_bytes) {
    const Thumbnails thumbnails(images, shape);
    JsonWriter pictures;
    pictures.begin_object().whole("width", thumbnails.width()).whole("height", thumbnails.height());
    pictures.whole("levels", thumbnails.levels()).key("pixels");
    write_rows(pictures, {images.count, std::size_t{thumbnails.width()} * thumbnails.height()},
               [&](std::size_t i, std::span<std::uint8_t> row) { thumbnails.draw(static_cast<Index>(i), row); });
    pictures.end_object();
    if (pictures.json().size() > most_bytes) {
        json.null();
        return "The pictures of " + count_text(images.count) + " images are left out: they would take " +
               human_bytes(pictures.json().size()) + ", and reports keep to " + human_bytes(most_bytes) +
               " of pictures.";
    }
    json.raw(pictures.take());
    return std::nullopt;
}

namespace {

constexpr int version = 1;
/// Part of the 25 MB that a report of 70,000 pictures may have; coordinates and neighbours take the other 11.
constexpr std::size_t most_picture_bytes = 14'000'000;

std::string title_of(const ReportSubject& subject) {
    return subject.title.empty() ? subject.name + ": " + points_count_text(subject.inputs.count) + ", " +
                                       std::to_string(subject.inputs.dimension) + " to " +
                                       std::to_string(subject.coordinates.dimension) + " dimensions"
                                 : subject.title;
}

class Writer {
public:
    Writer(const ReportSubject& subject, const Measures& measures, const ReportOrigin& origin,
           std::vector<std::string> warnings)
        : subject_(subject),
          measures_(measures),
          origin_(origin),
          count_(subject.inputs.count),
          warnings_(std::move(warnings)) {}

    ReportDocument run() {
        json_.begin_object().text("format", "isogon-report").whole("version", version).text("kind", "embedding");
        json_.text("title", title_of(subject_));
        write_origin(json_, origin_);
        if (subject_.run) {
            write_run(json_, *subject_.run);
        } else {
            json_.key("run").null();
        }
        write_points_of_subject();
        json_.key("axes").begin_object().list("variances", measures_.variances).end_object();
        write_neighbors();
        write_verdict();
        write_quality();
        write_angles();
        write_spectrum();
        json_.list("warnings", warnings_).end_object();
        return {json_.take(), std::move(warnings_)};
    }

private:
    void write_points_of_subject() {
        const PointsView shown = measures_.on_axes.empty() ? subject_.coordinates : measures_.on_axes.view();
        json_.key("points").begin_object().whole("count", count_);
        json_.whole("input_dimension", subject_.inputs.dimension).whole("dimension", shown.dimension);
        json_.whole("output_dimension", subject_.coordinates.dimension).key("coordinates");
        write_coordinates(json_, shown);
        write_layout();
        write_rows_of_points();
        write_facts_of_points();
        write_classes(json_, subject_.labels);
        write_words();
        write_columns(json_, subject_.columns);
        write_images();
        json_.end_object();
    }

    void write_layout() {
        json_.key("layout");
        if (!measures_.layout) {
            json_.null();
            return;
        }
        json_.begin_object().key("coordinates");
        write_coordinates(json_, measures_.layout->places.view());
        json_.number("kept", measures_.layout->kept).number("kept_inputs", measures_.layout->kept_inputs).end_object();
    }

    void write_rows_of_points() {
        if (!subject_.rows.empty()) {
            json_.key("rows");
            write_array(json_, subject_.rows, {count_});
            json_.whole("points_in_all", std::max<std::uint64_t>(subject_.points_in_all, count_));
        }
    }

    void write_facts_of_points() {
        std::vector<std::uint8_t> isolated(count_);
        std::vector<float> lengths(count_);
        std::vector<std::uint16_t> errors(count_);
        for (Index i = 0; i < count_; ++i) {
            const bool alone = measures_.points.pairs[i] == 0;
            isolated[i] = alone && measures_.lengths[i] > 0.0 ? 1 : 0;
            lengths[i] = static_cast<float>(measures_.lengths[i]);
            errors[i] = alone ? no_number : angle_code(measures_.points.deviation_degrees[i]);
        }
        json_.key("isolated");
        write_array(json_, isolated, {count_});
        json_.key("norm");
        write_array(json_, lengths, {count_});
        json_.key("angle_error");
        write_array(json_, errors, {count_}, angle_scaling);
    }

    void write_words() {
        json_.key("words");
        if (subject_.words.empty()) {
            json_.null();
            return;
        }
        json_.begin_object().key("gzip");
        write_packed_texts(json_, subject_.words);
        json_.end_object();
    }

    void write_images() {
        json_.key("images");
        std::optional<std::string> left_out;
        if (subject_.images) {
            left_out = write_thumbnails(json_, subject_.inputs, *subject_.images, most_picture_bytes);
        } else {
            json_.null();
        }
        json_.key("images_left_out");
        if (left_out) {
            json_.text(*left_out);
            warnings_.push_back(*left_out);
        } else {
            json_.null();
        }
    }

    static std::string far_by(Nearness nearness) { return nearness == Nearness::Euclidean ? "distance" : "angle"; }

    void write_list(std::string_view name, const ComparedLists& lists) {
        const ComparedNeighbors& all = measures_.neighbors;
        const std::vector<std::size_t> shape{count_, all.size};
        json_.key(name).begin_object().key("index");
        write_array(json_, lists.index, shape);
        json_.key(far_by(all.metrics.input) + "_in");
        write_array(json_, lists.in, shape, all.in_scaling);
        json_.key(far_by(all.metrics.output) + "_out");
        write_array(json_, lists.out, shape, all.out_scaling);
        json_.end_object();
    }

    void write_neighbors() {
        json_.key("neighbors").begin_object().whole("k", measures_.neighbors.size);
        json_.text("by", far_by(measures_.neighbors.metrics.output));
        const SideMetrics& metrics = measures_.neighbors.metrics;
        json_.text("by_input", metrics.correlation ? "correlation" : far_by(metrics.input));
        json_.number("recall", measures_.neighbors.recall);
        write_list("input", measures_.neighbors.input);
        write_list("embedding", measures_.neighbors.output);
        json_.end_object();
    }

    void write_verdict() {
        json_.key("verdict").begin_object();
        const Verdict& verdict = measures_.verdict;
        json_.list("good", verdict.good).list("fair", verdict.fair).list("outdone", verdict.outdone);
        json_.list("poor", verdict.poor).list("chance", verdict.chance).text("baseline", verdict.baseline).end_object();
    }

    void write_chance() {
        const Chance& chance = measures_.chance;
        json_.key("chance").begin_object();
        json_.number("recall_at_" + std::to_string(measures_.score.neighbors), chance.recall.mean);
        if (chance.deviation_degrees) {
            json_.number("deviation_without_self_degrees", chance.deviation_degrees->mean);
            json_.number("jaccard_without_self", chance.jaccard);
        }
        if (chance.knn_accuracy) {
            json_.number("knn_accuracy", chance.knn_accuracy->mean);
        }
        json_.number("trustworthiness", chance.trustworthiness.mean);
        json_.number("continuity", chance.trustworthiness.mean);
        json_.number("pair_correlation", chance.pair_correlation.mean).end_object();
    }

    void write_row(const std::string& name, const Score& score) {
        json_.begin_object().text("name", name).key("measures");
        write_score(json_, score);
        json_.end_object();
    }

    void write_quality() {
        json_.key("quality").begin_object().key("rows").begin_array();
        write_row(subject_.name, measures_.score);
        if (measures_.svd) {
            const bool centered = measures_.score.metrics.output == Nearness::Euclidean;
            write_row(centered ? "PCA, same number of dimensions" : "SVD, same number of dimensions", *measures_.svd);
        }
        json_.end_array();
        write_chance();
        json_.number("pair_correlation", measures_.pair_correlation).whole("rank_rows", measures_.score.rank_rows);
        json_.key("worst_points").begin_array();
        for (const auto& [point, share] : measures_.score.kept.worst()) {
            json_.begin_object().whole("point", point).number("kept", share).end_object();
        }
        json_.end_array().end_object();
        json_.number("threshold", measures_.score.threshold).number("sparsity", measures_.score.sparsity);
    }

    void write_edges(double width, Index bins) {
        json_.key("edges_degrees").begin_array();
        for (Index b = 0; b <= bins; ++b) {
            json_.number(width * b);
        }
        json_.end_array();
    }

    void write_angles() {
        const AngleDensity& angles = measures_.angles;
        json_.key("angles").begin_object();
        write_edges(1.0, AngleDensity::angles);
        json_.list("input", angles.in).list("embedding", angles.out);
        json_.whole("sampled_pairs", angles.pairs).whole("sampled_points", angles.points).key("density").begin_object();
        write_edges(AngleDensity::square_side, AngleDensity::squares);
        const std::vector<std::uint32_t> counts(angles.density.begin(), angles.density.end());
        json_.key("counts");
        write_array(json_, counts, {AngleDensity::squares, AngleDensity::squares});
        json_.end_object().end_object();
    }

    void write_spectrum() {
        json_.key("spectrum").begin_object().text("name", measures_.spectrum.name);
        json_.list("values", measures_.spectrum.values).end_object();
    }

    const ReportSubject& subject_;
    const Measures& measures_;
    const ReportOrigin& origin_;
    std::size_t count_;
    std::vector<std::string> warnings_;
    JsonWriter json_;
};

}  // namespace

ReportDocument write_document(const ReportSubject& subject, const Measures& measures, const ReportOrigin& origin,
                              std::vector<std::string> warnings) {
    return Writer(subject, measures, origin, std::move(warnings)).run();
}

}  // namespace isogon
