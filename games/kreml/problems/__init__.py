"""What is said of an order that cannot stand, or is hardly meant so: one sentence for each code of ``checks``."""
