"""Meeting: how somebody without an invite gets one over a broker that nobody has to trust."""
