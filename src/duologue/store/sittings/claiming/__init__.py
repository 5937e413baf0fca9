"""Which item an annotator is handed next.

Onboarding items come first. Then comes the group this annotator has judged least, of those the one with
most left to do, and in it the first free slot with an item and dialogues that are new to the annotator.
Where an annotator may have only so many items of a group, as with live chats, `groups` chooses it.
Attention checks come in between, and what is asked a second time at the end.
"""
