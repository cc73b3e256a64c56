#pragma once
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "arguments.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/synthetic/generator.hpp"

namespace isogon::bench {

struct Digits {
    Points points;
    const char* kind = "";  ///< "MNIST" or "drawn"
};

/// The folder with MNIST's files: in --data, ISOGON_DATA or ../shared/data; empty if it lies in none of them.
inline std::filesystem::path mnist_folder(const Arguments& arguments) {
    const char* variable = std::getenv("ISOGON_DATA");
    for (const std::string& data : {arguments.text("--data", ""), std::string(variable != nullptr ? variable : ""),
                                    std::string("../shared/data")}) {
        auto folder = std::filesystem::path(data) / "mnist";
        if (!data.empty() && std::filesystem::exists(folder / "train-images-idx3-ubyte.gz")) {
            return folder;
        }
    }
    return {};
}

/// Every `step`-th of the 70,000 MNIST images, train followed by test, `count` of them at most; drawn digits, as many,
/// where there is no MNIST.
inline Digits digits(const Arguments& arguments, Index count, Index step, const RunContext& context) {
    constexpr Index all = 70000;
    count = std::min(count, (all + step - 1) / step);
    const std::filesystem::path folder = mnist_folder(arguments);
    if (folder.empty()) {
        return {find_generator("drawn-digits").generate(count, 0, {}, context).points, "drawn"};
    }
    const Dataset train = read_points(folder / "train-images-idx3-ubyte.gz");
    const Dataset test = read_points(folder / "t10k-images-idx3-ubyte.gz");
    Points points(count, train.points.dimension);
    for (Index i = 0; i < count; ++i) {
        const Index row = i * step;
        const auto image = row < train.points.count ? train.points[row] : test.points[row - train.points.count];
        std::copy(image.begin(), image.end(), points[i].begin());
    }
    return {std::move(points), "MNIST"};
}

/// Scales every point to length 1; zero vectors stay.
inline void set_unit_lengths(Points& points) {
    const std::vector<double> lengths = norms(points.view());
    for (Index i = 0; i < points.count(); ++i) {
        for (float& value : points[i]) {
            value = lengths[i] > 0.0 ? static_cast<float>(double{value} / lengths[i]) : 0.0F;
        }
    }
}

}  // namespace isogon::bench
