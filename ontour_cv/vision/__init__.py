"""From a photo to a reading, one module per stage: photo, landmarks, register, cells, glyphs, decode, read."""
