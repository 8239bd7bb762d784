"""REDCap, where hospitals keep their research data: a project that asks a rubric, and its exports.

What enters: a study's blinded answers and its rubric; or the records that a project exports, as
codes or as labels, with its data dictionary or without. What leaves: a data dictionary and records
that REDCap takes in; or what raters said. No server is asked: files alone go to and fro.
"""
