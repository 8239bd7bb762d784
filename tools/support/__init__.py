"""Measures what the judges of support are worth; `tools/make_support_page.py` writes it down."""
