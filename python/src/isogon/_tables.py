"""Tables of other libraries as arrays: pandas by its own means, all others (polars, pyarrow, duckdb, ...) by Arrow."""

import importlib.util
import reprlib
import sys

import numpy as np

_ROWS = 4096  # that are looked at together
_CHOOSE = "leave it out, or choose what are the points: columns=... of an estimator"


def names_of(X):
    """The names of a table's columns as a list, whatever these are; None of what is no table."""
    if isinstance(X, np.ndarray):
        return None
    for holder, name in ((X, "column_names"), (X, "columns"), (getattr(X, "schema", None), "names")):
        found = getattr(holder, name, None)
        if found is not None and not callable(found):
            return list(found)
    return None


def column_names(X, count=None):
    """The names of a table's columns as an array of str, or None: without columns, of vectors in one column (where
    there are not `count`), or names that are no text."""
    names = names_of(X)
    if not names or (count is not None and len(names) != count):
        return None
    texts = [isinstance(name, str) for name in names]
    if any(texts) and not all(texts):
        kinds = sorted({type(name).__name__ for name in names})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{kinds} as feature name / column name types."
        )
    return np.asarray(names, dtype=object) if all(texts) else None


def chosen(X, columns, argument="columns"):
    """The table X with these columns alone, in this order; a text is one column. X itself for None."""
    if columns is None:
        return X
    wanted = [columns] if isinstance(columns, str) or not hasattr(columns, "__iter__") else list(columns)
    names = names_of(X)
    if names is None:
        raise TypeError(f"{argument}: {columns!r} names columns, and X is no table that has names")
    missing = [name for name in wanted if name not in names]
    if missing:
        raise ValueError(f"{argument}: there is no column {_listed(missing)}; the table has {_listed(names)}")
    if not wanted:
        raise ValueError(f"{argument}: names none; the table has {_listed(names)}")
    return X[wanted] if _is_pandas(X) else _arrow_table(X, "X").select(wanted)


def one_column(X, values, argument):
    """The column of the table X that a text names, as an array; anything but a text is itself."""
    if not isinstance(values, str):
        return values
    column = chosen(X, values, argument)
    return column.iloc[:, 0].to_numpy() if _is_pandas(column) else column.column(0).to_numpy()


def without(X, *named):
    """The table X without the columns that the texts among `named` name."""
    apart, names = [name for name in named if isinstance(name, str)], names_of(X)
    return chosen(X, [name for name in names if name not in apart]) if apart and names else X


def array_of(X, name, finite=False):
    """The numbers of a table (n, D) as an array, without a copy where they lie so already, and the bytes that are new
    in it; None of what is no table.

    One column of lists is a table of vectors, and so is such a column by itself. TypeError or ValueError names row and
    column of what is no number and, where all must be `finite`, of what is missing, too.
    """
    if _is_pandas(X):
        return _of_pandas(X, name, finite)
    if not any(hasattr(X, f"__{way}__") for way in ("arrow_c_stream", "arrow_c_array", "dataframe")):
        return None
    if hasattr(X, "__array__") and importlib.util.find_spec("pyarrow") is None:
        return None
    return _of_arrow(_arrow_table(X, name), name, finite)


def rows_of_objects(array, name, labels=None):
    """float rows from an array of objects, which are rows (n,) or numbers (n, D)."""
    if array.ndim == 0:
        raise TypeError(f"{name}: must be rows of numbers, an array or a table, not {type(array.item()).__name__}")
    try:
        if array.ndim == 1 and array.size and hasattr(array[0], "__len__") and not isinstance(array[0], str):
            rows = np.asarray(list(array))
            if rows.dtype.kind not in "OU":
                return rows
        return np.asarray(array.tolist() if array.ndim == 1 else array, dtype=np.float64)
    except (OverflowError, TypeError, ValueError) as error:
        raise first_fault(array, name, labels) or type(error)(f"{name}: {error}") from None


def first_fault(rows, name, labels=None):
    """An error about the first of some rows that is none of numbers, or of another length than row 0; or None."""
    width = None
    for i, row in enumerate(rows):
        place = f"{name}, row {i}"
        if isinstance(row, str) or not hasattr(row, "__len__"):
            missing = _is_missing(row) or (isinstance(row, float) and row != row)
            return (
                _missing(place) if missing else TypeError(f"{place}: must be a row of numbers, not {reprlib.repr(row)}")
            )
        width = len(row) if width is None else width
        if len(row) != width:
            return ValueError(f"{place}: has {len(row)} numbers, where row 0 has {width}")
        for j, value in enumerate(row):
            try:
                float(value)
            except (OverflowError, TypeError, ValueError):
                return _fault(f"{place}, column {repr(labels[j]) if labels else j}", value)
    return None


def _is_missing(value):
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _missing(place):
    return ValueError(f"{place}: is missing; remove or fill such rows first")


def _fault(place, value):
    """An error about one value that is no finite float32."""
    if _is_missing(value):
        return _missing(place)
    if isinstance(value, (list, tuple, np.ndarray)):
        return TypeError(f"{place}: is a vector beside other columns; {_CHOOSE}")
    if isinstance(value, str):
        return TypeError(f"{place}: must be a number, not {reprlib.repr(value)}")
    if not isinstance(value, (int, float)):  # in the words that scikit-learn's check_dtype_object looks for
        return TypeError(f"{place}: argument must be a string or a number, not {reprlib.repr(value)}")
    if value != value:
        return ValueError(f"{place}: the value is NaN; remove or fill such rows first")
    if value in (np.inf, -np.inf):
        return ValueError(f"{place}: the value is infinite; remove or clip such rows first")
    return ValueError(f"{place}: is beyond float32, above 3.4e38")


def _require_finite(rows, name, labels, look):
    """ValueError for the first number that is not finite; look(i, j) is what the table has there."""
    with np.errstate(invalid="ignore", over="ignore"):
        if rows.dtype.kind != "f" or np.isfinite(rows.sum(dtype=np.float64)):
            return
    for begin in range(0, len(rows), _ROWS):
        bad = np.argwhere(~np.isfinite(rows[begin : begin + _ROWS]))
        if bad.size:
            i, j = int(begin + bad[0, 0]), int(bad[0, 1])
            value = look(i, j)
            value = value.item() if isinstance(value, np.generic) else value
            raise _fault(f"{name}, row {i}, column {labels[j]!r}", value)


def _listed(names, most=8):
    return ", ".join(map(repr, names[:most])) + (", ..." if len(names) > most else "")


def _is_pandas(X):
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, (pandas.DataFrame, pandas.Series))


def _holds_objects(kind):
    return isinstance(kind, np.dtype) and kind.kind == "O"


def _of_pandas(X, name, finite):
    if X.ndim == 1 or (X.shape[1] == 1 and _holds_objects(X.dtypes.iloc[0])):
        values = X.to_numpy().ravel()
        rows = rows_of_objects(values, name) if values.dtype == object else values
        return rows, 0 if rows is values else rows.nbytes
    labels, kinds = list(X.columns), list(X.dtypes)
    for label, kind in zip(labels, kinds):
        if str(kind).startswith("Sparse"):
            raise TypeError(
                f"{name}, column {label!r}: is sparse, and rows must be dense; give {name}.sparse.to_dense()"
            )
        if kind.kind not in "fiubc" and not _holds_objects(kind):
            raise TypeError(f"{name}, column {label!r}: holds {kind}, no numbers; {_CHOOSE}")
    if len(set(kinds)) == 1 and isinstance(kinds[0], np.dtype):
        values = np.asarray(X)
        rows = rows_of_objects(values, name, labels) if values.dtype == object else values
    else:
        values = None
        try:
            with np.errstate(over="ignore"):
                rows = X.to_numpy(np.float32, na_value=np.nan)
        except (OverflowError, TypeError, ValueError) as error:
            raise first_fault(X.itertuples(index=False), name, labels) or type(error)(f"{name}: {error}") from None
    if finite:
        _require_finite(rows, name, labels, lambda i, j: X.iloc[i, j])
    return rows, 0 if rows is values else rows.nbytes


def _arrow_table(X, name):
    try:
        import pyarrow
    except ImportError:
        raise ImportError(f"{name}: {type(X).__name__} is read by pyarrow: pip install pyarrow") from None
    if isinstance(X, pyarrow.Table):
        return X
    if not (hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__")):
        from pyarrow.interchange import from_dataframe

        return from_dataframe(X)
    try:
        return pyarrow.table(X)
    except (TypeError, ValueError):  # one column by itself
        return pyarrow.table({"": pyarrow.chunked_array([X] if isinstance(X, pyarrow.Array) else X)})


def _of_arrow(table, name, finite):
    from pyarrow import types

    names = table.column_names
    lists = (types.is_list, types.is_large_list, types.is_fixed_size_list)
    numbers = (types.is_integer, types.is_floating, types.is_decimal, types.is_boolean)
    if len(names) == 1 and any(is_one(table.schema.types[0]) for is_one in lists):
        return _vectors(table.column(0), name)
    for label, kind in zip(names, table.schema.types):
        if not any(is_one(kind) for is_one in numbers):
            raise TypeError(f"{name}, column {label!r}: holds {kind}, no numbers alone; {_CHOOSE}")
    rows = np.empty((table.num_rows, len(names)), np.float32)
    with np.errstate(over="ignore"):
        for j, column in enumerate(table.columns):
            rows[:, j] = column.to_numpy()
    if finite:
        _require_finite(rows, name, names, lambda i, j: table.column(j)[i].as_py())
    return rows, rows.nbytes


def _vectors(column, name, begin=0, width=None):
    """Rows from a column of lists, or from a part of it, which begins at row `begin`."""
    import pyarrow.compute

    if column.null_count:
        row = column.is_null().index(True).as_py()
        raise _missing(f"{name}, row {begin + row}")
    array = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    lengths = pyarrow.compute.list_value_length(array).to_numpy(zero_copy_only=False)
    width = (int(lengths[0]) if len(lengths) else 0) if width is None else width
    other = np.flatnonzero(lengths != width)
    if other.size:
        raise ValueError(f"{name}, row {begin + other[0]}: has {lengths[other[0]]} numbers, where row 0 has {width}")
    values = array.flatten()
    if values.null_count:
        row, place = divmod(values.is_null().index(True).as_py(), width)
        raise _missing(f"{name}, row {begin + row}, column {place}")
    rows = values.to_numpy(zero_copy_only=False).reshape(len(array), width)
    return rows, 0 if column.num_chunks == 1 else rows.nbytes
