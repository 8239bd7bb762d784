"""Label Studio, an annotation tool: blinded tasks out, annotations in."""
