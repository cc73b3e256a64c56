// From a file of points to coordinates, a model of the fit, and coordinates of points that come later.
#include <cstdio>
#include <filesystem>

#include "isogon/core/archive.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/output.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "isogon/synthetic/generator.hpp"
#include "isogon/transform/new_point_map.hpp"

namespace {

void fit_and_place(const std::filesystem::path& folder) {
    const isogon::WriteOptions again{.overwrite = true};
    const auto made = isogon::find_generator("drawn-digits").generate(400, 0, {}, {});
    isogon::write_points(folder / "digits.npy", made.points.view(), {}, again);

    const isogon::Dataset digits = isogon::read_points(folder / "digits.npy");
    const isogon::Embedding fit = isogon::find_method("pca").embed(digits.points, {{"dimension", std::int64_t{8}}});
    isogon::write_points(folder / "coordinates.npy", fit.coordinates.view(), {}, again);
    isogon::write_archive(folder / "model.safetensors", isogon::make_model("pca", digits.points, fit), again);

    const isogon::Transformer model(isogon::read_archive(folder / "model.safetensors"), {});
    const auto later = isogon::find_generator("drawn-digits").generate(3, 1, {}, {});
    const isogon::Transformed placed = model.transform(later.points.view(), {});
    std::printf("%u points in %u numbers\n", placed.coordinates.count(), placed.coordinates.dimension());
}

}  // namespace

int main() {
    const auto folder = std::filesystem::temp_directory_path() / "isogon-keep-a-model";
    try {
        std::filesystem::create_directories(folder);
        fit_and_place(folder);
    } catch (const isogon::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    std::filesystem::remove_all(folder);
    return 0;
}
