"""TREC's runs and qrels, into a study and out of it."""

from medassay.exchange.trec.declared import (
    export_trec_qrels,
    export_trec_run,
    import_trec_qrels,
    import_trec_runs,
)

__all__ = ["export_trec_qrels", "export_trec_run", "import_trec_qrels", "import_trec_runs"]
