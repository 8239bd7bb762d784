"""Model judges: who they are declared to be, what a certificate asks, writes and holds for."""
