"""Tables of ours, whoever made them: answers, judgements, preferences, scores."""
