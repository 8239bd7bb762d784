"""Taking a table into a study: answers, judgements, preferences, scores, TREC, ArchEHR."""
