#include "workshop.hpp"

#include <fmt/format.h>

#include <sstream>
#include <system_error>

#include "../failure.hpp"
#include "isogon/core/error.hpp"

namespace isogon::cli {

namespace {

constexpr const char* train_images = "mnist/train-images-idx3-ubyte.gz";
constexpr const char* train_labels = "mnist/train-labels-idx1-ubyte.gz";
constexpr const char* test_images = "mnist/t10k-images-idx3-ubyte.gz";
constexpr const char* test_labels = "mnist/t10k-labels-idx1-ubyte.gz";

}  // namespace

std::string Workshop::file(const std::string& name) const {
    if (data_.empty()) {
        throw UsageError("this figure needs " + name + "; name the folder that holds it with --data");
    }
    std::filesystem::path path = data_ / name;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        throw UsageError(path.string() +
                         ": missing, and this figure needs it; README.md says where the public gets data");
    }
    return path.string();
}

void Workshop::require(const std::string& needs) const {
    std::istringstream folders(needs);
    for (std::string name; folders >> name;) {
        static_cast<void>(file(name.substr(0, name.find('/'))));
    }
}

Input Workshop::labelled(const std::vector<std::string>& points, const std::vector<std::string>& labels,
                         std::int64_t every, std::int64_t from) {
    InputFlags flags;
    flags.every = std::to_string(every);
    flags.from = std::to_string(from);
    std::vector<std::string> files;
    files.reserve(points.size());
    for (const auto& name : points) {
        files.push_back(file(name));
    }
    Input input = read_input(files, flags, Finite::Required, session_);
    files.clear();
    for (const auto& name : labels) {
        files.push_back(file(name));
    }
    if (!files.empty()) {
        input.labels = read_picked_labels(files, flags, input);
    }
    return input;
}

Input Workshop::digits(std::int64_t every, std::int64_t from) {
    return labelled({train_images, test_images}, {train_labels, test_labels}, every, from);
}

Input Workshop::training_digits(std::int64_t every) {
    return labelled({train_images}, {train_labels}, every);
}

Input Workshop::test_digits(std::int64_t every) {
    return labelled({test_images}, {test_labels}, every);
}

Input Workshop::words() {
    return read_input({file("wordvectors/googlenews-word2vec-8000x300.vec.gz")}, {}, Finite::Required, session_);
}

CachedFit required_fit(CachedRuns& runs, const WantedFit& wanted) {
    CachedFit fit = runs.fit(wanted);
    if (!fit.refused.empty()) {
        throw InputError(wanted.method, "", fit.refused);
    }
    return fit;
}

std::string with_commas(std::uint64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        text.append(i > 0 && (digits.size() - i) % 3 == 0 ? "," : "").push_back(digits[i]);
    }
    return text;
}

}  // namespace isogon::cli
