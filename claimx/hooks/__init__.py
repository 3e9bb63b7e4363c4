"""Hooks of coding agents: what runs when the agent stops, and how it gets into the agent's settings."""
