"""Post-processing: a function of an answer is as private as the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check
from dpteach.mechanisms._base import G, Mechanism
from dpteach.notions import Adjacency, Explanation, Guarantee, ProbabilisticDP


@dataclass(frozen=True, repr=False)
class PostProcessed(Mechanism):
    """A function of the answer of another mechanism, with the guarantees of the latter.

    What it reveals can be less than that and never more; how much less is not known from the
    function alone, so `privacy_loss` and `privacy_loss_between` raise TypeError.

    Parameters
    ----------
    mechanism : Mechanism
        Its adjacency is that of the result.
    function : callable
        Of the answer only. It must not look at the data again: then nothing is promised.

    References
    ----------
    Dwork and Roth (2014), proposition 2.1; for the Rényi divergence van Erven and Harremoës
    (2014), theorem 9.

    Examples
    --------
    >>> from dpteach import Laplace, PureDP
    >>> count = PostProcessed(Laplace(scale=2.0), lambda x: np.clip(np.round(x), 0, None))
    >>> count.guarantee(PureDP)
    PureDP(epsilon=0.5)
    """

    mechanism: Mechanism
    function: Callable[[NDArray[Any]], Any]
    adjacency: Adjacency = field(init=False)

    def __post_init__(self) -> None:
        _check.instance("mechanism", self.mechanism, Mechanism)
        if not callable(self.function):
            raise TypeError(
                f"function must be callable, got function={_check.shown(self.function)}"
            )
        object.__setattr__(self, "adjacency", self.mechanism.adjacency)

    def __repr__(self) -> str:
        name = getattr(self.function, "__name__", type(self.function).__name__)
        return f"{self.mechanism!r}.post_process({name})"

    def release(self, value: ArrayLike, *, rng: np.random.Generator) -> NDArray[Any]:
        """The function of a random answer of the mechanism.

        Returns
        -------
        ndarray
            Whatever the function returns, as an array.

        Examples
        --------
        >>> from dpteach import Laplace
        >>> heads = Laplace(scale=1.0).post_process(lambda x: x > 0)
        >>> heads.release([-800.0, 800.0], rng=np.random.default_rng(0))
        array([False,  True])
        """
        return np.asarray(self.function(self.mechanism.release(value, rng=rng)))

    def guarantee(self, notion: type[G], **at: Any) -> G:
        """The guarantee of the mechanism, which post-processing keeps.

        Raises
        ------
        TypeError
            If the mechanism has no theorem about the notion, or the notion is ProbabilisticDP,
            which post-processing can break.

        Examples
        --------
        >>> from dpteach import Gaussian, ZCDP
        >>> Gaussian(sigma=2.0).post_process(np.sign).guarantee(ZCDP)
        ZCDP(rho=0.125)
        """
        if notion is ProbabilisticDP:
            raise TypeError(
                "notion must be one that post-processing keeps, and a function of an answer can "
                f"have a large loss more often than the answer, got notion={_check.shown(notion)}"
            )
        return self.mechanism.guarantee(notion, **at)

    def explain(self, notion: type[Guarantee], **at: Any) -> Explanation:
        """The mechanism's explanation: of an upper bound, as a function can only forget.

        Examples
        --------
        >>> from dpteach import Gaussian, ZCDP
        >>> Gaussian(sigma=2.0).post_process(np.sign).explain(ZCDP).kind
        'upper bound'
        """
        self.guarantee(notion, **at)
        inner = self.mechanism.explain(notion, **at)
        return Explanation(
            inner.value,
            inner.quantity,
            f"{inner.theorem}, and post-processing (Dwork and Roth (2014), proposition 2.1)",
            "upper bound",
            inner.order,
            inner.binding,
            inner.note,
        )
