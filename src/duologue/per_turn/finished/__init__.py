"""Finished chats that others read: drawn from turns, shown turn by turn, and told as rows."""
