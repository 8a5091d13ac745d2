"""Conformance cases of the callwire format, as files in this folder."""
