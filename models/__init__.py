"""Shipped models: one folder a model."""
