#pragma once
#include <string>
#include <vector>

namespace isogon::cli::data_files {

// Of the folder that --data names; docs/data.md says where the public gets them.
using Files = std::vector<std::string>;

inline const Files training{"mnist/train-images-idx3-ubyte.gz", "mnist/train-labels-idx1-ubyte.gz"};
inline const Files testing{"mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz"};
inline const Files words{"wordvectors/googlenews-word2vec-8000x300.vec.gz"};
inline const Files questions{"analogies/questions-words.txt.gz"};
inline const Files objects{"coil-20/coil20-32x32-images-idx3-float.gz", "coil-20/coil20-labels-idx1-ubyte.gz"};
inline const Files postal_digits{"usps/usps11000-images-idx3-ubyte.gz", "usps/usps11000-labels-idx1-ubyte.gz"};

/// All of several.
[[nodiscard]] inline Files both(Files one, const Files& other) {
    one.insert(one.end(), other.begin(), other.end());
    return one;
}

/// "mnist/, wordvectors/": the folders that they are in.
[[nodiscard]] inline std::string folders_of(const Files& files) {
    std::string folders;
    for (const auto& file : files) {
        const std::string folder = file.substr(0, file.find('/') + 1);
        if (folders.find(folder) == std::string::npos) {
            folders += (folders.empty() ? "" : ", ") + folder;
        }
    }
    return folders;
}

}  // namespace isogon::cli::data_files
