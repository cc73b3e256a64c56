#pragma once
// The command line of isogon transform, and the run that gives each input an output of its own.

#include <memory>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/methods/model.hpp"
#include "program/json.hpp"
#include "program/option_flags.hpp"
#include "program/session.hpp"
#include "verbs.hpp"

namespace isogon::cli {

struct Transform {
    std::string model;
    std::vector<std::string> inputs;
    std::string output;
    std::string output_format = "npy";  ///< extension of the outputs in a folder
    std::string by;                     ///< empty: the default of the model
    bool inverse = false;
    std::string search;
    std::string distances;  ///< empty: none are written
    bool keep_columns = false;
    InputFlags reading;
    OptionFlags options;
};

/// The columns of what was fitted, on whichever side of the map they are.
[[nodiscard]] ColumnNames fitted_columns(const Transform& verb, const Transformer& transformer);

/// Throws InputError unless the points of `file` have the dimension that the map takes.
void require_input_dimension(const std::string& file, Index dimension, const Transform& verb,
                             const Transformer& transformer);

/// The JSON of every run: its model, and how it places rows.
[[nodiscard]] Json model_json(const Transform& verb, const Transformer& transformer);

/// Throws UsageError unless each input can have an output of its own in the folder verb.output: a file of the same
/// stem, which is no input and, without --overwrite, does not exist. InvalidArgument for --output-format.
void require_output_folder(const Transform& verb, const Session& session);

/// Transforms each input into its output in the folder verb.output, which it creates. All inputs are checked before
/// work starts: text files are then read whole, of others only the headers. A file with NaN gets no output, and the run
/// goes on. Memory as transform_rows() for one file at a time. Throws what
/// describe_current_exception() classifies.
[[nodiscard]] Outcome transform_into_folder(const Transform& verb, const Transformer& transformer, Session& session);

}  // namespace isogon::cli
