"""A whole game by mail between simulated players, on real processes (``manage.py demo``)."""
