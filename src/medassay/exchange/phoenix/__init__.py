"""Phoenix, a tracing tool of Arize: its experiments, spans and annotations."""
