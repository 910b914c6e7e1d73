"""Chromium without a window, spoken to over the pipe of its DevTools protocol."""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time


class CannotStart(Exception):
    """There is no Chromium here, or it does not start."""


class Browser:
    def __init__(self, seconds=25):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise CannotStart("there is no chromium on the path")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands_in, self.commands = os.pipe()
        self.answers, answers_out = os.pipe()

        def pipes():  # the protocol's pipes are descriptors 3 and 4
            first, second = os.dup(commands_in), os.dup(answers_out)
            os.dup2(first, 3)
            os.dup2(second, 4)

        arguments = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--disable-extensions", "--disable-background-networking", "--no-first-run",
                     f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe", "about:blank"]
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(arguments, close_fds=False, preexec_fn=pipes, stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=self.log)
        os.close(commands_in)
        os.close(answers_out)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        try:
            targets = self.call("Target.getTargets", seconds=seconds)["targetInfos"]
            page = next(t for t in targets if t["type"] == "page")
            self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        except (OSError, TimeoutError, EOFError, StopIteration) as reason:
            self.log.seek(0)
            said = self.log.read()[-500:].decode(errors="replace")
            self.close()
            raise CannotStart(f"{program} does not start: {reason!r} {said}") from reason
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _message(self, until):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.answers, 1 << 16)
            if not part:
                raise EOFError("the browser is gone")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, seconds=20, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        until = time.monotonic() + seconds
        while True:
            message = self._message(until)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, path, width, height=900, dark=False):
        """Loads a file at a width; gives what went wrong on the console and every address asked for."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events = []
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        until = time.monotonic() + 20
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self._message(until))
        self.settle()
        complaints, addresses = [], []
        for event in self.events:
            method, content = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                complaints.append(json.dumps(content["exceptionDetails"])[:400])
            if method == "Runtime.consoleAPICalled" and content["type"] in ("error", "warning", "assert"):
                complaints.append(json.dumps(content["args"])[:400])
            if method == "Log.entryAdded" and content["entry"]["level"] in ("error", "warning"):
                complaints.append(content["entry"]["text"])
            if method == "Network.requestWillBeSent":
                addresses.append(content["request"]["url"])
        return complaints, addresses

    def settle(self):
        """Two frames: what was asked for is laid out and painted."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def evaluate(self, script, seconds=60):
        result = self.call("Runtime.evaluate", seconds=seconds, expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:400])
        return result["result"].get("value")

    def screenshot(self, path):
        """The whole page: the window becomes as high as it is."""
        width, height = self.evaluate("[innerWidth, document.documentElement.scrollHeight]")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.settle()
        data = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
