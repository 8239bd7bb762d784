"""BioASQ, a challenge in biomedical question answering: questions, references, submissions."""
