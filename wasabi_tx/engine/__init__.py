"""The rules. Pure: values in, values out; no clock, no chance, no files, no network."""
