"""A mail server on the loopback interface that prints each message as Python's email package reads it.

    python3 server.py [OPTION...]

Prints "port N", and then a line of JSON for each accepted message. Ends with its standard input.

Options:
- starttls=CERTIFICATE,KEY or tls=CERTIFICATE,KEY: encryption.
- user=NAME,PASSWORD: requires a sign-in.
- login: offers AUTH LOGIN alone.
- strange: offers XOAUTH2 and CRAM-MD5 alone.
- noquit: prints a line at QUIT and never answers it.
- silent: accepts connections, prints a line and never answers.
- busy: refuses each connection with 421.
- stuck: stops reading after DATA and prints a line, until there is a second connection.

- pipelining=HOW: a server that announces PIPELINING and sends no reply to MAIL and RCPT before it
  has read DATA. A client that waits for one of them hangs. HOW is whole to send these replies at
  once, or bytes to send them byte by byte.
- lockstep: the same server without PIPELINING, which replies to each command.

pipelining and lockstep print how many times they waited for the client, and the lines that they
read. Both answer DATA by 354 even if all recipients were refused. They know the recipients unknown
and busy, and three first recipients that test limits: lines (lines without end), line (one line
without end) and full (552 in the middle of the message).

The local part of a recipient selects the answer. Before the message:
- unknown: refused permanently.
- busy: refused temporarily.
- once: refused temporarily, the first time only.
- many: refused with 552.

After the message:
- spam: refused permanently.
- later: refused temporarily.
- drop: the connection is closed in place of an answer.
- hang: prints a line and never answers.

The senders unwelcome (550) and slow (451) are refused.
"""

import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

from reader import read

seen = set()


class Handler:
    async def handle_MAIL(self, server, session, envelope, address, options):
        refusals = {"unwelcome": "550 5.7.1 not from you", "slow": "451 4.7.1 not now"}
        if reply := refusals.get(address.split("@")[0]):
            return reply
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        local = address.split("@")[0]
        if local == "unknown":
            return "550 5.1.1 no such mailbox"
        if local == "busy" or (local == "once" and address not in seen):
            seen.add(address)
            return "451 4.3.2 try again later"
        if local == "many":
            return "552 5.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        local = envelope.rcpt_tos[0].split("@")[0]
        if local == "spam":
            return "554 5.6.0 not this"
        if local == "later":
            return "451 4.3.0 not now"
        if local == "drop":
            server.transport.abort()
            return "451 nobody reads this"
        if local == "hang":
            print(json.dumps("hangs"), flush=True)
            await asyncio.Future()
        fields = {
            "client": session.host_name,
            "quitting": Holding.quitting,
            "sender": envelope.mail_from,
            "recipients": envelope.rcpt_tos,
            "user": session.auth_data and session.auth_data.login.decode(),
            "isEncrypted": server.transport.get_extra_info("ssl_object") is not None,
        }
        print(json.dumps(read(envelope.original_content or envelope.content) | fields), flush=True)
        return "250 taken"


class Holding(Handler):
    quitting = 0

    async def handle_QUIT(self, server, session, envelope):
        Holding.quitting += 1
        print(json.dumps("quits"), flush=True)
        try:
            await asyncio.Future()
        finally:
            Holding.quitting -= 1


class Strange(Handler):
    async def auth_XOAUTH2(self, server, args):
        return AuthResult(success=False, handled=False)

    auth_CRAM__MD5 = auth_XOAUTH2


class Refusing(asyncio.Protocol):
    def connection_made(self, transport):
        transport.write(b"421 4.3.2 too busy\r\n")
        transport.close()


class Silent(asyncio.Protocol):
    def connection_made(self, transport):
        print(json.dumps("silent"), flush=True)


class Stuck:
    """Prints in JSON whether the lines of the message were complete."""

    def __init__(self):
        self.connections = 0
        self.goes_on = asyncio.Event()

    async def connected(self, stream, writer):
        self.connections += 1
        if self.connections > 1:
            self.goes_on.set()
            writer.write(b"421 4.3.2 one is enough\r\n")
            writer.close()
            return
        writer.write(b"220 stuck\r\n")
        while not (line := await stream.readline()).startswith(b"DATA"):
            writer.write(b"250 OK\r\n")
        writer.write(b"354 go on\r\n")
        print(json.dumps("stuck"), flush=True)
        await self.goes_on.wait()
        rest = b""
        try:
            while chunk := await stream.read(65536):
                rest = (rest + chunk)[-5:]
        except ConnectionError:
            pass
        print(json.dumps(rest == b"\r\n.\r\n"), flush=True)


class Scripted:
    """Announces PIPELINING, or goes in lockstep; takes each message."""

    def __init__(self, pipelining):
        self.pipelining = pipelining

    def reply(self, line):
        local = line.partition(b"<")[2].partition(b"@")[0]
        if line.startswith(b"RCPT"):
            replies = {b"unknown": b"550 5.1.1 no such mailbox", b"busy": b"451 4.3.2 try again later"}
            return replies.get(local, b"250 OK")
        if line.startswith(b"MAIL") and local == b"unwelcome":
            return b"550 5.7.1 not from you"
        return b"354 go on" if line.startswith(b"DATA") else b"250 OK"

    async def send(self, writer, replies):
        text = b"".join(reply + b"\r\n" for reply in replies)
        for piece in [text] if self.pipelining != "bytes" else [text[i : i + 1] for i in range(len(text))]:
            writer.write(piece)
            await writer.drain()

    async def never_end(self, writer, bytes):
        while True:
            writer.write(bytes)
            await writer.drain()

    async def connected(self, reader, writer):
        try:
            await self.session(reader, writer)
        except ConnectionError:
            pass
        writer.close()

    async def session(self, reader, writer):
        writer.write(b"220 scripted\r\n")
        if b"endless" in await reader.readline():
            await self.never_end(writer, b"250-more\r\n")
        writer.write(b"250-scripted\r\n250-PIPELINING\r\n250 SIZE\r\n" if self.pipelining else b"250 scripted\r\n")
        commands, held, waits = [], [], 0
        while not commands or not commands[-1].startswith("DATA"):
            line = await reader.readline()
            if not line or line.startswith(b"QUIT"):
                break
            commands.append(line.decode().strip())
            for local, endless in [("lines", b"250-more\r\n"), ("line", b"x" * 1024)]:
                if commands[-1].startswith(f"RCPT TO:<{local}@"):
                    await self.never_end(writer, endless)
            held.append(self.reply(line))
            if not self.pipelining or line.startswith(b"DATA"):
                waits += 1
                await self.send(writer, held)
                held = []
        else:
            if any("<full@" in command for command in commands):
                writer.write(b"552 5.3.4 too big\r\n")
                # Nothing more is read, so the client has to hear this while it writes.
                await asyncio.Future()
            line, count = b"", 0
            while line != b".\r\n":
                line = await reader.readline()
                count += len(line)
                if not line:
                    return
            waits += 1
            writer.write(b"250 taken\r\n")
            await reader.readline()
            writer.write(b"221 bye\r\n")
            print(json.dumps({"waits": waits, "commands": commands, "bytes": count}), flush=True)
            return
        print(json.dumps({"waits": waits, "commands": commands, "bytes": 0}), flush=True)


def context(files):
    certificate, key = files.split(",")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def authenticator(user, password):
    def check(server, session, envelope, mechanism, data):
        is_right = (data.login, data.password) == (user.encode(), password.encode())
        return AuthResult(success=is_right, handled=False, auth_data=data)

    return check


async def main():
    loop = asyncio.get_running_loop()
    options = dict(argument.partition("=")[::2] for argument in sys.argv[1:])
    settings = {}
    if "starttls" in options:
        settings |= {"tls_context": context(options["starttls"]), "require_starttls": True}
    if "user" in options:
        is_starttls = "starttls" in options
        settings |= {
            "authenticator": authenticator(*options["user"].split(",")),
            "auth_required": True,
            "auth_require_tls": is_starttls,
            "auth_exclude_mechanism": [
                name
                for name, reasons in [("PLAIN", {"login", "strange"}), ("LOGIN", {"strange"})]
                if reasons & options.keys()
            ],
        }
    handler = Holding if "noquit" in options else Strange if "strange" in options else Handler
    factory = lambda: SMTP(handler(), loop=loop, **settings)
    if "silent" in options:
        factory = Silent
    if "busy" in options:
        factory = Refusing
    tls = context(options["tls"]) if "tls" in options else None
    if "pipelining" in options or "lockstep" in options:
        server = await asyncio.start_server(Scripted(options.get("pipelining")).connected, "127.0.0.1", 0, ssl=tls)
    elif "stuck" in options:
        server = await asyncio.start_server(Stuck().connected, "127.0.0.1", 0)
    else:
        server = await loop.create_server(factory, "127.0.0.1", 0, ssl=tls)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
