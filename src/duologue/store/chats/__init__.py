"""Live chats: turns, replies that bots owe, the waiting room, what became of a chat."""
