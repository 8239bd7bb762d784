"""One file a kind of visitor: what answers the requests."""
