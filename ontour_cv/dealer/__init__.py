"""The digital dealer: dice, deck, the game's log, and what it says about every turn."""
