class ServiceError(Exception):
    """One sentence of what is wrong and one of what to do, for the person at the terminal."""
