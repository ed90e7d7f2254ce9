"""Signed messages: canonical bytes, fields, envelopes and the keys that sign them."""
