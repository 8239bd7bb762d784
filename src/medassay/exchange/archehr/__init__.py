"""The ArchEHR-QA shared tasks' cases, key and submissions, into a study and out of it."""

from medassay.exchange.archehr.take import TakenArchehr, take_archehr

__all__ = ["TakenArchehr", "take_archehr"]
