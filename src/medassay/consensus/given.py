"""What is known of a dimension before anybody judged: control items and label priors."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from medassay.scores import Unit

__all__ = ["Given"]


@dataclass(frozen=True, slots=True)
class Given:
    """What a model may be told of one dimension.

    Attributes:
        known: The true label of control items, by unit.
        priors: Each label's share before anything was said; None for equal shares.
    """

    known: Mapping[Unit, str] = field(default_factory=dict)
    priors: Mapping[str, float] | None = None

    def through(self, mapping: Mapping[str, str]) -> "Given":
        """Read the labels through a mapping, as judgements are.

        Example:
            >>> given = Given({Unit("A", "1"): "part"}, {"no": 0.5, "part": 0.3, "yes": 0.2})
            >>> read = given.through({"no": "no", "part": "yes", "yes": "yes"})
            >>> read.known, read.priors
            ({Unit(system='A', case='1', sample=0, about=''): 'yes'}, {'no': 0.5, 'yes': 0.5})
        """
        priors: dict[str, float] | None = None
        if self.priors is not None:
            priors = {}
            for label, share in self.priors.items():
                priors[mapping[label]] = priors.get(mapping[label], 0.0) + share
        return Given({key: mapping[label] for key, label in self.known.items()}, priors)
