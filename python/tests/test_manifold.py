"""scikit-learn's own tests of its manifold classes, asked of isogon's (manifold_adapter.py).

The tests are scikit-learn's, imported where it is installed. Those of its functions are left out, and what isogon has
nothing for is skipped. What fails is in EXPECTED with its reason; a test there that passes is a failure too.
"""

import functools
import importlib
import os
import re
import types

import numpy as np
import pytest
from manifold_adapter import CLASSES, Adapter, adapted

sklearn = pytest.importorskip("sklearn", minversion="1.9")
from sklearn import manifold  # noqa: E402

ROUNDING = "coordinates are float32, and the test compares to 1e-7"
WORDS = "is refused or warned of in other words"
# Test, by a pattern of its name with its parameters, and why it cannot pass.
EXPECTED = {
    r"isomap_isomap_simple_grid\[float64.*-24-None": ROUNDING,
    r"isomap_isomap_reconstruction_error\[float64.*-24-None": "there is no reconstruction_error()",
    r"isomap_isomap_(clone_bug|dtype_equivalence|fitted_attributes)": "no dist_matrix_: paths are not kept",
    r"isomap_transform\[.*-2-None": "a new point is a mixture of its neighbours, coarse where these are two",
    r"isomap_pipeline_with_nearest": "a fit of a graph alone knows no points, and has no transform",
    r"isomap_multiple_connected_components": WORDS,
    r"locally_linear_lle_(simple_grid|manifold\[float\d\d-\w+-standard)": "there is no reconstruction_error_",
    r"locally_linear_get_feature_names_out": "names begin with our class's name, lle",
    r"spectral_embedding_precomputed_nearest": "scikit-learn counts a point among its own n_neighbors here",
    r"t_sne_optimization_minimizes_kl": "at 250 iterations the divergence is below that of their 350",
    r"classical_mds_classical_mds_equivalent": ROUNDING,
    r"classical_mds_classical_mds_wrong_inputs": WORDS,
    r"t_sne_(bad_precomputed|exact_no_precomputed|high_perplexity_precomputed|pca_initialization_not)": WORDS,
    r"t_sne_(n_components_range|tsne_perplexity_validation)": WORDS,
    r"t_sne_tsne_with_different_distance_metrics.*cosine": ROUNDING,
    r"t_sne_init_ndarray": "all points are equal, which is refused",
    r"t_sne_(early_exaggeration|max_iter)_used": "a perplexity of 1 leaves nothing to weigh, and is refused",
}


def reason_for(case):
    return next((reason for pattern, reason in EXPECTED.items() if re.match("test_" + pattern, case)), None)


ADAPTERS = {name: adapted(getattr(manifold, name)) for name in CLASSES}
OURS = types.SimpleNamespace(**{**vars(manifold), **ADAPTERS})


def judged(test):
    """The test with its marks and parameters, by the table."""

    @functools.wraps(test)
    def run(*args, **kwargs):
        Adapter.used = False
        case = os.environ["PYTEST_CURRENT_TEST"].split("::")[1].rsplit(" ", 1)[0]
        reason = reason_for(case)
        try:
            test(*args, **kwargs)
        except (Exception, pytest.fail.Exception) as failure:
            if reason is None or isinstance(failure, pytest.skip.Exception):
                raise
            pytest.xfail(reason)
        if not Adapter.used:
            pytest.skip("asks a function of scikit-learn's, and no class")
        assert reason is None, f"passes, but is expected to fail: {reason}"

    return run


for module in ("isomap", "locally_linear", "spectral_embedding", "classical_mds", "t_sne"):
    theirs = importlib.import_module(f"sklearn.manifold.tests.test_{module}")
    if hasattr(theirs, "manifold"):
        theirs.manifold = OURS
    for name, adapter in ADAPTERS.items():
        if hasattr(theirs, name):
            setattr(theirs, name, adapter)
    for name, test in list(vars(theirs).items()):
        if name.startswith("test_"):
            globals()[f"test_{module}_{name[5:]}"] = judged(test)
del test  # a name that pytest would collect


@pytest.fixture(params=[np.float32, np.float64], ids=["float32", "float64"])
def global_dtype(request):
    return request.param


@pytest.fixture
def global_random_seed():
    return 42
