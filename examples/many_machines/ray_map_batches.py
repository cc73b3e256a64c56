"""Ray Data: a column of vectors gets a column of coordinates beside it, block by block.

from ray_map_batches import Place

vectors = ray.data.read_parquet("vectors/")
small = vectors.map_batches(Place, fn_constructor_args=("map.safetensors",), batch_format="numpy", concurrency=16)
small.write_parquet("small/")

The model has to lie at the same path on every node. Each row stands alone, so the bits do not depend on how Ray cuts
the data.
"""

import numpy as np

import isogon


class Place:
    """What map_batches takes: an actor that has read the model once, on one core."""

    def __init__(self, path, column="vector", output="small"):
        self.model = isogon.load(path).set_params(n_jobs=1)
        self.column, self.output = column, output

    def __call__(self, batch):
        # A column of lists comes as an array of arrays, one of tensors as one array.
        vectors = np.stack(batch[self.column]).astype(np.float32, copy=False)
        return {**batch, self.output: self.model.transform(vectors)}
