"""Boards and cards of the project's own design, drawn as data in millimetres, and put on paper or into pixels."""
