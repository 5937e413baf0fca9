"""The database itself: engine, writer, schema, opening, moving, which one a study uses."""
