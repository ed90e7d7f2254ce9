"""Homes in different cities: network namespaces, each behind a NAT of its own, and an internet between them."""
