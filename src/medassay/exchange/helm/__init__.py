"""HELM and MedHELM: run folders, and tables of what clinicians rated of them."""
