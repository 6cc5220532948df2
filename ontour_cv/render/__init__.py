"""Pictures for people: the annotated photo."""
