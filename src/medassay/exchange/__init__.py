"""Other people's files into studies, and studies into theirs.

What enters: files of shared tasks, tools and panels. What leaves: files of a study, or files as
those tools read them.
"""

from medassay.exchange.archehr import TakenArchehr, take_archehr
from medassay.exchange.environmental_health import TakenPanel, take_environmental_health
from medassay.exchange.med_gpt import TakenResults, take_med_gpt
from medassay.exchange.trec import give_trec_qrels, give_trec_run, take_trec_qrels, take_trec_runs

__all__ = [
    "TakenArchehr",
    "TakenPanel",
    "TakenResults",
    "give_trec_qrels",
    "give_trec_run",
    "take_archehr",
    "take_environmental_health",
    "take_med_gpt",
    "take_trec_qrels",
    "take_trec_runs",
]
