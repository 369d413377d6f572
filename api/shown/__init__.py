"""What calls about battles answer: the sheets of the pages, as structs."""
