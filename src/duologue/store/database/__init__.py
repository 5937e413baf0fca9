"""The database itself: engine, writer, schema, migrations, moving, which one a study uses."""
