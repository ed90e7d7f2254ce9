"""Meeting: how somebody without an invite comes to hold one, over a broker that nobody has to trust."""
