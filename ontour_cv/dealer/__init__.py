"""The digital dealer: dice, deck, the game's log, and what it says about every turn.

For the referee, the reader and other front ends:

- ``dealer.log.load_game(path: Path) -> Game`` reads a game's log; ``BadLog`` when it is none or damaged.
- ``dealer.shelf.find_game(name: str, games_dir()) -> Path`` finds a game by the name ``ontour-cv games`` lists, or by
  its file.
- ``Game.record -> GameRecord`` (``dealer.record``) is what the dealer knows: every roll in order, undone ones left out.
- ``Game.opening.template`` is the map the game is played on.
"""
