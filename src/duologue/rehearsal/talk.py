"""What simulated annotators say in live chats."""

from __future__ import annotations

from duologue.rehearsal.kinds import SPAMMER, SimulatedAnnotator

GREETINGS: tuple[str, ...] = (
    "Hi there! How is your day going so far?",
    "Hello! Nice to meet you, what have you been up to today?",
    "Hey, good to meet you. Where are you writing from?",
    "Hi! I just made a cup of tea, how are you?",
    "Good evening! Did you have a long day too?",
)
"""How a conversation begins."""

MESSAGES: tuple[str, ...] = (
    "I work in a small library, mostly in the mornings.",
    "That sounds nice. How long have you been doing it?",
    "We went walking by the river on Sunday and got soaked.",
    "Do you have any brothers or sisters?",
    "I am trying to learn the guitar, but my fingers hurt.",
    "What kind of music do you listen to when you cook?",
    "My neighbour's cat sleeps on our doorstep every night.",
    "I never know what to say about the weather, honestly.",
    "Really? Tell me a bit more about that.",
    "Last summer we took the night train to the mountains.",
    "I think I would rather live by the sea than in a city.",
    "What was the last book you could not put down?",
    "My sister bakes bread at weekends and brings me half a loaf.",
    "I had not thought of it that way before.",
    "Do you prefer to get up early or to stay up late?",
    "I used to play volleyball until I hurt my knee.",
    "What would you do with a whole free week?",
    "There is a new noodle place around the corner, it is very good.",
    "I moved here two years ago and still get lost.",
    "Haha, that happens to me all the time.",
    "Is there something you are looking forward to?",
    "I am not much of a cook, but my pancakes are fine.",
    "We are planting tomatoes on the balcony this year.",
    "That reminds me of my grandfather's old radio.",
)
"""How it goes on; nobody says the same thing twice in one conversation unless it is very long."""

SPAM = "Bye"
"""All that a spammer ever says."""


def next_message(
    annotator: SimulatedAnnotator, item: str, *, said: int, is_first: bool, most_chars: int
) -> str:
    """What an annotator says next in the live chat of an item.

    Args:
        annotator: Who speaks.
        item: The id of the item.
        said: How many turns the annotator has had in it.
        is_first: Whether nobody has said anything yet.
        most_chars: How long a message may be.

    Example:
        >>> ada = SimulatedAnnotator(1, "spammer", has_script=True, seed=7)
        >>> next_message(ada, "chat-1", said=3, is_first=False, most_chars=1_000)
        'Bye'
    """
    if annotator.kind == SPAMMER:
        return SPAM[:most_chars]
    rng = annotator.rng(f"{item}/talk")
    greeting = GREETINGS[int(rng.integers(len(GREETINGS)))]
    order = rng.permutation(len(MESSAGES))
    return (greeting if is_first else MESSAGES[int(order[said % len(order)])])[:most_chars].rstrip()


def wanted_exchanges(annotator: SimulatedAnnotator, item: str, *, least: int, most: int) -> int:
    """After how many exchanges an annotator would end the live chat of an item."""
    return int(annotator.rng(f"{item}/length").integers(least, most + 1))
