"""An aligner without weights: what every metric must keep to, it must keep to with this one too."""

from collections.abc import Mapping, Sequence

from medassay.models.nli.alignscore import Aligned, Texts


class ToyAligner:
    """Gives the share of the claim's words that the context has."""

    @property
    def facts(self) -> Mapping[str, str]:
        """Say that it is a toy."""
        return {"checkpoint": "toy"}

    def score(self, texts: Sequence[Texts], mode: str) -> list[Aligned]:
        """Score claims against contexts; modes differ by a factor."""
        factor = 1.0 if mode.startswith("nli") else 0.5
        return [Aligned(factor * self._share(one)) for one in texts]

    @staticmethod
    def _share(one: Texts) -> float:
        words = one.claim.split()
        known = set(one.context.split())
        return sum(word in known for word in words) / max(len(words), 1)
