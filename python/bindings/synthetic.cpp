#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "convert.hpp"
#include "isogon/synthetic/generator.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

nb::tuple generate(const std::string& name, Index count, std::uint64_t seed, const nb::dict& values,
                   const RunSettings& settings) {
    const Generator& generator = find_generator(name);
    const OptionValues options = to_options(values);
    Generated made;
    run_or_raise(settings, [&](const RunContext& context) {
        made = generator.generate(count, seed, options, context);
        if (made.points.count() != count) {
            throw Interruption{context.interruption().value_or(Termination::Cancelled)};
        }
    });
    const std::size_t labels = made.labels.size();
    const bool truth = !made.truth.empty();
    return nb::make_tuple(to_numpy(std::move(made.points)),
                          labels == 0 ? nb::none() : to_numpy(std::move(made.labels), {labels}),
                          truth ? to_numpy(std::move(made.truth)) : nb::none());
}

}  // namespace

void add_synthetic(nb::module_& m) {
    m.def("generators", [] {
        nb::list list;
        for (const auto& generator : generators()) {
            nb::dict entry;
            entry["name"] = generator.name;
            entry["title"] = generator.title;
            entry["options"] = to_python(generator.options);
            entry["from_images"] = generator.from_images;
            list.append(entry);
        }
        return list;
    });
    m.def("generate", &generate, nb::arg("name"), nb::arg("count"), nb::arg("seed"), nb::arg("options"),
          nb::arg("run"));
}

}  // namespace isogon::python
