"""The corpus as package data: `claimx.data` in an installation."""
