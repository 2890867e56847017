"""The variants of differential privacy: notions, mechanisms, divergences and conversions.

A *notion* is an immutable claim about the privacy loss. A *mechanism* releases noisy data; its
object knows the worst pair of output distributions on neighboring data and the theorems about the
mechanism. A *conversion* is a theorem by which one claim implies another. Logarithms are natural,
so information is in nats.

- Notions (`PureDP`, `ApproxDP`, `RenyiDP`, `ZCDP`, `GaussianDP`, `FDP`, ...) have ``delta_at``,
  ``epsilon_at``, ``compose``, ``self_compose``, ``group``, ``holds_for`` and ``explain``.
- Mechanisms (`Laplace`, `Gaussian`, `RandomizedResponse`, `ExponentialMechanism`, ...) have
  ``release``, ``guarantee`` and ``privacy_loss``; `PoissonSubsampled` samples the data first.
- `convert` derives one claim from another, and ``conversions.table()`` lists the theorems.
- `Accountant` composes many releases and brackets epsilon and delta from both sides.
- `calibrate` finds the least noise for a target guarantee; `sensitivity` computes the
  sensitivity of queries.
- `composition` has advanced and optimal composition, `filters` has privacy filters and odometers,
  and `curves` computes epsilon or delta for arrays of parameters.
- `divergences` measures how far apart two distributions are; `channels` computes how much
  information a matrix of output probabilities reveals; `audit` runs a mechanism to find lower
  bounds on its privacy parameters.
- `training` is gradient descent with noise, whose steps an `Accountant` composes.
- `hospital` is the table that the course uses, and `attacks` has the attacks on it.

Examples
--------
>>> from dpteach import Gaussian, GaussianDP, PureDP, ZCDP, convert
>>> PureDP(0.1).self_compose(64)
PureDP(epsilon=6.4)
>>> Gaussian(sigma=10.0).guarantee(GaussianDP).self_compose(64)
GaussianDP(mu=0.8)
>>> convert(GaussianDP(1.0), to=ZCDP)
ZCDP(rho=0.5000000000000009)
"""

from dpteach import (
    accountants,
    amplification,
    attacks,
    audit,
    calibration,
    channels,
    composition,
    conversions,
    curves,
    divergences,
    filters,
    hospital,
    mechanisms,
    notions,
    sensitivity,
    training,
)
from dpteach.accountants import Accountant
from dpteach.amplification import PoissonSubsampled
from dpteach.calibration import calibrate
from dpteach.conversions import convert
from dpteach.mechanisms import *
from dpteach.notions import *
from dpteach.privacy_loss import DensityLoss, DiscreteLoss, PrivacyLoss

__version__ = "1.0.0rc1"

__all__ = [
    "Accountant",
    "DensityLoss",
    "DiscreteLoss",
    "PoissonSubsampled",
    "PrivacyLoss",
    "accountants",
    "amplification",
    "attacks",
    "audit",
    "calibrate",
    "calibration",
    "channels",
    "composition",
    "conversions",
    "convert",
    "curves",
    "divergences",
    "filters",
    "hospital",
    "sensitivity",
    "training",
]
__all__ += notions.__all__
__all__ += mechanisms.__all__
# of the names in dpteach.mechanisms, do not export the registry of theorems and its class
__all__.remove("THEOREMS")
__all__.remove("Theorem")
