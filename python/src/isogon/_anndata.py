"""AnnData, the table of single-cell tools: coordinates of cells beside those of scanpy. anndata is not needed."""

from ._arrays import is_sparse


def embed_anndata(adata, estimator, *, use_rep=None, key_added=None):
    """Fits an estimator to the cells of adata and keeps their coordinates in adata.obsm["X_isogon_umap"], of UMAP:
    scanpy.pl.embedding(adata, "isogon_umap") shows them. Returns the estimator.

    estimator: isogon.UMAP(n_neighbors=15), isogon.Faithful(32), ... use_rep: the key of adata.obsm that is fitted, or
    "X"; None: "X_pca" if there is one, else adata.X. key_added: where coordinates are kept instead; what is there is
    replaced, as by scanpy. ValueError for a key that there is not, TypeError for a sparse adata.X that the method does
    not take.
    """
    if not hasattr(adata, "obsm"):
        raise TypeError(f"adata: must be an AnnData, not {type(adata).__name__}")
    if not hasattr(estimator, "_method_of_fit"):
        raise TypeError(f"estimator: must be one of isogon's, such as isogon.UMAP(n_neighbors=15), not {estimator!r}")
    if use_rep is None:
        use_rep = "X_pca" if "X_pca" in adata.obsm else "X"
    if use_rep != "X" and use_rep not in adata.obsm:
        raise ValueError(f"use_rep = {use_rep!r}: must be X or one of adata.obsm, {', '.join(adata.obsm) or 'none'}")
    cells = adata.X if use_rep == "X" else adata.obsm[use_rep]
    if use_rep == "X" and is_sparse(cells) and not estimator._takes_sparse:
        raise TypeError("adata.X: is sparse; scanpy.pp.pca(adata) first, whose X_pca is then what is fitted")
    key = key_added or "X_isogon_" + estimator._method_of_fit().replace("-", "_")
    adata.obsm[key] = estimator.fit(cells).embedding_
    return estimator
