"""Packs: the rulebook as data, with a schema, a loader and a checker."""
