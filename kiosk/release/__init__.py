"""A release of Stichwart: what is in it, how it is packed, checked, laid beside the running one and switched to."""
