"""The field's file formats, one file a format."""
