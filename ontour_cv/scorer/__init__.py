"""From a photo to an answer for people: reads, referees, proves the best route, and says what is in doubt."""
