"""What is run by hand: pages and data are made here, never by the product."""
