#include "convert.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <limits>
#include <string_view>

#include "neighbors/given_neighbors.hpp"

namespace isogon::python {

namespace {

Index count_of(std::size_t number, const char* what) {
    if (number > std::numeric_limits<Index>::max()) {
        throw InvalidArgument(what, std::to_string(number), "rows and columns must be below 4294967296");
    }
    return static_cast<Index>(number);
}

OptionValue to_option(const std::string& name, nb::handle value) {
    if (value.is_none()) {
        return {};
    }
    if (nb::isinstance<nb::bool_>(value)) {
        return nb::cast<bool>(value);
    }
    if (nb::isinstance<nb::int_>(value)) {
        std::int64_t whole = 0;
        if (!nb::try_cast(value, whole)) {
            throw InvalidArgument(name, nb::str(value).c_str(), "must fit into 64 bits");
        }
        return whole;
    }
    if (nb::isinstance<nb::float_>(value)) {
        return nb::cast<double>(value);
    }
    if (nb::isinstance<nb::str>(value)) {
        return nb::cast<std::string>(value);
    }
    throw nb::type_error((name + ": must be None, a bool, an int, a float or a str").c_str());
}

nb::dict numbers_by_name(const std::vector<std::pair<std::string, double>>& named) {
    nb::dict dictionary;
    for (const auto& [name, value] : named) {
        dictionary[name.c_str()] = value;
    }
    return dictionary;
}

nb::dict columns_of(const std::vector<IterationRecord>& trace) {
    nb::list iterations;
    nb::list objectives;
    nb::list changes;
    nb::list seconds;
    for (const auto& record : trace) {
        iterations.append(record.iteration);
        objectives.append(record.objective);
        changes.append(record.change);
        seconds.append(record.seconds);
    }
    nb::dict dictionary;
    dictionary["iteration"] = iterations;
    dictionary["objective"] = objectives;
    dictionary["change"] = changes;
    dictionary["seconds"] = seconds;
    return dictionary;
}

nb::object number_or_none(const std::optional<double>& value) {
    return value ? nb::cast(*value) : nb::none();
}

}  // namespace

PointsView view_of(const RowArray& rows, const char* what) {
    const Index count = count_of(rows.shape(0), what);
    const Index dimension = count_of(rows.shape(1), what);
    if (count == 0 || dimension == 0) {
        return {rows.data(), count, dimension};
    }
    // Strides of an axis of length 1 say nothing.
    const bool whole_rows = dimension == 1 || rows.stride(1) == 1;
    const bool forward = count == 1 || rows.stride(0) >= static_cast<std::int64_t>(dimension);
    if (!whole_rows || !forward) {
        throw nb::value_error(
            (std::string(what) + ": the numbers of a row must lie side by side, rows in their order").c_str());
    }
    return {rows.data(), count, dimension, count == 1 ? dimension : static_cast<std::size_t>(rows.stride(0))};
}

nb::object to_numpy(Points points) {
    auto* kept = new Points(std::move(points));
    const nb::capsule owner(kept, [](void* held) noexcept { delete static_cast<Points*>(held); });
    return nb::cast(nb::ndarray<nb::numpy, float>(kept->values().data(), {kept->count(), kept->dimension()}, owner));
}

nb::object to_numpy(const Array& array) {
    const std::vector<std::size_t> shape(array.shape.begin(), array.shape.end());
    return std::visit(
        [&](const auto& values) {
            using Number = typename std::decay_t<decltype(values)>::value_type;
            return to_numpy(std::vector<Number>(values.begin(), values.end()), shape);
        },
        array.values);
}

OptionValues to_options(const nb::dict& values) {
    OptionValues options;
    for (const auto& [name, value] : values) {
        const auto text = nb::cast<std::string>(name);
        options.emplace(text, to_option(text, value));
    }
    return options;
}

nb::object to_python(const OptionValue& value) {
    struct Writer {
        nb::object operator()(std::monostate) const { return nb::none(); }
        nb::object operator()(bool v) const { return nb::bool_(v); }
        nb::object operator()(std::int64_t v) const { return nb::int_(v); }
        nb::object operator()(double v) const { return nb::float_(v); }
        nb::object operator()(const std::string& v) const { return nb::str(v.c_str()); }
    };
    return std::visit(Writer{}, value);
}

nb::dict to_python(const OptionValues& values) {
    nb::dict dictionary;
    for (const auto& [name, value] : values) {
        dictionary[name.c_str()] = to_python(value);
    }
    return dictionary;
}

nb::dict to_python(const std::map<std::string, Array, std::less<>>& arrays) {
    nb::dict dictionary;
    for (const auto& [name, array] : arrays) {
        dictionary[name.c_str()] = to_numpy(array);
    }
    return dictionary;
}

nb::list to_python(const std::vector<OptionSpec>& specs) {
    constexpr std::array<const char*, 4> kinds{"flag", "integer", "number", "choice"};
    nb::list list;
    for (const auto& spec : specs) {
        nb::dict entry;
        entry["name"] = spec.name;
        entry["help"] = spec.help;
        entry["kind"] = kinds.at(static_cast<std::size_t>(spec.kind));
        entry["default"] = to_python(spec.default_value);
        entry["automatic"] = spec.automatic;
        entry["fits_data"] = spec.fits_data;
        entry["minimum"] = number_or_none(spec.minimum);
        entry["maximum"] = number_or_none(spec.maximum);
        entry["open"] = spec.open;
        entry["choices"] = nb::cast(spec.choices);
        list.append(entry);
    }
    return list;
}

nb::dict to_python(const Summary& summary) {
    const std::string_view reason = name(summary.termination);
    nb::dict dictionary;
    dictionary["termination"] = nb::str(reason.data(), reason.size());
    dictionary["message"] = summary.message;
    dictionary["trace"] = columns_of(summary.trace);
    dictionary["seconds"] = numbers_by_name(summary.seconds);
    dictionary["counts"] = numbers_by_name(summary.counts);
    dictionary["measures"] = numbers_by_name(summary.measures);
    nb::list warnings;
    for (const Text& warning : summary.warnings) {
        warnings.append(nb::cast(in_python(warning)));
    }
    dictionary["warnings"] = warnings;
    dictionary["seed"] = summary.seed;
    dictionary["threads"] = summary.threads;
    return dictionary;
}

CsrMatrix<double> to_matrix(const CompressedRows& rows) {
    const auto& [offsets, columns, values, width] = rows;
    CsrMatrix<double> matrix;
    matrix.rows = static_cast<Index>(offsets.size() - 1);
    matrix.columns = width;
    matrix.offsets.assign(offsets.data(), offsets.data() + offsets.size());
    matrix.indices.assign(columns.data(), columns.data() + columns.size());
    matrix.values.assign(values.data(), values.data() + values.size());
    return matrix;
}

NeighborLists to_lists(const IndexTable& indices, const std::optional<DistanceTable>& distances, Index points) {
    NeighborLists lists{.size = count_of(indices.shape(1), "neighbors")};
    lists.indices.assign(indices.data(), indices.data() + indices.size());
    if (distances) {
        lists.distances.assign(distances->data(), distances->data() + distances->size());
    }
    return neighbor_lists_from(std::move(lists), points, "neighbors");
}

}  // namespace isogon::python
