// Where the program starts as a file of its own; the Python package calls begin() instead.
#include "begin.hpp"

int main(int argc, char** argv) {
    return isogon::cli::begin(argc, argv);
}
