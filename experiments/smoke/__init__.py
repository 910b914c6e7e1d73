"""Every experiment in small, and whether what it wrote is what it should be."""
