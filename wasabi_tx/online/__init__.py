"""Tables whose players sit at different machines: all is signed, every client checks it, any broker carries it."""
