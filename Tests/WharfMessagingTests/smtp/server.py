"""A mail server on the loopback interface that says what it was sent, as Python's email package reads it.

    python3 server.py

Prints "port N", and then a line of JSON for each message that it has taken. Refuses recipients for good and for now, before and behind the
message, by their local parts: unknown, busy, spam, later. Ends with its standard input.
"""

import asyncio
import json
import sys

from aiosmtpd.smtp import SMTP

from reader import read


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        local = address.split("@")[0]
        if local == "unknown":
            return "550 5.1.1 no such mailbox"
        if local == "busy":
            return "451 4.3.2 try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        local = envelope.rcpt_tos[0].split("@")[0]
        if local == "spam":
            return "554 5.6.0 not this"
        if local == "later":
            return "451 4.3.0 not now"
        envelope_fields = {"sender": envelope.mail_from, "recipients": envelope.rcpt_tos}
        print(json.dumps(read(envelope.content) | envelope_fields), flush=True)
        return "250 taken"


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Handler(), loop=loop), "127.0.0.1", 0)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
