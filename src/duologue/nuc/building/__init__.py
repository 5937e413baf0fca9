"""From dialogues of any format to items of next utterance classification."""
