"""What the page of an entry shows, kind by kind: structures first, templates draw them."""
