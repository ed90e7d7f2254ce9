"""Homes in different cities: network namespaces, each behind its own NAT, and an internet between them."""
