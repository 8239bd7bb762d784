"""TREC's runs and qrels, into a study and out of it."""

from medassay.exchange.trec.take_and_give import (
    give_trec_qrels,
    give_trec_run,
    take_trec_qrels,
    take_trec_runs,
)

__all__ = ["give_trec_qrels", "give_trec_run", "take_trec_qrels", "take_trec_runs"]
