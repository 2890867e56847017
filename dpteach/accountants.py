"""Accounting: the total privacy cost of many releases, bounded from both sides.

An `Accountant` composes events and returns certified lower and upper bounds on epsilon or delta.
The implementation is in the package ``dpteach.accounting``.
"""

from dpteach.accounting.accountant import Accountant, BracketCurve
from dpteach.accounting.enclosing import enclosing_plds, rounded_plds
from dpteach.accounting.routes import ROUTES, Bracket

__all__ = ["ROUTES", "Accountant", "Bracket", "BracketCurve", "enclosing_plds", "rounded_plds"]
