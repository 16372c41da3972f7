"""Compiled inner loops. Each has a NumPy twin in the tests that says what it must compute.

Kernels take the three arrays of a CSR matrix and write into arrays they are given. They never
form n_docs × n_terms, never hold the interpreter lock, and see only a range of rows, so the same
code serves one core, several, or a corpus read in pieces. ``jit`` compiles them, ``simd`` gives
them vector registers, ``threads`` the cores.

The rest of ``core.engine`` uses ``allocation``, ``divergence``, ``gammas``, ``node_sweep``,
``perceptron``, ``projection``, ``row_sums``, ``simd``, ``squared``, ``topic_draw`` and
``unit_topics``, too.
"""

__all__ = ["joint", "sums", "threads"]
