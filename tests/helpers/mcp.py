#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A client of `clopt serve --mcp`: mcp.py NORMAL|HOSTILE|ENDS FOLDER COMMAND...

Deadlines are against hangs alone: nothing is said about how long an answer takes."""
import json
import queue
import random
import subprocess
import sys
import threading
import time

DEADLINE_S = 300


class Client:
    def __init__(self, command, version="2025-06-18"):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        self.number = 0
        threading.Thread(target=self.read, daemon=True).start()
        if version:
            self.first = self.ask("initialize", protocolVersion=version, capabilities={})
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def next(self):
        line = self.lines.get(timeout=DEADLINE_S)
        assert line is not None, f"the server has ended: {self.process.wait()}"
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0", message
        return message

    def request(self, method, **params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": f"own {self.number}", "method": method, "params": params})
        return f"own {self.number}"

    def wait(self, number):
        """Returns the answer of that number, and what came before it."""
        others = []
        while True:
            message = self.next()
            if message.get("id") == number:
                return message, others
            others.append(message)

    def ask(self, method, **params):
        answer, _ = self.wait(self.request(method, **params))
        return answer["result"] if "result" in answer else answer["error"]

    def call(self, tool, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(timeout=DEADLINE_S) == 0


def text_of(result):
    return "\n".join(part["text"] for part in result["content"])


KERNEL = """kernel void twice(global const float *a, global float *b, int n)
{
    int i = get_global_id(0);
    if (i < n)
        b[i] = 2 * a[i];
}
"""


def normal(command, device):
    for version, wanted in (("2024-11-05",) * 2, ("2025-06-18",) * 2, ("2025-03-26", "2024-11-05"), ("1999-01-01", "2025-06-18"), ("2099-01-01", "2025-06-18")):
        client = Client(command, version)
        assert client.first["protocolVersion"] == wanted, client.first
        client.send([{"jsonrpc": "2.0", "id": i, "method": "ping"} for i in (1, 2)])
        assert client.next()["error"]["code"] == -32600
        client.end()
    early = Client(command, None)
    assert early.ask("ping") == {} and early.ask("tools/list")["code"] == -32600
    early.end()

    client = Client(command)
    tools = {tool["name"]: tool for tool in client.ask("tools/list")["tools"]}
    assert list(tools) == ["init", "judge", "tune", "advise", "transform", "check", "report"], tools
    for tool in tools.values():
        properties = tool["inputSchema"]["properties"]
        assert tool["description"] and {"files", "sources"} <= set(properties), tool
        assert not {"hosts", "plugin-path", "kernel-path", "live", "help", "html"} & set(properties), tool
    assert tools["judge"]["inputSchema"]["properties"]["kernel"]["type"] == "string"
    assert tools["advise"]["inputSchema"]["properties"]["top"]["type"] == "integer"
    assert client.ask("resources/list")["code"] == -32601
    assert client.ask("tools/call", name="worker")["code"] == -32602

    result = client.call("transform", files=["twice.cl"], sources={"twice.cl": KERNEL}, variant="geometry(granularity=2)")
    assert not result["isError"] and "i_1" in text_of(result) and "Next: " in text_of(result), result
    result = client.call("transform", files=["twice.cl"], sources={"twice.cl": "other"})
    assert result["isError"] and "differs" in text_of(result), result
    result = client.call("transform", files=["twice.cl"], varient="x")
    assert result["isError"] and "did you mean variant" in text_of(result), result
    result = client.call("transform", files=["twice.cl"], local=True)
    assert result["isError"] and "local: not a text" in text_of(result), result
    result = client.call("transform", files=["/x" + "\u00fc" * 300])  # what is quoted of it ends within a letter
    assert result["isError"] and "absolute" in text_of(result), result
    result = client.call("transform", files=["missing.cl"])
    assert result["isError"] and "missing.cl" in text_of(result), result
    if device:
        use(client, device)
    client.end()


def use(client, device):
    result = client.call("init", files=["twice.cl"], output="own.ini", device=device)
    assert not result["isError"] and "own.ini" in text_of(result), result
    result = client.call("check", files=["own.ini"], device=[device])
    assert not result["isError"] and "structuredContent" in result, result
    result = client.call("judge", files=["own.ini", "wrong.cl"], sources={"wrong.cl": KERNEL.replace("2 *", "3 *")})
    assert not result["isError"] and "exit code 4" in text_of(result), result
    (candidate,) = result["structuredContent"]["candidates"]
    assert candidate["name"] == "wrong" and candidate["code"] == 4 and not candidate["right"], result
    result = client.call("report", files=["none.db"])
    assert result["isError"] and "none.db" in text_of(result), result
    # One that is not wanted any more leaves room for the next one, and gets no answer.
    number = client.request("tools/call", name="tune", arguments={"files": ["own.ini"], "time": "1h"})
    waiting = client.request("tools/call", name="tune", arguments={"files": ["own.ini"], "time": "1h"})
    client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waiting}})
    client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
    answer, before = client.wait(client.request("tools/call", name="transform", arguments={"files": ["twice.cl"]}))
    assert not answer["result"]["isError"] and before == [], (answer, before)
    # Nor does one that has hardly begun.
    for gap in range(40):
        number = client.request("tools/call", name="tune", arguments={"files": ["own.ini"], "time": "1h"})
        time.sleep(gap / 1500)
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
        assert not client.call("transform", files=["twice.cl"])["isError"]


def ends(command):
    """Who closes one of its sides ends the server, also while a call runs."""
    for closed in ("stdin", "stdout"):
        client = Client(command)
        client.call("transform", files=["end.cl"], sources={"end.cl": KERNEL})
        client.request("tools/call", name="tune", arguments={"files": ["end.cl"], "time": "1h"})
        if closed == "stdin":
            client.end()
            continue
        reader = Client.__new__(Client)  # none reads: a pipe that was closed at once
        reader.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        reader.process.stdout.close()
        reader.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert reader.process.wait(timeout=DEADLINE_S) == 0
        client.end()
    # What takes too long, or too much, is ended, and the caller is told so.
    client = Client(command + ["--limit=1"])
    result = client.call("tune", files=["end.cl"], time="1h")
    assert result["isError"] and "took longer than 1 s (clopt serve --limit)" in text_of(result), result
    client.end()
    client = Client(command + ["--memory=1"])
    result = client.call("tune", files=["end.cl"], time="1h")
    assert result["isError"] and "of memory (clopt serve --memory)" in text_of(result), result
    client.end()


# ---- three hundred hostile requests ----

TRICKS = ["/etc/passwd", "../secret.h", "link/secret.h", "a/../../secret.h", "./../secret.h", "link", "", "..", "/",
          "//secret.h", "sub/../../secret.h", "link/../link/secret.h", "x=/etc/passwd", "x=../secret.h"]


def hostile_call(draw):
    trick = draw.choice(TRICKS)
    path = trick if "=" not in trick else "../secret.h"
    kinds = [
        {"name": "transform", "arguments": {"files": [trick]}},
        {"name": "check", "arguments": {"files": ["good.cl", trick]}},
        {"name": "report", "arguments": {"files": [path]}},
        {"name": "init", "arguments": {"files": ["good.cl"], "output": path}},
        {"name": "transform", "arguments": {"files": ["good.cl"], "I": path}},
        {"name": "transform", "arguments": {"files": ["good.cl"], "build-options": "-I " + (path or "/")}},
        {"name": "transform", "arguments": {"files": ["good.cl"], "build-options": "-include/etc/passwd"}},
        {"name": "init", "arguments": {"files": [path], "sources": {path + ".cl": "int evil;"}}},
        {"name": "advise", "arguments": {"files": ["good.cl"], "from": path}},
        {"name": "tune", "arguments": {"files": ["good.cl"], "hosts": "node1"}},
        {"name": "tune", "arguments": {"files": ["good.cl"], "set": draw.choice(["", " "]) + "host x.launcher=touch evil; true %h"}},
        {"name": "tune", "arguments": {"files": ["host.ini"], "time": "1s"}},
        {"name": "tune", "arguments": {"files": ["host.cl"], "time": "1s"}},
        {"name": "judge", "arguments": {"files": ["good.cl", "good.cl"], "plugin-path": "."}},
        {"name": "transform", "arguments": {"files": draw.choice([None, 7, {}, [7], [None], [], "good.cl"])}},
        {"name": "transform", "arguments": {"files": ["good.cl"], "sources": draw.choice([{"x": 1}, {"x.cl": None}, {".cl": "x"}])}},
        {"name": "advise", "arguments": {"files": ["good.cl"], "top": draw.choice([-1, 1e300, {}, [{}], "many", True, None, 10**18])}},
        {"name": "transform", "arguments": {"files": ["--variant=x", "good.cl"], "kernel": draw.choice(["\x01", "%s%n", "a" * 100000, {}])}},
        {"name": "transform", "arguments": {"files": ["reads.cl"]}},
        {"name": "worker", "arguments": {}},
        {"name": draw.choice([7, None, [], {}]), "arguments": {}},
        {"name": "init", "arguments": draw.choice([7, [], "x", None])},
    ]
    return draw.choice(kinds)


def hostile_line(draw):
    """A line that is no good request, or one that asks for nothing."""
    plain = {"jsonrpc": "2.0", "id": draw.choice([None, 1.5, {}, [], True, "x" * 70000, -5]), "method": draw.choice(
        ["ping", "tools/list", "no/such", "", "\x00", 7, None, "notifications/cancelled", "initialize", "x" * 70000])}
    kinds = [
        lambda: bytes(draw.randrange(256) for _ in range(draw.randrange(300))).replace(b"\n", b""),
        lambda: b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe\xc0\x80"}',
        lambda: draw.choice([b"[", b'{"a":', b"[[{"]) * draw.choice([10, 3000, 200000]),
        lambda: b"[" * 1500 + b"]" * 1500,
        lambda: json.dumps(plain).encode(),
        lambda: json.dumps([plain] * draw.choice([0, 1, 3, 1000])).encode(),
        lambda: json.dumps({**plain, "id": 9, "params": draw.choice([7, [], "x", {"cursor": "y"}, {"protocolVersion": 7}])}).encode(),
        lambda: json.dumps(plain).encode()[: draw.randrange(30)],
        lambda: b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
        lambda: b'{"jsonrpc":"2.0","id":' + b"9" * 400 + b',"method":"ping"}',
        lambda: b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"own 1"}}',
        lambda: b'{"jsonrpc":"2.0","id":3,"result":{}}',
        lambda: b"\0" * draw.randrange(100),
        lambda: b"null",
    ]
    return draw.choice(kinds)()


def hostile(command, seed):
    draw = random.Random(seed)
    client = Client(command)
    for _ in range(300):
        if draw.random() < 0.6:
            client.send_bytes(hostile_line(draw) + b"\n")
            assert client.ask("ping") == {}
            continue
        params = hostile_call(draw)
        answer, _ = client.wait(client.request("tools/call", **params))
        assert "error" in answer or answer["result"]["isError"], (params, answer)
        assert "root:" not in json.dumps(answer) and "SECRET" not in json.dumps(answer), (params, answer)
    # Without an end: what is too long is dropped, up to the next line.
    for _ in range(64):
        client.send_bytes(b"x" * (1 << 20))
    client.send_bytes(b"\n")
    assert client.ask("ping") == {}
    client.end()


if __name__ == "__main__":
    what, argument, *command = sys.argv[1:]
    {"normal": lambda: normal(command, argument), "hostile": lambda: hostile(command, int(argument)), "ends": lambda: ends(command)}[what]()
