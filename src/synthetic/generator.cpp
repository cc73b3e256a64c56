#include "isogon/synthetic/generator.hpp"

#include "isogon/core/did_you_mean.hpp"
#include "isogon/core/error.hpp"
#include "isogon/synthetic/arcs.hpp"
#include "isogon/synthetic/blobs.hpp"
#include "isogon/synthetic/deformed_images.hpp"
#include "isogon/synthetic/drawn_digits.hpp"
#include "isogon/synthetic/sphere.hpp"
#include "isogon/synthetic/swiss_roll.hpp"

namespace isogon {

namespace {

template <class Options>
Generator make_generator(std::string name, std::string title, const OptionTable<Options>& table,
                         PointMaker (*maker)(std::uint64_t, const Options&, const RunContext&)) {
    return {name, std::move(title), table.specs(), false,
            [name, &table, maker](std::uint64_t seed, const OptionValues& values, const SourceImages& images,
                                  const RunContext& context) {
                if (!images.empty()) {
                    throw InvalidArgument("from", std::to_string(images.images.count) + " images",
                                          name + " makes its points of nothing; leave them out");
                }
                return maker(seed, table.make(values), context);
            }};
}

Generator deformed_generator() {
    return {"deformed", "New images from given ones, by smooth random warps", deformed_images_option_table().specs(),
            true,
            [](std::uint64_t seed, const OptionValues& values, const SourceImages& images, const RunContext& context) {
                return deformed_images_maker(images, seed, deformed_images_option_table().make(values), context);
            }};
}

}  // namespace

Generated Generator::generate(Index count, std::uint64_t seed, const OptionValues& values, const RunContext& context,
                              const SourceImages& images) const {
    return make_points(prepare(seed, values, images, context), 0, count, context);
}

const std::vector<Generator>& generators() {
    static const std::vector<Generator> list{
        make_generator("drawn-digits", "Images of handwritten digits, drawn stroke by stroke",
                       drawn_digits_option_table(), &drawn_digits_maker),
        make_generator("swiss-roll", "A flat sheet rolled up in three dimensions", swiss_roll_option_table(),
                       &swiss_roll_maker),
        make_generator("arcs", "Beads along a string on the unit circle or sphere", arcs_option_table(), &arcs_maker),
        make_generator("blobs", "Gaussian blobs", blobs_option_table(), &blobs_maker),
        make_generator("sphere", "Uniform points on a sphere, of the whole space or of a subspace",
                       sphere_option_table(), &sphere_maker),
        deformed_generator(),
    };
    return list;
}

const Generator& find_generator(std::string_view name) {
    std::vector<std::string> known;
    std::string names;
    for (const auto& generator : generators()) {
        if (generator.name == name) {
            return generator;
        }
        known.push_back(generator.name);
        names += (names.empty() ? "" : ", ") + generator.name;
    }
    throw InvalidArgument("generator", std::string(name), "must be one of " + names + did_you_mean(name, known));
}

}  // namespace isogon
