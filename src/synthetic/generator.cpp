#include "isogon/synthetic/generator.hpp"

#include "isogon/synthetic/arcs.hpp"
#include "isogon/synthetic/blobs.hpp"
#include "isogon/synthetic/drawn_digits.hpp"
#include "isogon/synthetic/sphere.hpp"
#include "isogon/synthetic/swiss_roll.hpp"

namespace isogon {

namespace {

template <class Options>
Generator make_generator(std::string name, std::string title, const OptionTable<Options>& table,
                         Generated (*generate)(Index, std::uint64_t, const Options&, const RunContext&)) {
    return {std::move(name), std::move(title), table.specs(),
            [&table, generate](Index count, std::uint64_t seed, const OptionValues& values, const RunContext& context) {
                return generate(count, seed, table.make(values), context);
            }};
}

}  // namespace

const std::vector<Generator>& generators() {
    static const std::vector<Generator> list{
        make_generator("drawn-digits", "Images of handwritten digits, drawn stroke by stroke",
                       drawn_digits_option_table(), &drawn_digits),
        make_generator("swiss-roll", "A flat sheet rolled up in three dimensions", swiss_roll_option_table(),
                       &swiss_roll),
        make_generator("arcs", "Beads along a string on the unit circle or sphere", arcs_option_table(), &arcs),
        make_generator("blobs", "Gaussian blobs", blobs_option_table(), &blobs),
        make_generator("sphere", "Uniform points on a sphere, of the whole space or of a subspace",
                       sphere_option_table(), &sphere),
    };
    return list;
}

const Generator& find_generator(std::string_view name) {
    std::string names;
    for (const auto& generator : generators()) {
        if (generator.name == name) {
            return generator;
        }
        names += (names.empty() ? "" : ", ") + generator.name;
    }
    throw InvalidArgument("generator", std::string(name), "must be one of " + names);
}

}  // namespace isogon
