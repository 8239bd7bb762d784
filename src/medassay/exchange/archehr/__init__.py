"""The ArchEHR-QA shared tasks' cases, key and submissions, into a study and out of it."""

from medassay.exchange.archehr.declared import ArchehrImport, import_archehr

__all__ = ["ArchehrImport", "import_archehr"]
