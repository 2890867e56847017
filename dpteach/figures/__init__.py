"""Functions that draw results of the library on matplotlib Axes and return the Axes.

The functions take keyword parameters and ``ax=None`` and hold no state. The numbers come from the
rest of the library. Each picture carries a sentence that says what the picture shows. The function
`alt_text` returns this sentence, which is the picture's text alternative wherever it is shown.

In a notebook a cell that ends with the returned Axes shows the figure once::

    figures.loss_payoffs(order=2.0)

and a cell that composes several panels ends with any of the panels::

    left, right = figures.panels(2)
    figures.loss_payoffs(order=2.0, ax=left)
    figures.loss_payoffs(order=8.0, ax=right)

A new figure function stands in the module of its topic, is decorated with `_style.styled` and is
named in the ``__all__`` of that module, from which this package imports it.
"""

from __future__ import annotations

from dpteach._extras import require

require("dpteach.figures", "figures", "matplotlib")

from dpteach.figures import (
    accounting,
    alpha,
    approx,
    breaking,
    choosing,
    composition,
    divergences,
    filters,
    mutual_information,
    paper,
    pure,
    removing_names,
    renyi,
    reproduction,
    selection,
    trade_offs,
    training,
    useful_answers,
    zcdp,
)
from dpteach.figures._style import alt_text, panels
from dpteach.figures.accounting import *
from dpteach.figures.alpha import *
from dpteach.figures.approx import *
from dpteach.figures.breaking import *
from dpteach.figures.choosing import *
from dpteach.figures.composition import *
from dpteach.figures.divergences import *
from dpteach.figures.filters import *
from dpteach.figures.mutual_information import *
from dpteach.figures.paper import *
from dpteach.figures.pure import *
from dpteach.figures.removing_names import *
from dpteach.figures.renyi import *
from dpteach.figures.reproduction import *
from dpteach.figures.selection import *
from dpteach.figures.trade_offs import *
from dpteach.figures.training import *
from dpteach.figures.useful_answers import *
from dpteach.figures.zcdp import *

__all__ = ["alt_text", "panels"]
__all__ += accounting.__all__
__all__ += alpha.__all__
__all__ += approx.__all__
__all__ += breaking.__all__
__all__ += choosing.__all__
__all__ += composition.__all__
__all__ += divergences.__all__
__all__ += filters.__all__
__all__ += mutual_information.__all__
__all__ += paper.__all__
__all__ += pure.__all__
__all__ += removing_names.__all__
__all__ += renyi.__all__
__all__ += reproduction.__all__
__all__ += selection.__all__
__all__ += trade_offs.__all__
__all__ += training.__all__
__all__ += useful_answers.__all__
__all__ += zcdp.__all__
