#pragma once
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace isogon::bench {

/// The arguments after the name of a bench: words, and flags with a value each. `scripts/bench` hands the same flags to
/// every bench, so one that a bench does not know is left alone.
class Arguments {
public:
    /// Prints `help` and ends if that is asked for.
    Arguments(int count, char** words, const char* help) : words_(words + 1, words + count) {
        for (const auto& word : words_) {
            if (word == "--help" || word == "-h") {
                std::fputs(help, stdout);
                std::exit(0);
            }
        }
    }

    /// The value of `flag`, or `otherwise`.
    [[nodiscard]] std::string text(const std::string& flag, std::string otherwise) const {
        for (std::size_t k = 0; k + 1 < words_.size(); ++k) {
            if (words_[k] == flag) {
                return words_[k + 1];
            }
        }
        return otherwise;
    }

    [[nodiscard]] double number(const std::string& flag, double otherwise) const {
        const std::string found = text(flag, "");
        if (found.empty()) {
            return otherwise;
        }
        char* end = nullptr;
        const double value = std::strtod(found.c_str(), &end);
        if (*end != '\0' || !(value >= 0.0)) {
            std::fprintf(stderr, "%s %s: must be a number, 0 or more\n", flag.c_str(), found.c_str());
            std::exit(2);
        }
        return value;
    }

    /// Whole numbers with commas in between.
    [[nodiscard]] std::vector<unsigned> numbers(const std::string& flag, const std::string& otherwise) const {
        std::istringstream list(text(flag, otherwise));
        std::vector<unsigned> values;
        for (std::string word; std::getline(list, word, ',');) {
            const unsigned long value = std::strtoul(word.c_str(), nullptr, 10);
            if (value == 0 || value > 1'000'000) {
                std::fprintf(stderr, "%s %s: must be numbers from 1 to 1,000,000, with commas in between\n",
                             flag.c_str(), list.str().c_str());
                std::exit(2);
            }
            values.push_back(static_cast<unsigned>(value));
        }
        return values;
    }

    [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

private:
    std::vector<std::string> words_;
};

}  // namespace isogon::bench
