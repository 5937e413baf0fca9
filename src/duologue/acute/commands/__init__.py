"""The commands of acute: loaded when the command line asks for them."""
