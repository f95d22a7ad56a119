"""The pages; each reads like its table of contents, its words are in the .md beside it."""
