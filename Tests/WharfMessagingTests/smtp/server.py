"""A mail server on the loopback interface that says what it was sent, as Python's email package reads it.

    python3 server.py

Prints "port N", and then a line of JSON for each message that it has taken. Refuses recipients for good and for now, before and behind the
message, by their local parts: unknown, busy, spam, later. Ends with its standard input.
"""

import asyncio
import base64
import email
import email.policy
import email.utils
import json
import sys
from email.header import decode_header, make_header

from aiosmtpd.smtp import SMTP


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
        print(json.dumps(read(envelope)), flush=True)
        return "250 taken"


def mailboxes(message, name):
    """By the older of Python's parsers: the newer one puts spaces between the encoded words of a name, against RFC 2047 section 6.2."""
    found = email.utils.getaddresses(message.get_all(name, []))
    return [[str(make_header(decode_header(display))), address] for display, address in found]


def read(envelope):
    message = email.message_from_bytes(envelope.content, policy=email.policy.SMTP)
    older = email.message_from_bytes(envelope.content)
    defects = list(message.defects)
    for name in message.keys():
        defects += message[name].defects
    return {
        "sender": envelope.mail_from,
        "recipients": envelope.rcpt_tos,
        "from": mailboxes(older, "From"),
        "to": mailboxes(older, "To"),
        "replyTo": mailboxes(older, "Reply-To"),
        "subject": str(message["Subject"] or ""),
        "date": int(message["Date"].datetime.timestamp()),
        "messageID": str(message["Message-ID"]),
        "type": message.get_content_type(),
        "charset": message.get_content_charset(),
        "encoding": str(message["Content-Transfer-Encoding"]),
        "body": message.get_content(),
        "defects": [repr(d) for d in defects],
        "longest": max(len(line) for line in envelope.content.split(b"\r\n")),
        "bytes": base64.b64encode(envelope.content).decode(),
    }


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Handler(), loop=loop), "127.0.0.1", 0)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
