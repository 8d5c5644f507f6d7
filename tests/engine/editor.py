"""A small editor: the client's side of the language server's protocol, over the real command."""

import json
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SLOW = 60  # seconds, after which nothing comes any more


class Editor:
    """Starts the command in a folder and speaks to it; a message is a dictionary."""

    def __init__(self, folder, capabilities=None, arguments=(), initialize=True):
        command = [
            sys.executable,
            "-c",
            "import sys; from engine.cli import main; sys.exit(main())",
        ]
        self.process = subprocess.Popen(
            [*command, "lsp", *arguments],
            cwd=folder, env={"PYTHONPATH": str(PROJECT), "PATH": "/usr/bin:/bin"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.folder, self.count, self.version = Path(folder), 0, 0
        self.heard, self.diagnostics, self.published = queue.Queue(), {}, []
        threading.Thread(target=self._listen, daemon=True).start()
        if initialize:
            root = {"uri": self.folder.as_uri(), "name": "course"}
            about = {"processId": None, "rootUri": None, "workspaceFolders": [root]}
            self.server = self.ask("initialize", **about, capabilities=capabilities or {})
            self.tell("initialized")

    def _listen(self):
        out = self.process.stdout
        while line := out.readline():
            length = 0
            while line.strip():
                name, _, value = line.decode().partition(":")
                length = int(value) if name == "Content-Length" else length
                line = out.readline()
            self.heard.put(json.loads(out.read(length)))
        self.heard.put(None)

    def _send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, **params):
        self._send(method=method, params=params)

    def ask(self, method, **params):
        """The result of a request."""
        self.count += 1
        self._send(id=self.count, method=method, params=params)
        answer = self.until(
            lambda message: message.get("id") == self.count and "method" not in message
        )
        assert "error" not in answer, answer
        return answer["result"]

    def until(self, wanted, seconds=SLOW):
        """The next message that is wanted; the diagnostics on the way are kept."""
        end = time.monotonic() + seconds
        while True:
            message = self.heard.get(timeout=max(end - time.monotonic(), 0.01))
            assert message is not None, self.process.stderr.read().decode()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                self.diagnostics[self.name(params["uri"])] = params["diagnostics"]
                self.published.append(params)
            elif "method" in message and "id" in message:
                self._send(id=message["id"], result=None)
            if wanted(message):
                return message

    def name(self, uri):
        path = Path(uri.removeprefix("file://"))
        return str(path.relative_to(self.folder)) if path.is_relative_to(self.folder) else uri

    def document(self, file):
        return {"uri": (self.folder / file).as_uri()}

    def open(self, file, text=None):
        if text is None:
            text = (self.folder / file).read_bytes().decode("utf-8")
        self.version += 1
        document = {**self.document(file), "languageId": "x", "version": self.version, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)

    def change(self, file, text):
        self.version += 1
        document = {**self.document(file), "version": self.version}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])

    def looked(self, file):
        """The diagnostics of the version that was sent last."""

        def of_this(message):
            params = message.get("params") or {}
            return (
                params.get("uri") == self.document(file)["uri"]
                and params.get("version") == self.version
            )

        self.until(of_this)
        return self.diagnostics[file]

    def told(self, file):
        """The next diagnostics of a file."""
        self.until(
            lambda message: message.get("params", {}).get("uri") == self.document(file)["uri"]
        )
        return self.diagnostics[file]

    def at(self, method, file, line, character):
        place = {"line": line, "character": character}
        return self.ask(f"textDocument/{method}", textDocument=self.document(file), position=place)

    def close(self):
        """Shut it down as editors do; the exit code, and what it said elsewhere."""
        self.ask("shutdown")
        self.tell("exit")
        _, said = self.process.communicate(timeout=SLOW)
        return self.process.returncode, said.decode()

    def kill(self):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
