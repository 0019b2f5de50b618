"""A server that speaks OpenAI's chat completions, and refuses what the real one refuses, in its words."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Payload = dict[str, Any]
Script = Callable[[Payload], Payload]


@dataclass
class Stub:
    """What the server was asked, what it refused, and how it counts: ``characters`` make a token."""

    answer: Script
    window: int = 4_000
    characters: float = 4.0
    asked: list[Payload] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    url: str = ""

    def tokens(self, request: Payload) -> int:
        """Return how many tokens a request has, as this server counts them."""
        return int(len(json.dumps([request["messages"], request.get("tools", [])])) / self.characters)


def complaint(messages: list[Payload]) -> str | None:
    """Return what the real service says of tool messages out of place, or null."""
    open_calls: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
            open_calls.remove(message["tool_call_id"])
            continue
        if open_calls:
            return (
                "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
                f" The following tool_call_ids did not have response messages: {', '.join(open_calls)}"
            )
        open_calls = [call["id"] for call in message.get("tool_calls") or ()]
    return (
        f"The following tool_call_ids did not have response messages: {', '.join(open_calls)}"
        if open_calls
        else None
    )


@contextmanager
def openai_stub(answer: Script, *, window: int = 4_000, characters: float = 4.0) -> Iterator[Stub]:
    """Run the server until the block ends; ``stub.url`` is the base address for a client."""
    stub = Stub(answer, window, characters)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(stub))
    stub.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def said(text: str) -> Payload:
    """Return an answer in words."""
    return {"role": "assistant", "content": text}


def called(*named: tuple[str, str, dict[str, Any]]) -> Payload:
    """Return an answer with calls in parallel."""
    calls = [
        {"id": id_, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for id_, name, args in named
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _handler(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            wrong, code = complaint(request["messages"]), None
            tokens = stub.tokens(request)
            if wrong is None and tokens > stub.window:
                code = "context_length_exceeded"
                wrong = (
                    f"This model's maximum context length is {stub.window} tokens. However, your messages resulted in"
                    f" {tokens} tokens. Please reduce the length of the messages."
                )
            if wrong is not None:
                stub.refused.append(wrong)
                kind = {"message": wrong, "type": "invalid_request_error", "param": "messages", "code": code}
                self._send(400, {"error": kind})
                return
            stub.asked.append(request)
            message = stub.answer(request)
            self._send(
                200,
                {
                    "id": f"chatcmpl-{len(stub.asked)}",
                    "object": "chat.completion",
                    "created": 0,
                    "model": request["model"],
                    "choices": [
                        {
                            "index": 0,
                            "message": message,
                            "finish_reason": "tool_calls" if message.get("tool_calls") else "stop",
                        }
                    ],
                    "usage": {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5},
                },
            )

        def _send(self, status: int, body: Payload) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    return Handler
