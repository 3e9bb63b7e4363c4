"""Receipts for people."""
