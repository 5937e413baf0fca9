"""The command line: it parses, calls one public function, and prints."""
