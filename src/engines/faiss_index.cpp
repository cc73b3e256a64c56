#include "engines/faiss_index.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "io/atomic_file.hpp"
#include "isogon/core/error.hpp"
#include "transform/projection_map.hpp"

namespace isogon {

namespace {

constexpr std::size_t codebook = 256;
constexpr std::size_t rows_at_once = 4096;

/// Appends a number as faiss does, whose byte order is that of the machines it runs on.
template <class Number>
void put(std::string& bytes, Number value) {
    auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(value);
    if constexpr (std::endian::native == std::endian::big) {
        std::reverse(raw.begin(), raw.end());
    }
    bytes.append(raw.data(), raw.size());
}

/// The beginning of every index (write_index_header in faiss's sources).
std::string header(const std::string& name, Index dimension, Index count, Metric metric) {
    std::string bytes = name;
    put(bytes, static_cast<std::int32_t>(dimension));
    put(bytes, std::int64_t{count});
    constexpr std::int64_t unused = 1 << 20;
    put(bytes, unused);
    put(bytes, unused);
    put(bytes, std::uint8_t{1});  // trained
    put(bytes, std::int32_t{metric == Metric::Euclidean ? 1 : 0});
    return bytes;
}

void put_list(std::string& bytes, const std::vector<float>& values) {
    put(bytes, std::uint64_t{values.size()});
    for (const float value : values) {
        put(bytes, value);
    }
}

/// Points of length 1, or 0.
Points directions(const PointsView& points, Range range) {
    const PointsView rows{points.data + range.begin * points.stride, static_cast<Index>(range.size()), points.dimension,
                          points.stride};
    const std::vector<double> lengths = norms(rows);
    Points unit(rows.count, rows.dimension);
    for (Index i = 0; i < rows.count; ++i) {
        std::transform(rows[i].begin(), rows[i].end(), unit[i].begin(), [&](float value) {
            return lengths[i] > 0.0 ? static_cast<float>(double{value} / lengths[i]) : 0.0F;
        });
    }
    return unit;
}

/// The mean in the coordinates of the codewords: mean R.
std::vector<double> rotated_mean(const VectorCodes& codes) {
    std::vector<double> mean(codes.dimension(), 0.0);
    for (Index i = 0; i < codes.dimension(); ++i) {
        for (Index k = 0; k < codes.dimension(); ++k) {
            mean[k] += double{codes.mean()[i]} * double{codes.rotation()[i][k]};
        }
    }
    return mean;
}

float in_float(double value, const std::string& source) {
    if (!(std::abs(value) <= double{std::numeric_limits<float>::max()})) {
        throw InputError(source, "", "has a map whose numbers are beyond float32, which is all that faiss computes in");
    }
    return static_cast<float>(value);
}

}  // namespace

FaissIndex::FaissIndex(const PointsView& points, Metric metric)
    : metric_(metric), stored_dimension_(points.dimension), points_(points) {
    require_finite(points, "input");
    static_cast<void>(find_product_metric(name(metric)));
    if (metric == Metric::Cosine) {
        steps_.push_back({points.dimension, points.dimension});
    }
}

FaissIndex::FaissIndex(const VectorCodes& codes) : metric_(codes.options().metric), codes_(&codes) {
    const Index d = codes.dimension();
    const Index parts = codes.code_bytes();
    const Index length = (d + parts - 1) / parts;  // numbers of the longest part, and here of all
    stored_dimension_ = parts * length;
    if (metric_ == Metric::Cosine) {
        steps_.push_back({d, d});
    }
    Step rotation{d, stored_dimension_, std::vector<float>(std::size_t{stored_dimension_} * d)};
    codewords_.assign(std::size_t{parts} * codebook * length, 0.0F);
    // |x R - mean R - word| needs the mean subtracted first: products of vectors far from the origin leave few digits.
    // x . (word R^T + mean) = x R . (word + mean R) needs it in the words, as x itself must not be shifted.
    const bool shift_words = metric_ == Metric::InnerProduct;
    const std::vector<double> mean = rotated_mean(codes);
    rotation.shift.assign(shift_words ? 0 : stored_dimension_, 0.0F);
    for (Index m = 0; m < parts; ++m) {
        const Range own = codes.columns_of_byte(m);
        for (std::size_t k = own.begin; k < own.end; ++k) {
            const std::size_t row = std::size_t{m} * length + (k - own.begin);
            for (Index i = 0; i < d; ++i) {
                rotation.matrix[row * d + i] = codes.rotation()[i][k];
            }
            if (!shift_words) {
                rotation.shift[row] = in_float(-mean[k], "codes");
            }
            for (std::size_t c = 0; c < codebook; ++c) {
                const auto word = static_cast<Index>(c < codes.codewords().count() ? c : 0);
                codewords_[(m * codebook + c) * length + (k - own.begin)] =
                    in_float(double{codes.codewords()[word][k]} + (shift_words ? mean[k] : 0.0), "codes");
            }
        }
    }
    steps_.push_back(std::move(rotation));
}

Index FaissIndex::count() const {
    return codes_ != nullptr ? codes_->count() : points_.count;
}

void FaissIndex::map_first(const Archive& model) {
    const auto kind = model.notes.find("map");
    if (model.kind == ArchiveKind::Model && kind != model.notes.end() && kind->second != "linear") {
        throw InputError(model.source, "",
                         "is a model of " + model.method +
                             ", whose map is not linear, so faiss cannot compute it; place queries by isogon "
                             "transform, and search an index without it");
    }
    const ProjectionMap map(model);
    if (map.output_dimension() != dimension()) {
        throw InvalidArgument("model", "to " + std::to_string(map.output_dimension()) + " numbers",
                              "must map to " + std::to_string(dimension()) + ", which the vectors of the index have");
    }
    const DenseMatrix& directions = map.decomposition().directions;
    const std::vector<double>& center = map.decomposition().center;
    Step step{map.input_dimension(), map.output_dimension()};
    step.matrix.resize(directions.rows * directions.columns);
    step.shift.assign(center.empty() ? 0 : directions.columns, 0.0F);
    for (std::size_t a = 0; a < directions.columns; ++a) {
        double shift = 0.0;
        for (std::size_t k = 0; k < directions.rows; ++k) {
            step.matrix[a * directions.rows + k] = static_cast<float>(directions(k, a));
            shift -= center.empty() ? 0.0 : center[k] * directions(k, a);
        }
        if (!center.empty()) {
            step.shift[a] = in_float(shift * map.unit(), model.source);
        }
    }
    steps_.insert(steps_.begin(), std::move(step));
}

void FaissIndex::set_ids(std::span<const std::int64_t> ids) {
    if (ids.size() != count()) {
        throw InvalidArgument("ids", std::to_string(ids.size()),
                              "must be " + std::to_string(count()) + ", one for each vector");
    }
    ids_ = ids;
}

std::string FaissIndex::bytes_of(const Step& step) {
    std::string bytes;
    if (step.matrix.empty()) {
        bytes = "VNrm";
        put(bytes, 2.0F);  // the norm by whose value is divided
    } else {
        bytes = "LTra";
        put(bytes, std::uint8_t{step.shift.empty() ? std::uint8_t{0} : std::uint8_t{1}});
        put_list(bytes, step.matrix);
        put_list(bytes, step.shift);
    }
    put(bytes, static_cast<std::int32_t>(step.from));
    put(bytes, static_cast<std::int32_t>(step.to));
    put(bytes, std::uint8_t{1});  // trained
    return bytes;
}

std::string FaissIndex::before_vectors() const {
    // Products of directions are cosines; codes of directions are compared by distance (see the constructor).
    const Metric searched =
        metric_ == Metric::Cosine ? (codes_ != nullptr ? Metric::Euclidean : Metric::InnerProduct) : metric_;
    const bool euclidean = searched == Metric::Euclidean;
    std::string bytes;
    if (!ids_.empty()) {
        bytes += header("IxMp", dimension(), count(), searched);
    }
    if (!steps_.empty()) {
        bytes += header("IxPT", dimension(), count(), searched);
        put(bytes, static_cast<std::int32_t>(steps_.size()));
        for (const Step& step : steps_) {
            bytes += bytes_of(step);
        }
    }
    if (codes_ == nullptr) {
        bytes += header(euclidean ? "IxF2" : "IxFI", stored_dimension_, count(), searched);
        put(bytes, std::uint64_t{count()} * stored_dimension_);
        return bytes;
    }
    bytes += header("IxPq", stored_dimension_, count(), searched);
    put(bytes, std::uint64_t{stored_dimension_});
    put(bytes, std::uint64_t{codes_->code_bytes()});
    put(bytes, std::uint64_t{8});  // bits of a code
    put_list(bytes, codewords_);
    put(bytes, std::uint64_t{codes_->codes().size()});
    return bytes;
}

std::string FaissIndex::after_vectors() const {
    std::string bytes;
    if (codes_ != nullptr) {
        put(bytes, std::int32_t{0});  // plain search of product codes,
        put(bytes, std::uint8_t{0});  // no signs in them,
        put(bytes, std::int32_t{0});  // no threshold of polysemous codes
    }
    if (!ids_.empty()) {
        put(bytes, std::uint64_t{ids_.size()});
        for (const std::int64_t id : ids_) {
            put(bytes, id);
        }
    }
    return bytes;
}

void FaissIndex::write(const std::filesystem::path& path, const WriteOptions& options,
                       const RunContext& context) const {
    const std::string before = before_vectors();
    const std::string after = after_vectors();
    const std::uint64_t row_bytes =
        codes_ != nullptr ? codes_->code_bytes() : std::uint64_t{stored_dimension_} * sizeof(float);
    AtomicFile file(path, options.overwrite, before.size() + count() * row_bytes + after.size());
    file.write(before);
    if (codes_ != nullptr) {
        file.write({reinterpret_cast<const char*>(codes_->codes().data()), codes_->codes().size()});
    }
    for (std::size_t b = 0; b < block_count(points_.count, rows_at_once); ++b) {
        throw_if_cancelled(context);
        const Range range = block_range(b, points_.count, rows_at_once);
        const Points unit = metric_ == Metric::Cosine ? directions(points_, range) : Points();
        std::string bytes;
        for (std::size_t i = 0; i < range.size(); ++i) {
            const auto row = static_cast<Index>(i);
            for (const float value : unit.empty() ? points_[static_cast<Index>(range.begin + i)] : unit[row]) {
                put(bytes, value);
            }
        }
        file.write(bytes);
    }
    file.write(after);
    file.commit();
}

}  // namespace isogon
