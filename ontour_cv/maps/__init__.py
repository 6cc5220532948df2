"""Maps and printed editions: plain facts, loaded from TOML and JSON."""
