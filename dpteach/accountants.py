"""Accounting: what many releases together reveal, enclosed from both sides.

An `Accountant` adds events up and answers with brackets of the truth. How it does is in the room
``dpteach.accounting``.
"""

from dpteach.accounting.accountant import Accountant, BracketCurve
from dpteach.accounting.enclosing import enclosing_plds, rounded_plds
from dpteach.accounting.routes import ROUTES, Bracket

__all__ = ["ROUTES", "Accountant", "Bracket", "BracketCurve", "enclosing_plds", "rounded_plds"]
