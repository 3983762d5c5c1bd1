"""Pages, by theme. A view asks a form, calls one service or selector, and answers; it holds no rules."""
