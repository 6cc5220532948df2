"""From a photo to a reading, one module per stage, in order of travel: photo, landmarks, register, cells, glyphs, decode, read."""
