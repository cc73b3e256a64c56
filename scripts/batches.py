#!/usr/bin/env python3
"""Which files can be compiled as one: batches.py FILE...  prints a line for each, "BATCH FILE"; "0 FILE": alone.

Nearly all of a compiler's time goes to the headers of a file, which it reads again for every file; a batch reads them
once. Files can stand together if they define nothing twice (in anonymous namespaces, where functions may differ by
their parameters) and none of them uses, for something else, a name that another one defines: it would also hide a function
of that name in the namespace around. Only lines are read here: what escapes them the compiler reports. CMake asks this (cmake/IsogonUnity.cmake), and scripts/tidy imports it.
"""
import pathlib
import re
import sys

# What begins at the margin inside an anonymous namespace: functions, classes, constants; the name stands before ( { = ;
OWN_NAME = re.compile(r'^(?:[\w:<>,&*\s]+?[\s&*>])?(\w+)(?:<.*>)?(?:\s*([({=;\[])|\s+:\s)')
WORD = re.compile(r'[A-Za-z_]\w*')
# Not a member, nor named with its namespace.
CALL = re.compile(r'(?<![\w.:])(?<!->)([A-Za-z_]\w*)\s*\(')
COMMENT_OR_TEXT = re.compile(r'//.*|"(?:[^"\\]|\\.)*"')


def parameter_types(text):
    """The types of a function's parameters, from what follows its '(': each without its last word, which is its name."""
    depth, parameters = 0, ['']
    for letter in text:
        depth += (letter in '<([{') - (letter in '>)]}')
        if depth < 0:
            break
        if letter == ',' and depth == 0:
            parameters.append('')
        else:
            parameters[-1] += letter
    return ','.join(' '.join(re.sub(r'\s*\w+\s*$', '', parameter.split('=')[0]).split()) for parameter in parameters)


def own_names(text):
    """What a file defines for itself alone, as far as lines tell: names, and functions by name and types."""
    names, functions, inside = set(), set(), False
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if line.startswith('namespace {'):
            inside = True
        elif line.startswith('}  // namespace'):
            inside = False
        elif inside and line and line[0] not in ' }/#':
            found = OWN_NAME.match(line)
            if found and found.group(2) == '(':
                functions.add((found.group(1), parameter_types(' '.join([line[found.end():], *lines[place + 1:place + 6]]))))
            elif found:
                names.add(found.group(1))
    return names, functions


class Source:
    """What decides where a file can stand."""

    def __init__(self, text):
        self.names, self.functions = own_names(text)
        code = COMMENT_OR_TEXT.sub('', text)
        self.words = set(WORD.findall(code))
        self.function_names = {name for name, _ in self.functions}
        self.foreign_calls = set(CALL.findall(code)) - self.function_names
        # Files that include themselves once for every set of instructions cannot be included by another.
        self.alone = 'HWY_TARGET_INCLUDE' in text


class Batch:
    """Files that are compiled in the same way and share no name of their own."""

    def __init__(self, key, most):
        self.key, self.most = key, most
        self.files, self.names, self.functions, self.words = [], set(), set(), set()
        self.function_names, self.foreign_calls = set(), set()

    def takes(self, source):
        return not (len(self.files) == self.most or self.names & source.words or source.names & self.words
                    or self.functions & source.functions or self.function_names & source.foreign_calls
                    or source.function_names & self.foreign_calls)

    def add(self, file, source):
        self.files.append(file)
        self.names |= source.names
        self.functions |= source.functions
        self.words |= source.words
        self.function_names |= source.function_names
        self.foreign_calls |= source.foreign_calls


def batches(files_and_keys, most):
    """Batches of at most `most` files of the same key: every file in the first batch that takes it."""
    made, open_ones = [], []
    for file, key in sorted(files_and_keys):
        source = Source(pathlib.Path(file).read_text(encoding='utf-8'))
        batch = next((batch for batch in open_ones if not source.alone and batch.key == key and batch.takes(source)), None)
        if batch is None:
            batch = Batch(key, most)
            made.append(batch)
            if not source.alone:
                open_ones.append(batch)
        batch.add(file, source)
    return made


def main():
    for number, batch in enumerate(batches([(file, '') for file in sys.argv[1:]], most=12), 1):
        for file in batch.files:
            print(number if len(batch.files) > 1 else 0, file)


if __name__ == '__main__':
    main()
