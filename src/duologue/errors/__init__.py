"""Every exception of Duologue, in one tree.

    DuologueError
    ├── InputError                 a file that was given cannot be used
    │   ├── FormatError            … because of one place in it: file, line, field, what was expected
    │   ├── UnknownFormat          … because its format is not recognised
    │   ├── NewerFormat            … because a later version of Duologue wrote it
    │   ├── UnreadableFile         … because it cannot be opened
    │   └── MissingDetail          … because it lacks a detail, which must be given as an option
    ├── ExportError                what was asked for cannot be written there, or in that format
    ├── StudyError                 a study cannot be used as it is
    │   ├── StudyNotFound          … there is none in that folder
    │   ├── StudyExists            … there is one already
    │   ├── ProtocolError          … its protocol is not installed, or lacks something
    │   └── StudyFileError         … one place in study.toml: table, key, line, what was expected
    ├── DesignError                a design cannot be planned as asked
    │   └── ImpossiblePairing      … there are too few dialogues for the pairings asked for
    ├── AnalysisError              the data do not allow the analysis asked for
    │   ├── NotEnoughJudgments     … too few
    │   ├── BadNumber              … a number that cannot be: negative, not a number, out of range
    │   ├── NotConverged           … a solver gave no answer
    │   └── Disconnected           … bots that were never compared, directly or through others
    ├── BotError                   a bot did not answer
    │   ├── BotUnavailable         … this time; asking again may help
    │   └── BotResting             … because it failed too often in a row and is not asked for a while
    ├── EngineError                work could not be spread over processes or machines
    ├── StoreError                 the study's database cannot do what was asked
    │   ├── StoreBusy              … another program locks it
    │   ├── StoreFull              … the disk is full
    │   ├── StoreGone              … its file was deleted or replaced while it was in use
    │   ├── StoreMissing           … it is not there any more
    │   ├── StoreOtherSchema       … another version of Duologue made it
    │   ├── StoreServed            … it is being served, or moved, at this moment
    │   ├── StoreMoved             … the study was moved to another database
    │   ├── StoreElsewhere         … the study's links and judgments are in another database
    │   ├── StoreTaken             … a study cannot be moved there: something is there already
    │   ├── ContentChanged         … what annotators have seen would become something else
    │   └── NotFound               … there is no such annotator, assignment or judgment
    ├── CannotListen               the server cannot use the address it was given
    ├── AccessError                access is denied
    │   ├── LinkUnknown            … no such link
    │   ├── LinkRevoked            … the researcher withdrew it
    │   ├── SignInNeeded           … the researcher's pages need the key
    │   ├── FormExpired            … the CSRF token of a form is missing, or of another sign-in
    │   └── TooManyTries           … too often in a short time
    ├── AnswerError                a submitted answer is not one of the legal ones
    ├── ChatError                  a live chat cannot go on as asked
    │   ├── NotYourTurn            … it is the partner's turn
    │   └── ChatOver               … it is over
    ├── TelegramError              Telegram's Bot API refused something, or is out of reach
    ├── RehearsalError             simulated annotators could not finish a study
    └── MissingExtra               an optional package is not installed

Each error holds its facts as attributes and says what happened, to what, and what to do.
"""

from __future__ import annotations

from duologue.errors.analysis import AnalysisError, BadNumber, Disconnected, NotConverged, NotEnoughJudgments
from duologue.errors.answers import AnswerError, ChatError, ChatOver, NotYourTurn
from duologue.errors.bots import BotError, BotResting, BotUnavailable
from duologue.errors.engine import EngineError
from duologue.errors.files import (
    ExportError,
    FormatError,
    InputError,
    MissingDetail,
    NewerFormat,
    UnknownFormat,
    UnreadableFile,
)
from duologue.errors.rehearsal import RehearsalError
from duologue.errors.root import DuologueError, MissingExtra
from duologue.errors.server import (
    AccessError,
    CannotListen,
    FormExpired,
    LinkRevoked,
    LinkUnknown,
    SignInNeeded,
    TooManyTries,
)
from duologue.errors.store import (
    ContentChanged,
    NotFound,
    StoreBusy,
    StoreElsewhere,
    StoreError,
    StoreFull,
    StoreGone,
    StoreMissing,
    StoreMoved,
    StoreOtherSchema,
    StoreServed,
    StoreTaken,
)
from duologue.errors.studies import (
    DesignError,
    ImpossiblePairing,
    ProtocolError,
    StudyError,
    StudyExists,
    StudyFileError,
    StudyNotFound,
)
from duologue.errors.telegram import TelegramError

__all__ = [
    "AccessError",
    "AnalysisError",
    "AnswerError",
    "BadNumber",
    "BotError",
    "BotResting",
    "BotUnavailable",
    "CannotListen",
    "ChatError",
    "ChatOver",
    "ContentChanged",
    "DesignError",
    "Disconnected",
    "DuologueError",
    "EngineError",
    "ExportError",
    "FormExpired",
    "FormatError",
    "ImpossiblePairing",
    "InputError",
    "LinkRevoked",
    "LinkUnknown",
    "MissingDetail",
    "MissingExtra",
    "NewerFormat",
    "NotConverged",
    "NotEnoughJudgments",
    "NotFound",
    "NotYourTurn",
    "ProtocolError",
    "RehearsalError",
    "SignInNeeded",
    "StoreBusy",
    "StoreElsewhere",
    "StoreError",
    "StoreFull",
    "StoreGone",
    "StoreMissing",
    "StoreMoved",
    "StoreOtherSchema",
    "StoreServed",
    "StoreTaken",
    "StudyError",
    "StudyExists",
    "StudyFileError",
    "StudyNotFound",
    "TelegramError",
    "TooManyTries",
    "UnknownFormat",
    "UnreadableFile",
]
