"""Turns content/ into a site in which every number has a source, or says exactly why not."""
