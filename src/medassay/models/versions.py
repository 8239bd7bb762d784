"""Which versions of other people's packages compute here; none of them is loaded to find out."""

import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version

__all__ = ["installed_versions", "python_version", "running"]

_NOT_THERE = "not installed"


def installed_versions(*packages: str) -> dict[str, str]:
    """Give the installed version of each package, as pip calls it.

    Example:
        >>> sorted(installed_versions("numpy", "no-such-package").items())[0]
        ('no-such-package', 'not installed')
    """
    return {package: _version(package) for package in packages}


def running(*packages: str) -> str:
    """Name packages with their versions in one line, for the facts of a model that they run.

    Example:
        >>> running("no-such-package")
        'no-such-package not installed'
    """
    return ", ".join(
        f"{name} {installed_version}"
        for name, installed_version in installed_versions(*packages).items()
    )


def python_version() -> str:
    """Give Python's version without its corrections, which change no result.

    Example:
        >>> python_version().startswith("3.")
        True
    """
    return f"{sys.version_info.major}.{sys.version_info.minor}"


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return _NOT_THERE
