"""The med-gpt protocol's own results file, taken into a study and written out of one.

What enters: `evaluation_results.csv`, or one such file a rater. What leaves: a study of the
protocol, with a case for each question, an answer for each question and model, the file's own
scores under their own names, and the raters' scores as judgements; and out of a study of any
protocol with scores from 1 to 5 the same file again.
"""

from medassay.exchange.med_gpt.declared import ResultsImport, import_med_gpt

__all__ = ["ResultsImport", "import_med_gpt"]
