"""Trains the mark network; needs the extra ``train`` and is never imported by the rest."""
