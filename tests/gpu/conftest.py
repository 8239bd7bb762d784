"""Tests on a GPU stand aside only where they are asked to; else its lack fails them."""

from tests.apart import stands_aside

pytest_ignore_collect = stands_aside("gpu", "torch")
