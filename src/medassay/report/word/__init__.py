"""A run as a Word document, in the order of the CHART reporting guideline.

What enters: `Document` and `Contents`, with the figures drawn. What leaves: the bytes of a .docx
whose paragraphs, headings, captions and tables are Word's own. What no file of a study can tell is
named where CHART asks for it, for the authors to write.
"""

from medassay.report.word.write import WordFigure, word_document

__all__ = ["WordFigure", "word_document"]
