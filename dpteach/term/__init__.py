"""A term: who takes part, what was decided, and the exchange with learning management systems."""
