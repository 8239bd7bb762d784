"""What an installed package offers under a name."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from medassay.__about__ import __version__
from medassay.errors import Problem
from medassay.plugins.code import code_of
from medassay.plugins.raised import words_of

__all__ = ["REMEDY", "Offer", "offers", "provider_of", "versions"]

_OURS: Final = "medassay"
_GROUPS: Final = "medassay."
_FILES: Final = frozenset({"protocols", "rubrics"})
"""Groups that hold files: what they say stands in the run itself."""
REMEDY: Final = "Update or uninstall that package."


@dataclass(frozen=True, slots=True)
class Offer:
    """One entry point of another package.

    Attributes:
        what: What it is, in a word or two: a metric, an analysis.
        entry: The entry point.
    """

    what: str
    entry: EntryPoint

    @property
    def name(self) -> str:
        """Give the name that it is offered under."""
        return self.entry.name

    @property
    def package(self) -> str:
        """Say which package, of which version, it is from."""
        dist = self.entry.dist
        return f"{dist.name} {dist.version}" if dist else ""

    @property
    def about(self) -> str:
        """Say what is offered, under which name and by whom, as messages do."""
        of = f" of {self.package}" if self.package else ""
        return f'{self.what} "{self.name}" ({self.entry.value}){of}'

    def load(self) -> object | Problem:
        """Give what the entry point names, or say why it cannot be loaded."""
        try:
            target: object = self.entry.load()
        except KeyboardInterrupt:
            raise  # whoever stops us means us
        except BaseException as error:  # noqa: BLE001 - other people's code may raise anything, and exit
            return self.problem("load without an error", words_of(error))
        return target

    def problem(self, must: str, got: str) -> Problem:
        """Name the offer, what it must be and what it is."""
        return Problem(self.about, must, got, REMEDY)


def offers(group: str, what: str) -> tuple[Offer, ...]:
    """List what installed packages offer in a group, in an order that no machine changes.

    Args:
        group: The group of entry points.
        what: What one of them is, for messages.

    Example:
        >>> offers("medassay.nobody", "nothing")
        ()
    """
    every_offer = (Offer(what, entry) for entry in entry_points().select(group=group))
    return tuple(
        sorted(every_offer, key=lambda offer: (offer.name, offer.entry.value, offer.package))
    )


def versions() -> Mapping[str, str]:
    """Say of everything that other packages bring which package, of which version, it is from.

    A run depends on these, so its name and its manifest hold them. Of what is code they hold the
    hash of its file too: it changes while its version stays.

    Returns:
        Group and name, such as `metrics: chrf`, to package, version and code.
    """
    every = entry_points()
    grouped = [
        (group.removeprefix(_GROUPS), Offer("plug-in", entry))
        for group in every.groups
        if group.startswith(_GROUPS)
        for entry in every.select(group=group)
    ]
    return {
        f"{group}: {offer.name}": _package_and_code(group, offer)
        for group, offer in sorted(grouped, key=_place)
    }


def _package_and_code(group: str, offer: Offer) -> str:
    code = "" if group in _FILES else code_of(offer.entry.module)
    return ", ".join(filter(None, (offer.package, code and f"code {code}")))


def _place(of: tuple[str, Offer]) -> tuple[str, str, str]:
    group, offer = of
    return group, offer.name, offer.package


def provider_of(module: str, group: str) -> str:
    """Say which package, of which version, a module is from; empty for a script's.

    Args:
        module: Its dotted name.
        group: The group of entry points that it would be offered in.

    Example:
        >>> provider_of("medassay.metrics.builtin.bleu", "medassay.metrics")
        'medassay 0.1.0'
    """
    package = module.partition(".")[0]
    if package == _OURS:
        return f"{_OURS} {__version__}"
    own = (
        offer
        for offer in offers(group, "plug-in")
        if offer.entry.module.partition(".")[0] == package
    )
    return next((offer.package for offer in own), "")
