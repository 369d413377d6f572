"""The reference: everything in the packs as pages that can be read, linked to and searched."""
