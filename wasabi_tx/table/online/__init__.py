"""A table whose people sit at different machines: everything signed, checked by everybody, carried by anybody."""
