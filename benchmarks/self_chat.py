"""Self-chats against a fake endpoint: the time goes to waiting for the bot, not to us.

The endpoint answers every request after a latency drawn around a mean; with so many self-chats at a time the
best possible rate of replies is ``concurrency / mean latency``. It runs in a process of its own on the same
cores.
"""

import asyncio
import json
import multiprocessing
import random
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

CONCURRENCY, MEAN_LATENCY, CHATS, EXCHANGES = 32, 0.4, 256, 6
TARGET = 0.9


def main() -> dict[str, object]:
    """Replies per second from the first request to the last dialogue on disk, as a share of the best rate."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    port = ours.recv()
    try:
        _collect(f"http://127.0.0.1:{port}/v1", chats=1)  # libraries are loaded, and loaded once
        ours.send("forget that")
        ours.recv()
        processor = time.process_time()
        seconds = _collect(f"http://127.0.0.1:{port}/v1", chats=CHATS)
        processor = time.process_time() - processor
        ours.send("how many?")
        replies, latency = ours.recv()
    finally:
        process.terminate()
    best = CONCURRENCY / latency
    share = replies / seconds / best
    return {
        "self-chats": CHATS,
        "replies": replies,
        "at a time": CONCURRENCY,
        "processor time of ours a reply, ms": round(1000 * processor / replies, 2),
        "mean latency, s": round(latency, 4),
        "replies a second": round(replies / seconds, 1),
        "best possible": round(best, 1),
        "share of the best": round(share, 3),
        f"met: at least {TARGET} of the best": share >= TARGET,
    }


def _collect(base_url: str, *, chats: int) -> float:
    from duologue.bots import OpenAIBot, SelfChats, collect_self_chats
    from duologue.studies import new_study

    with tempfile.TemporaryDirectory() as place:
        study = new_study(Path(place) / "s", seed=1)
        bot = OpenAIBot(name="fake", base_url=base_url, model="fake", max_concurrent=CONCURRENCY)
        start = time.perf_counter()
        (found,) = collect_self_chats(study.folder, [bot], SelfChats(n=chats, exchanges=EXCHANGES, seed=1))
        assert found.is_complete
        return time.perf_counter() - start


def _serve(pipe: Connection) -> None:
    asyncio.run(_endpoint(pipe))


async def _endpoint(pipe: Connection) -> None:
    rng = random.Random(1)
    latencies: list[float] = []

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                arrived = time.perf_counter()
                length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
                await reader.readexactly(length)
                await asyncio.sleep(MEAN_LATENCY * rng.uniform(0.5, 1.5))
                number = len(latencies)
                message = {"role": "assistant", "content": f"This is reply number {number}."}
                body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ")
                writer.write(str(len(body)).encode() + b"\r\n\r\n" + body)
                latencies.append(time.perf_counter() - arrived)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, backlog=1024)
    pipe.send(server.sockets[0].getsockname()[1])
    while True:
        await asyncio.to_thread(pipe.recv)
        pipe.send((len(latencies), sum(latencies) / len(latencies)))
        latencies.clear()
