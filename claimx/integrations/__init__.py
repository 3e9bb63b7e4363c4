"""Live agents: what a framework's executor does, noted while it runs, and its replies checked before they leave.

One module a framework; none is imported here, and each imports its framework inside functions only.
"""
