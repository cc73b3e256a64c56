#include "core/archive_schema.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"

namespace isogon {

namespace {

using Form = ArchiveRange::Form;
using Scalar = ArchiveArray::Scalar;

constexpr double most_points = std::numeric_limits<Index>::max();

[[noreturn]] void refuse(const Archive& archive, const std::string& array, const std::string& why) {
    throw InputError(archive.source, "array " + array, why);
}

Text wanted(ArchiveKind kind) {
    switch (kind) {
        case ArchiveKind::Model: return {"no model; ", Text::option("embed model"), " writes one"};
        case ArchiveKind::Checkpoint:
            return {"no checkpoint to resume from; ", Text::option("embed checkpoint"), " writes one"};
        case ArchiveKind::IvfIndex: return {"no index; ", Text::option("neighbors save-index"), " writes one"};
        case ArchiveKind::NeighborGraph: return "no neighbour graph; isogon neighbors -o GRAPH.safetensors writes one";
        case ArchiveKind::Decomposition: return "not a decomposition, which isogon decompose writes";
        case ArchiveKind::Run: return "no kept run";
        case ArchiveKind::Codes: return "no codes; isogon quantize writes them";
    }
    return "";
}

std::string_view type_name(Scalar scalar) {
    switch (scalar) {
        case Scalar::Float32: return "float32";
        case Scalar::Float64: return "float64";
        case Scalar::AnyFloat: return "float32 or float64";
        case Scalar::Uint8: return "uint8";
        case Scalar::Uint32: return "uint32";
        case Scalar::Uint64: return "uint64";
    }
    return "";
}

bool is_of(const Array::Values& values, Scalar scalar) {
    const std::string_view type = scalar_name(values);
    return scalar == Scalar::AnyFloat ? type == "float32" || type == "float64" : type == type_name(scalar);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

std::string number_text(double number) {
    const bool whole = number == std::floor(number) && std::abs(number) < 0x1p53;
    return whole ? std::to_string(static_cast<std::int64_t>(number)) : to_text(OptionValue{number});
}

/// "(D, rank), where D = 64": the sizes known so far are printed with their values.
std::string shape_text(const std::vector<ArchiveBound>& shape, const ArchiveSchema::Sizes& sizes) {
    std::string text;
    std::string known;
    for (const ArchiveBound& side : shape) {
        const std::string plus = side.number == 0.0 ? "" : " + " + number_text(side.number);
        text += (text.empty() ? "" : ", ") + (side.size.empty() ? number_text(side.number) : side.size + plus);
        if (const auto found = sizes.find(side.size);
            found != sizes.end() && known.find(side.size) == std::string::npos) {
            known += (known.empty() ? ", where " : ", ") + side.size + " = " + std::to_string(found->second);
        }
    }
    return "(" + text + ")" + known;
}

/// NumberBounds as numbers: of one array, evaluated once.
struct NumberBounds {
    NumberBounds(const ArchiveRange& range, const ArchiveSchema::Sizes& sizes)
        : least(value_of(range.least, sizes)), most(value_of(range.most, sizes)), form(range.form) {}

    static double value_of(const ArchiveBound& bound, const ArchiveSchema::Sizes& sizes) {
        return bound.number + (bound.size.empty() ? 0.0 : static_cast<double>(sizes.at(bound.size)));
    }

    [[nodiscard]] bool allow(double value) const {
        int exponent = 0;
        switch (form) {
            case Form::Any: return least <= value && value <= most;
            case Form::Open: return least < value && value < most;
            case Form::Whole: return least <= value && value <= most && value == std::floor(value);
            case Form::PowerOfTwo: return least <= value && value <= most && std::frexp(value, &exponent) == 0.5;
        }
        return false;
    }

    [[nodiscard]] std::string text() const {
        const std::string what = form == Form::Whole        ? "a whole number "
                                 : form == Form::PowerOfTwo ? "a power of two "
                                                            : "";
        if (form == Form::Open) {
            return "must be above " + number_text(least) + " and below " + number_text(most);
        }
        if (least == most) {
            return "must be " + number_text(least);
        }
        if (std::isinf(most)) {
            return "must be " + what + "at least " + number_text(least);
        }
        return "must be " + what + "from " + number_text(least) + " to " + number_text(most);
    }

    double least;
    double most;
    Form form;
};

void require_values(const Archive& archive, const ArchiveArray& rule, const Array& array,
                    const ArchiveSchema::Sizes& sizes) {
    std::vector<NumberBounds> bounds;
    for (const ArchiveRange& range : rule.values) {
        bounds.emplace_back(range, sizes);
    }
    std::visit(
        [&](const auto& list) {
            for (std::size_t i = 0; i < list.size(); ++i) {
                const auto value = static_cast<double>(list[i]);
                if (!std::isfinite(value) || (!bounds.empty() && !bounds[i % bounds.size()].allow(value))) {
                    const std::string place = place_name(array.shape, i);
                    refuse(archive, rule.name,
                           "holds " + number_text(value) + (place.empty() ? "" : " at " + place) + "; " +
                               (bounds.empty() ? "must be finite" : bounds[i % bounds.size()].text()));
                }
            }
        },
        array.values);
}

void require_unit_rows(const Archive& archive, const std::string& name) {
    constexpr double slack = 1e-3;  // on squares: rounding to float32
    const PointsView rows = points_view(archive, name);
    const std::vector<double> lengths = norms(rows);
    for (Index i = 0; i < rows.count; ++i) {
        if (lengths[i] != 0.0 && !(std::abs(lengths[i] * lengths[i] - 1.0) <= slack)) {
            refuse(archive, name,
                   "holds a row " + std::to_string(i) + " of length " + number_text(lengths[i]) +
                       "; rows must have length 1, or be zeros");
        }
    }
}

}  // namespace

ArchiveSchema& ArchiveSchema::add(ArchiveArray array) {
    arrays_.push_back(std::move(array));
    return *this;
}

ArchiveSchema& ArchiveSchema::size(const std::string& name, const ArchiveRange& range) {
    ranges_.insert_or_assign(name, range);
    return *this;
}

ArchiveSchema& ArchiveSchema::note(const std::string& name, std::vector<std::string> choices) {
    notes_.insert_or_assign(name, std::move(choices));
    return *this;
}

ArchiveSchema& ArchiveSchema::methods(std::vector<std::string> names) {
    methods_ = std::move(names);
    return *this;
}

void ArchiveSchema::require_size(const Archive& archive, const ArchiveArray& rule, const std::string& name,
                                 double value, Sizes& sizes) const {
    const auto found = ranges_.find(name);
    const NumberBounds bounds(found == ranges_.end() ? ArchiveRange{1, most_points} : found->second, sizes);
    if (!bounds.allow(value)) {
        const Array& array = archive.array(rule.name);
        refuse(archive, rule.name,
               (array.shape.empty()
                    ? "holds " + number_text(value)
                    : "has the shape " + shape_name(array.shape) + ", hence " + name + " = " + number_text(value)) +
                   "; " + bounds.text());
    }
    sizes.emplace(name, static_cast<std::uint64_t>(value));
}

void ArchiveSchema::require_shape(const Archive& archive, const ArchiveArray& rule, Sizes& sizes) const {
    const Array& array = archive.array(rule.name);
    bool fits = is_of(array.values, rule.scalar) && array.shape.size() == rule.shape.size();
    for (std::size_t axis = 0; fits && axis < rule.shape.size(); ++axis) {
        const ArchiveBound& side = rule.shape[axis];
        if (!side.size.empty() && sizes.find(side.size) == sizes.end()) {
            require_size(archive, rule, side.size, static_cast<double>(array.shape[axis]), sizes);
        }
        fits = static_cast<double>(array.shape[axis]) == NumberBounds::value_of(side, sizes);
    }
    if (!fits || element_count(array.shape) != value_count(array.values)) {
        refuse(archive, rule.name,
               "holds " + std::string(scalar_name(array.values)) + " of shape " + shape_name(array.shape) +
                   "; must be " + std::string(type_name(rule.scalar)) + " of shape " + shape_text(rule.shape, sizes));
    }
}

ArchiveSchema::Sizes ArchiveSchema::require(const Archive& archive, Sizes known) const {
    if (kind_ && archive.kind != *kind_) {
        throw InputError(archive.source, "", {"this is a " + std::string(name(archive.kind)) + ", ", wanted(*kind_)});
    }
    if (!methods_.empty() && std::find(methods_.begin(), methods_.end(), archive.method) == methods_.end()) {
        throw InputError(archive.source, "method", "is " + archive.method + "; must be one of " + joined(methods_));
    }
    for (const auto& [note, choices] : notes_) {
        if (std::find(choices.begin(), choices.end(), archive.note(note)) == choices.end()) {
            throw InputError(archive.source, "note " + note,
                             "is \"" + archive.note(note) + "\"; must be one of " + joined(choices));
        }
    }
    for (const ArchiveArray& rule : arrays_) {
        if (rule.optional && !archive.has(rule.name)) {
            continue;
        }
        require_shape(archive, rule, known);
        const Array& array = archive.array(rule.name);
        require_values(archive, rule, array, known);
        if (rule.unit_rows) {
            require_unit_rows(archive, rule.name);
        }
        if (!rule.is.empty()) {
            const auto value =
                std::visit([](const auto& list) { return static_cast<double>(list.front()); }, array.values);
            require_size(archive, rule, rule.is, value, known);
        }
    }
    return known;
}

PointsView points_view(const Archive& archive, const std::string& name) {
    const std::span<const float> values = archive.floats(name, {Archive::any_length, Archive::any_length});
    const auto& shape = archive.array(name).shape;
    return {values.data(), static_cast<Index>(shape[0]), static_cast<Index>(shape[1])};
}

namespace {

constexpr std::uint64_t trace_columns = 3;

}  // namespace

void add_trace(const std::string& name, const std::vector<IterationRecord>& trace, Archive& archive) {
    std::vector<double> numbers;
    for (const auto& record : trace) {
        numbers.insert(numbers.end(), {record.objective, record.change, record.seconds});
    }
    archive.add(name, Array{{trace.size(), trace_columns}, std::move(numbers)});
}

void add_trace(const std::string& name, ArchiveSchema& schema, const ArchiveRange& rows) {
    constexpr double largest = 1e300;  // so that differences and sums of two are finite
    schema.size(name, rows);
    schema.add({.name = name,
                .scalar = ArchiveArray::Scalar::Float64,
                .shape = {name.c_str(), trace_columns},
                .values = {{-largest, largest}}});
}

std::vector<IterationRecord> trace_in(const Archive& archive, const std::string& name) {
    const auto& numbers = archive.numbers<double>(name, {Archive::any_length, trace_columns});
    std::vector<IterationRecord> trace;
    for (std::size_t i = 0; i < numbers.size(); i += trace_columns) {
        trace.push_back({static_cast<int>(i / trace_columns) + 1, numbers[i], numbers[i + 1], numbers[i + 2]});
    }
    return trace;
}

}  // namespace isogon
