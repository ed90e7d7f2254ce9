"""The terminal app: screens and widgets that draw what `view` describes. Only here is Textual imported."""
