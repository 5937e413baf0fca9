"""Every string that an annotator sees, with what it says unless the study file sets it."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator

_PLACE = re.compile(r"\{[a-z]+\}")


class WordingTable(BaseModel):
    """``[wording]``: every string an annotator sees."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    consent: str = (
        "Your answers are used for research on conversational systems. Taking part is voluntary: you can "
        "stop at any time, and ask us to erase what you wrote."
    )
    consent_institution: str = "Who is responsible"
    consent_contact: str = "Contact"
    consent_duration: str = "How long it takes"
    at_most_minutes: str = "At most {minutes} minutes"
    each_seconds: str = (
        "You have {seconds} seconds for each item. What takes longer does not count, and the next one comes."
    )
    consent_pay: str = "Payment"
    consent_approval: str = "Ethics approval"
    meet_program: str = "You may talk to a computer program."
    meet_both: str = "You may talk to a person or to a computer program."
    read_program: str = "Some of what you read may be written by computer programs."
    may_stop: str = (
        "Some items have a known answer. If you get {checks} of them wrong, the study ends there for you; "
        "what you did before stays saved."
    )
    told_later: str = (
        "We cannot tell you everything about this study before you begin. We explain it at the end."
    )
    debriefing_title: str = "What we did not tell you before"
    debriefing: str = (
        "In this study, computer programs wrote all or some of the replies. We did not say so before, "
        "because it could have changed your answers. If you do not want us to use your answers, please tell "
        "us."
    )
    stored_title: str = "What we store"
    stored_answers: str = "Your answers, when you gave them, and how long you took."
    stored_left_out: str = "Whether you skip something or leave it empty."
    stored_selections: str = "Which replies you choose, and in which order you saw them."
    stored_pasted: str = "Whether you paste text instead of typing it."
    stored_scrolled: str = "Whether you scroll to the end of what there is to read."
    stored_draft: str = "What you have not sent yet is kept in this browser only."
    stored_forms: str = (
        "What you answer to questions about yourself, apart from your other answers. We erase it if you ask "
        "us."
    )
    stored_chats: str = "The conversations you have here, word for word, with the time of every message."
    stored_partner: str = "Your partner may be another participant, who reads what you write to them."
    stored_name: str = "The name or number under which you were invited."
    stored_cookie: str = "A cookie in this browser, which brings you back to your own page."
    stored_account: str = (
        "A code that is made from your account, by which you are recognised in this study; not your name."
    )
    stored_messenger: str = (
        "Where to send you messages, encrypted and only while you take part. The messenger itself can read "
        "what you write."
    )
    stored_no_more: str = "Nothing else about you."
    instructions: str = (
        "You will read two conversations at a time. In each of them, look only at the highlighted "
        "speaker and ignore the grey one. Then answer a question about them by choosing one of the two "
        "speakers, and say in a few words why."
    )
    agree: str = "I agree, let's start"
    disagree: str = "I do not agree"
    declined_title: str = "You have not agreed"
    declined: str = (
        "So you do not take part. We store that you declined, when, and the name, number or code under which "
        "you came; nothing else. If you came from another site, please return the task there."
    )
    changed_mind: str = "I have changed my mind"
    speaker: str = "Speaker"
    partner: str = "Partner"
    conversation: str = "Conversation"
    reason_label: str = "Why? A few words help us a lot."
    reason_required_label: str = "Why? (required)"
    no_difference: str = "No difference"
    clearly: str = "Clearly:"
    slightly: str = "Slightly:"
    ranking_hint: str = "Put the three speakers in order: 1st is your first choice, 3rd your last."
    first_place: str = "1st"
    second_place: str = "2nd"
    third_place: str = "3rd"
    ranking_missing: str = "Please give every speaker a place of its own."
    submit: str = "Submit"
    keys: str = "Keys: a number to choose, Enter to submit"
    keys_reason: str = (
        "Keys: a number to choose, then write why; Enter to submit, Shift+Enter for a new line, "
        "Escape to leave the text box"
    )
    ranking_keys: str = (
        "Keys: the numbers of the three speakers, from the first place to the last; Backspace to begin "
        "again, Enter to submit"
    )
    ranking_keys_reason: str = (
        "Keys: the numbers of the three speakers, from the first place to the last, then write why; "
        "Backspace to begin again, Enter to submit, Shift+Enter for a new line, Escape to leave the text box"
    )
    skip: str = "Skip this one ({left} left)"
    not_scrolled: str = (
        "There is more to read: please scroll to the end of every conversation. To answer anyway, press the "
        "button again."
    )
    progress: str = "Comparison {number} of {total}"
    saved: str = "Saved"
    saving: str = "Saving…"
    choose_first: str = "Please choose one of the answers."
    question_missing: str = "Please answer: {question}"
    reason_missing: str = "Please say in a few words why."
    thanks_title: str = "Thank you!"
    thanks: str = "That was all. Your answers are saved."
    nothing_answered: str = "That was all. Your time counts."
    close_page: str = "You can close this page."
    saved_so_far: str = "Everything that you have sent is saved."
    code_label: str = "Your completion code"
    code_use: str = "If you were asked for a code, copy this one and paste it there."
    copy_code: str = "Copy the code"
    code_copied: str = "Copied"
    your_persona: str = "Your character in this conversation"
    topic: str = "What the conversation is about"
    chat_instructions: str = (
        "Chat with your partner as if you had just met. When you have said enough, go on to the questions."
    )
    what_to_do: str = "What to do"
    message_label: str = "Your message"
    send: str = "Send"
    you: str = "You"
    typing: str = "Your partner is typing…"
    replies_typing: str = "Replies are being written…"
    choose_reply: str = "Please choose."
    none_of_these: str = "None of these"
    not_this_one: str = "Not this one"
    written_label: str = "Write a reply that would be better (at least {least} characters)"
    confirm_choice: str = "Go on"
    next_replies: str = "What the speaker could reply to the partner:"
    cards_keys: str = "Keys: the number of a reply to choose it, Enter to go on"
    written_keys: str = "Keys: Enter to go on, Shift+Enter for a new line, Escape to leave the text box"
    your_turn: str = "It is your turn."
    first_message: str = "Write the first message. You can begin with a greeting."
    exchanges: str = "Messages sent: {done} (at least {least}, at most {most})"
    end_chat: str = "End the conversation"
    chat_over: str = "The conversation is over."
    go_on: str = "Go on to the questions"
    waiting_room: str = "We are looking for a partner for you. Please keep this page open."
    waiting_time: str = (
        "You have waited for {waited}. If nobody comes in the next {left}, you can go on without, and your "
        "time counts."
    )
    no_partner: str = "Nobody else is here at the moment. Your time counts, and you can go on."
    partner_left: str = "Your partner has left. Your time counts, and you can go on."
    no_reply: str = (
        "A reply is missing, so the conversation is over. This is not your fault: your time counts, and you "
        "can go on."
    )
    bot_failed: str = (
        "Your partner could not answer. You can try again, or end here: your time counts either way."
    )
    slow_partner: str = (
        "Your partner takes long to answer. You can go on waiting, or end here: your time counts either way."
    )
    chars_left: str = "{left} characters left"
    chars_over: str = "{over} characters too many: at most {most} can be sent."
    too_long: str = "Please keep your message under {most} characters."
    next: str = "Next"
    back: str = "Back"
    another_chat: str = "Have another conversation"
    telegram_commands: str = "/start begins or goes on, /stop ends your part, /help shows this."
    telegram_skip: str = "/skip lets you skip a conversation."
    stopped: str = "You have stopped. What you have done is saved; /start goes on."
    text_only: str = "Only text reaches your partner: no pictures, stickers or voice messages."
    no_edits: str = "Your partner has read it as it was: what is changed afterwards does not count."
    not_sent: str = "That was not sent. Please wait until your partner has answered."
    no_work_title: str = "No work at the moment"
    no_work: str = "There is nothing for you to judge right now. Thank you for your interest."
    blocked_title: str = "You cannot go on in this study"
    blocked: str = (
        "There is no more work for you here. Thank you for your time. If you have a question about this or "
        "about payment, please write to the people who run this study."
    )
    all_taken_title: str = "All places are taken at the moment"
    all_taken: str = (
        "Other people are working on everything that is left. If one of them stops, a place becomes free. "
        "Please look again in {minutes} min. If you have not begun yet, please do not submit anything where "
        "you found this study."
    )
    all_done_title: str = "This study is complete"
    all_done: str = (
        "Enough people have taken part, and nothing is left to do. Thank you for your interest. If you have "
        "not begun yet, please do not submit anything where you found this study."
    )
    look_again: str = "Look again"
    error_title: str = "Something went wrong"
    not_saved: str = "Your last answer was not saved. Please try again in a moment."
    nothing_saved: str = "That had ended before, so what you sent was not saved."
    retry: str = "Try again"
    unavailable: str = (
        "The study cannot be reached at the moment. What you have done so far is saved. Please try again in "
        "a moment."
    )
    link_title: str = "This link does not work"
    link_unknown: str = (
        "This link is not known. Please check that you copied the whole address, up to its last letter. If "
        "it still does not work, ask the person who sent it for a new one."
    )
    link_revoked: str = (
        "This link does not work any more. If you think that this is a mistake, please ask the person who "
        "sent it."
    )
    not_there: str = "There is nothing at this address. What you have done so far is saved."
    out_of_date: str = "This page was out of date. What you have done so far is saved."
    not_readable: str = "What was sent could not be read, and nothing was stored. Please try again."
    too_large: str = "That is too much text to send at once. Nothing was stored. Please shorten it."
    too_many: str = "That was too fast. Please wait {seconds} s and try again."
    to_your_page: str = "Go to your page"
    form_optional: str = "(optional)"
    form_several: str = "You can choose several."
    form_wrong: str = "Please look at the marked questions again. Nothing that you have answered is lost."
    form_required: str = "Please answer this question."
    form_choose: str = "Please choose from the answers that are offered."
    form_number: str = "Please write a number."
    form_between: str = "Please write a number from {min} to {max}."
    form_at_least: str = "Please write a number of at least {min}."
    form_at_most: str = "Please write a number of at most {max}."
    form_too_long: str = "Please write at most {most} characters."
    time_until: str = "You have time until {time}."
    time_left: str = "Time left: {time}"
    time_left_item: str = "Left for this one: {time}"
    question_changed: str = "The question is a different one now."
    time_up: str = "The time for the last one was over. Here is the next one."
    timed_out: str = "The time is over. What you have done is saved."
    checks_failed: str = (
        "The study ends here for you: some items had a known answer, and too many of your answers to them "
        "were not right. What you have done is saved."
    )
    nothing_recorded: str = "The time was over before an answer came, so none was recorded."

    def parting(self, timed_out: bool, was_stopped: bool, is_empty: bool, is_unanswered: bool) -> str:
        """What is said at the end: that answers are saved only where there are any."""
        if was_stopped:
            return self.checks_failed
        if is_empty:
            return self.nothing_recorded
        if timed_out:
            return self.timed_out
        return self.nothing_answered if is_unanswered else self.thanks

    def chat_ended(self, ending: str) -> str:
        """What is said when a live chat is over: why, where that is not that enough was said."""
        why = {"no-partner": self.no_partner, "partner-left": self.partner_left, "bot-failed": self.no_reply}
        return why.get(ending, self.chat_over)

    @field_validator(
        "form_between",
        "form_at_least",
        "form_at_most",
        "form_too_long",
        "too_long",
        "chars_left",
        "chars_over",
        "question_missing",
        "skip",
        "time_until",
        "time_left",
        "time_left_item",
        "at_most_minutes",
        "may_stop",
        "each_seconds",
    )
    @classmethod
    def _says_how_much(cls, text: str, info: ValidationInfo) -> str:
        """A limit that is not named cannot be kept to."""
        default = cls.model_fields[info.field_name or ""].default
        missing = [place for place in _PLACE.findall(default) if place not in text]
        if missing:
            raise ValueError(f"write {' and '.join(missing)} where the value is to stand")
        return text
