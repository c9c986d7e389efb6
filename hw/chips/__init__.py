"""Speak to chips that light four digits by themselves."""
