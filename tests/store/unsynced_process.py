"""A process that forbids itself to sync: ``python -m tests.store.unsynced_process store|normal FILE``.

It writes once, then has the kernel refuse every fsync and fdatasync, and writes again. What it prints is
what became of the two writes. Exit code 3: the kernel has no such service.
"""

import ctypes
import errno
import platform
import sqlite3
import struct
import sys
from collections.abc import Callable

from duologue.errors import StoreError
from duologue.store import note_fact, open_store

# By machine: the numbers of the system calls seccomp, fsync and fdatasync, and the machine's own number.
_NUMBERS = {"x86_64": (317, 74, 75, 0xC000003E), "aarch64": (277, 82, 83, 0xC00000B7)}
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_SET_MODE_FILTER, _ALL_THREADS = 1, 1
_NO_NEW_PRIVILEGES = 38


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def forbid_syncing() -> bool:
    """Let fsync and fdatasync fail in all threads of this process from now on; False where that cannot be."""
    numbers = _NUMBERS.get(platform.machine())
    if numbers is None:
        return False
    seccomp, fsync, fdatasync, machine = numbers
    steps = [
        (_LOAD, 0, 0, 4),
        (_JUMP_IF_EQUAL, 0, 3, machine),
        (_LOAD, 0, 0, 0),
        (_JUMP_IF_EQUAL, 2, 0, fsync),
        (_JUMP_IF_EQUAL, 1, 0, fdatasync),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ERRNO | errno.EIO),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = _Program(len(steps), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return bool(libc.syscall(seccomp, _SET_MODE_FILTER, _ALL_THREADS, ctypes.byref(program)) == 0)


def write_twice(write: Callable[[str], object]) -> None:
    write("before")
    print("acknowledged")
    if not forbid_syncing():
        sys.exit(3)
    try:
        write("after")
        print("acknowledged")
    except (StoreError, sqlite3.Error) as error:
        print(type(error).__name__)


if __name__ == "__main__":
    kind, path = sys.argv[1:]
    if kind == "store":
        store = open_store(f"sqlite:///{path}")
        write_twice(lambda name: store.run(note_fact(name, "here")))
    else:
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("CREATE TABLE marks (name TEXT)")
        write_twice(lambda name: connection.execute("INSERT INTO marks VALUES (?)", [name]))
