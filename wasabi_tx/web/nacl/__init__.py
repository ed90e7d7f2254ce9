"""PyNaCl in a browser, as far as this program uses it: the same libsodium, compiled to WebAssembly."""

__version__ = "1.6.2"
