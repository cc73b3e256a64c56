"""Spark: a column of vectors gets a column of coordinates beside it, partition by partition.

from spark_map_in_arrow import place_batches, with_column

table = spark.read.parquet("vectors/")
place = functools.partial(place_batches, path="map.safetensors", column="vector", output="small")
table.mapInArrow(place, with_column(table.schema, "small")).write.parquet("small/")

The model has to lie at the same path on every worker (spark.sparkContext.addFile, or a folder that all see). Each row
stands alone, so the bits do not depend on how Spark cuts the table.
"""

import functools

import numpy as np

import isogon


@functools.lru_cache(maxsize=1)
def model(path):
    """Read once in each of Spark's Python workers, of which there is one for each core."""
    return isogon.load(path).set_params(n_jobs=1)


def place(vectors, path):
    """Coordinates (n, d), float32, for vectors (n, D)."""
    return model(path).transform(np.ascontiguousarray(vectors, dtype=np.float32))


def place_batches(batches, path, column="vector", output="small"):
    """What mapInArrow takes: record batches come, and go with one column more."""
    import pyarrow

    for batch in batches:
        lists = batch.column(batch.schema.get_field_index(column))
        if lists.null_count:
            raise ValueError(f"{column}: {lists.null_count} rows without a vector; drop them first")
        if batch.num_rows == 0:
            small = pyarrow.array([], type=pyarrow.list_(pyarrow.float32()))
        else:
            values = lists.flatten().to_numpy(zero_copy_only=False)
            coordinates = place(values.reshape(batch.num_rows, -1), path)
            ends = np.arange(batch.num_rows + 1, dtype=np.int32) * coordinates.shape[1]
            small = pyarrow.ListArray.from_arrays(ends, coordinates.reshape(-1))
        names = batch.schema.names + [output]
        yield pyarrow.RecordBatch.from_arrays(batch.columns + [small], names=names)


def with_column(schema, output="small"):
    """Spark's schema of what comes back."""
    from pyspark.sql.types import ArrayType, FloatType, StructField, StructType

    # A list of its own: add() would put the column into the table's schema too.
    return StructType([*schema.fields, StructField(output, ArrayType(FloatType()))])
