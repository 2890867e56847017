"""Results as pictures: functions that draw on matplotlib Axes and return them.

They take keyword parameters and ``ax=None``, hold no state and do no privacy maths of their
own: the numbers come from the rest of the library. Each picture carries a sentence that says
what it shows, read by `alt_text`; that sentence is the picture's text alternative wherever the
picture is shown.

In a notebook a cell that ends with the returned Axes shows the figure once::

    figures.loss_payoffs(order=2.0)

and one that composes panels ends with any of them::

    left, right = figures.panels(2)
    figures.loss_payoffs(order=2.0, ax=left)
    figures.loss_payoffs(order=8.0, ax=right)

A new figure function stands in a module of its topic, is decorated with `_style.styled` and is
named below.
"""

from __future__ import annotations

from dpteach.figures._style import alt_text, panels
from dpteach.figures.accounting import benchmark, enclosing_curves, growth
from dpteach.figures.alpha import (
    alpha_lines,
    broken_promise,
    hidden_constant,
    order_search,
    orders_reproduced,
)
from dpteach.figures.divergences import (
    chord_bound,
    error_region,
    hockey_stick_area,
    loss_tails,
    privacy_profiles,
    renyi_orders,
)
from dpteach.figures.removing_names import (
    averaged_answers,
    linked_tables,
    membership,
    named_by_columns,
    rebuilt_rows,
    rebuilt_share,
)
from dpteach.figures.renyi import (
    accountants,
    catastrophe_profile,
    converted_orders,
    cost_of_runs,
    epsilon_by_order,
    gaussian_noise_for_queries,
    laplace_noise_for_queries,
    loss_laws,
    loss_payoffs,
    map_of_variants,
    renyi_curves,
    seven_bills,
)

__all__ = [
    "accountants",
    "alpha_lines",
    "alt_text",
    "averaged_answers",
    "benchmark",
    "broken_promise",
    "catastrophe_profile",
    "chord_bound",
    "converted_orders",
    "cost_of_runs",
    "enclosing_curves",
    "epsilon_by_order",
    "error_region",
    "gaussian_noise_for_queries",
    "growth",
    "hidden_constant",
    "hockey_stick_area",
    "laplace_noise_for_queries",
    "linked_tables",
    "loss_laws",
    "loss_payoffs",
    "loss_tails",
    "map_of_variants",
    "membership",
    "named_by_columns",
    "order_search",
    "orders_reproduced",
    "panels",
    "privacy_profiles",
    "rebuilt_rows",
    "rebuilt_share",
    "renyi_curves",
    "renyi_orders",
    "seven_bills",
]
