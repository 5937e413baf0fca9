"""The annotators' pages: consent, what is judged, live chats, thanks."""
