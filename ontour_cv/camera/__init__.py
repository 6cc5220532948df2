"""A camera that photographs by itself: frames come in, the best photo of a board goes out."""
