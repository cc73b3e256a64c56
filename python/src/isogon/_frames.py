"""Tables that the command isogon reads by libraries of Python: parquet and Arrow by pyarrow, HDF5 and .h5ad by h5py."""

import os
from contextlib import suppress
from types import SimpleNamespace

import numpy as np

from . import _tables

_ROWS = 1 << 13  # of a block: what is held twice


def read(path, **options):
    """The points of a file as rows of float32, their labels and words as texts ([]: none), names of columns, notes."""
    table = _opened(path, options["format"])
    parts = _parts(table, **options)
    if table.count(parts.points[0]) >= 1 << 32:
        raise ValueError("holds 2^32 rows or more, which cannot be numbered; give a part of them")
    rows = np.empty((table.count(parts.points[0]), parts.width), np.float32)
    texts = {name: [] for name in (parts.label, parts.word) if name is not None}
    begin = 0
    for block in table.blocks([*dict.fromkeys([*parts.points, *texts])]):
        column, end = 0, begin
        for name in parts.points:
            values = table.numbers(block, name, begin)
            width, end = (values.shape[1] if values.ndim == 2 else 1), begin + len(values)
            _cast(values.reshape(len(values), width), rows[begin:end, column : column + width], name, begin)
            column += width
        for name, kept in texts.items():
            kept.extend(table.texts(block, name))
        begin = end
    return SimpleNamespace(
        rows=rows,
        labels=texts.get(parts.label, []),
        words=texts.get(parts.word, []),
        names=parts.names,
        notes=parts.notes,
    )


def describe(path, **options):
    """The shape of the same points, from the head of the file."""
    table = _opened(path, options["format"])
    parts = _parts(table, **options)
    return SimpleNamespace(
        shape=[table.count(parts.points[0]), parts.width],
        scalar=table.scalar(parts.points[0]),
        has_labels=parts.label is not None,
        has_words=parts.word is not None,
        has_names=bool(parts.names),
    )


def extend(output, inputs, begin, every, prefix, columns):
    """Writes the rows begin, begin + every, ... of parquet and Arrow files, stacked, with further columns."""
    pyarrow = _library("pyarrow")
    tables = [_Arrow(path, "parquet" if _begins(path, b"PAR1") else "arrow").whole() for path in inputs]
    for path, table in zip(inputs, tables):
        if table.column_names != tables[0].column_names:
            raise ValueError(f"--keep-columns needs the columns of {inputs[0]} in the same order; {path} has others")
    table = pyarrow.concat_tables(tables)
    if (begin, every) != (0, 1):
        table = table.take(np.arange(begin, table.num_rows, every))
    if table.num_rows != len(columns):
        raise ValueError(f"{inputs[-1]} has another number of rows than when it was read: it was changed")
    while any(name.startswith(prefix) for name in table.column_names):
        prefix += "_"
    for k in range(columns.shape[1]):
        table = table.append_column(f"{prefix}{k}", pyarrow.array(columns[:, k]))
    partial = f"{output}.{os.getpid()}.partial"
    try:
        if output.lower().endswith(".parquet"):
            _library("pyarrow.parquet").write_table(table, partial)
        else:
            _library("pyarrow.feather").write_feather(table, partial)
        os.replace(partial, output)
    finally:
        with suppress(FileNotFoundError):
            os.remove(partial)


def _library(name):
    import importlib

    package = name.partition(".")[0]
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(f"is read by {package}: pip install {package}") from None


def _begins(path, magic):
    with open(path, "rb") as file:
        return file.read(len(magic)) == magic


def _opened(path, format):
    return _Arrow(path, format) if format in ("parquet", "arrow") else _Hdf5(path, format == "h5ad")


def _cast(values, rows, name, begin):
    """Copies values, which may be beyond float32, into rows of float32."""
    with np.errstate(over="ignore"):
        rows[:] = values
    if values.dtype.kind in "fiu" and values.dtype.itemsize > 4 and np.isinf(rows).any():
        beyond = np.argwhere(np.isinf(rows) & np.isfinite(values))
        if beyond.size:
            raise _tables._fault(f"column {name!r}, row {begin + beyond[0, 0]}", float(values[tuple(beyond[0])]))


def _parts(table, *, format, vectors, label_column, word_column, skip_columns, skip_text, order):
    """Which columns of a table are the points, labels and words."""
    label = _column(table, "--label-column", label_column) or _first(table, table.usual_labels)
    word = _column(table, "--word-column", word_column) or _first(table, table.usual_words)
    lists = [name for name, kind in table.kinds.items() if kind == "vectors"]
    point = _column(table, "--vectors", vectors) or table.usual
    if point is None and (len(lists) > 1 or not (lists or table.has_columns)):
        raise ValueError(f"say with --vectors what the points are, one of {_tables._listed(lists or [*table.kinds])}")
    point = point or (lists[0] if lists else None)
    notes, names = [], []
    if point is not None:
        if table.kinds.get(point) != "vectors":
            raise ValueError(f"--vectors {point}: holds {table.kinds.get(point, 'nothing')}; {table.vectors_are}")
        if skip_columns or skip_text:
            raise ValueError(f"--skip-column and --skip-text have no effect, as {point!r} holds the points")
        points = [point]
    else:
        skipped = {_column(table, "--skip-column", column) for column in skip_columns} | {label, word}
        others = {name: kind for name, kind in table.kinds.items() if name not in skipped}
        points = names = [name for name, kind in others.items() if kind == "numbers"]
        texts = [name for name, kind in others.items() if kind != "numbers"]
        if texts and not skip_text:
            raise ValueError(
                f"column {texts[0]!r} holds {others[texts[0]]}, no numbers: give --label-column, --word-column or "
                f"--skip-column {texts[0]}, or --skip-text, which leaves out {_tables._listed(texts)}"
            )
        if texts:
            notes = [f"left out, as they hold no numbers: {_tables._listed(texts, len(texts))}"]
        if not points:
            raise ValueError(f"holds no numbers; its columns are {_tables._listed(list(table.kinds))}")
        if sorted(order) == sorted(points):
            points = names = order
    width = sum(table.width(name) for name in points)
    return SimpleNamespace(points=points, label=label, word=word, notes=notes, names=names, width=width)


def _column(table, flag, column):
    """The column that a flag names, by name or number."""
    if column is None or column in table.kinds:
        return column
    names = list(table.kinds)
    if column.isdigit() and int(column) < len(names):
        return names[int(column)]
    raise ValueError(f"{flag} {column}: there is no such column; the file has {_tables._listed(names)}")


def _first(table, names):
    return next((name for name in names if table.kinds.get(name) in ("text", "numbers")), None)


class _Arrow:
    """A parquet or an Arrow file, which Feather is, too."""

    has_columns = True
    usual = None  # the name of the points where no flag says which
    usual_labels = ("label",)
    vectors_are = "the points are a column of lists of numbers"

    def __init__(self, path, format):
        self._arrow = _library("pyarrow")
        if format == "parquet":
            file = _library("pyarrow.parquet").ParquetFile(path, pre_buffer=False)
            self._rows, self._schema, self.whole = file.metadata.num_rows, file.schema_arrow, file.read
            self._batches = lambda names: file.iter_batches(_ROWS, columns=names)
        else:
            source = self._arrow.memory_map(path)
            opened = self._arrow.ipc.open_file if _begins(path, b"ARROW1") else self._arrow.ipc.open_stream
            table = opened(source).read_all()
            self._rows, self._schema, self.whole = table.num_rows, table.schema, lambda: table
            self._batches = lambda names: table.select(names).to_batches(_ROWS)
        self.kinds = {field.name: self._kind(field.type) for field in self._schema}
        if self._rows == 0:
            raise ValueError("holds no rows")
        index = (self._schema.pandas_metadata or {}).get("index_columns", [])
        self.usual_words = [name for name in index if isinstance(name, str)] + ["word", "id", "text"]
        self._widths = {}

    def _kind(self, kind):
        is_a = self._arrow.types
        if is_a.is_list(kind) or is_a.is_large_list(kind) or is_a.is_fixed_size_list(kind):
            return "vectors" if self._kind(kind.value_type) == "numbers" else str(kind)
        if any(is_one(kind) for is_one in (is_a.is_integer, is_a.is_floating, is_a.is_decimal, is_a.is_boolean)):
            return "numbers"
        return "text" if not is_a.is_nested(kind) else str(kind)

    def width(self, name):
        if self.kinds[name] != "vectors":
            return 1
        if name not in self._widths:
            first = next(iter(self._batches([name]))).column(0)
            first = self._arrow.chunked_array([first[:1]])
            self._widths[name] = _tables._vectors(first, f"column {name!r}")[0].shape[1]
        return self._widths[name]

    def count(self, name):
        return self._rows

    def scalar(self, name):
        kind = self._schema.field(name).type
        return str(kind.value_type if self.kinds[name] == "vectors" else kind)

    def blocks(self, names):
        return self._batches(names)

    def numbers(self, block, name, begin):
        column = block.column(name)
        if self.kinds[name] == "vectors":
            column = self._arrow.chunked_array([column])
            return _tables._vectors(column, f"column {name!r}", begin, self.width(name))[0]
        if column.null_count:
            raise _tables._missing(f"column {name!r}, row {begin + column.is_null().index(True).as_py()}")
        return (
            column.cast("float64").to_numpy() if self._arrow.types.is_decimal(column.type) else column.to_numpy(False)
        )

    def texts(self, block, name):
        return ["" if value is None else str(value) for value in block.column(name).to_pylist()]


class _Hdf5:
    """An HDF5 file. Of AnnData obsm and X are vectors, and obs holds the other columns."""

    has_columns = False

    def __init__(self, path, is_anndata):
        h5py = _library("h5py")
        file, found = h5py.File(path, "r"), {}
        if is_anndata:
            found = {**file.get("obsm", {}), **({"X": file["X"]} if "X" in file else {}), **file["obs"]}
            self.usual_labels, self.usual_words = ("label",), [file["obs"].attrs.get("_index", "_index")]
            self.usual = "X_pca" if "X_pca" in found else "X"
            self.vectors_are = "give a key of obsm, or write a sparse X by scipy.sparse.save_npz"
        else:
            file.visititems(lambda name, item: found.update({name: item}) if isinstance(item, h5py.Dataset) else None)
            self.usual_labels = self.usual_words = ()
            self.usual, self.vectors_are = None, "the points are an array of two axes"
        self._items = found
        self.kinds = {name: self._kind(item) for name, item in found.items()}

    def _kind(self, item):
        if not hasattr(item, "dtype"):
            kind = item.attrs.get("encoding-type", "a group")
            return "text" if kind == "categorical" else kind
        if item.dtype.kind in "fiub" and item.ndim in (1, 2):
            return "numbers" if item.ndim == 1 else "vectors"
        return "text" if item.ndim == 1 else f"an array of {item.ndim} axes"

    def width(self, name):
        return self._items[name].shape[1]

    def count(self, name):
        return len(self._items[name])

    def scalar(self, name):
        return str(self._items[name].dtype)

    def blocks(self, names):
        rows = self.count(names[0])
        for name in names[1:]:
            item = self._items[name]
            count = len(item if hasattr(item, "dtype") else item["codes"])
            if count != rows:
                raise ValueError(f"{name!r} holds {count} values for {rows} points")
        return (slice(begin, begin + _ROWS) for begin in range(0, rows, _ROWS))

    def numbers(self, block, name, begin):
        return self._items[name][block]

    def texts(self, block, name):
        item = self._items[name]
        if not hasattr(item, "dtype"):
            names = [*item["categories"].asstr()[:], ""]  # code -1: missing
            return [str(names[code]) for code in item["codes"][block]]
        return [str(value) for value in (item[block] if self.kinds[name] == "numbers" else item.asstr()[block])]
