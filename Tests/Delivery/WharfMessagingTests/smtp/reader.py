"""Reads messages with Python's email package.

    python3 reader.py FILE

FILE has a message in base64 on each line. Prints a line of JSON for each message.
"""

import base64
import email
import email.policy
import email.utils
import json
import sys
from email.header import decode_header, make_header


def mailboxes(message, name):
    """Uses the older of Python's parsers.

    The newer one puts spaces between the encoded words of a name, against RFC 2047 section 6.2.
    """
    found = email.utils.getaddresses(message.get_all(name, []))
    return [[str(make_header(decode_header(display))), address] for display, address in found]


def defects(message):
    found = [repr(d) for d in message.defects]
    for name in message.keys():
        found += [f"{name}: {d!r}" for d in message[name].defects]
    for part in message.iter_parts() if message.is_multipart() else []:
        found += defects(part)
    return found


def lines(content):
    """Returns the lines that a relay might change, which breaks a DKIM signature.

    See RFC 6376 section 3.4.
    """
    found = []
    if not content.endswith(b"\r\n"):
        found.append("the last line does not end")
    for number, line in enumerate(content[:-2].split(b"\r\n"), 1):
        if b"\r" in line or b"\n" in line:
            found.append(f"line {number}: CR or LF alone")
        if len(line) > 998:
            found.append(f"line {number}: {len(line)} octets")
        if line.endswith((b" ", b"\t")):
            found.append(f"line {number}: white space at its end")
        if line.startswith((b".", b"From ")):
            found.append(f"line {number}: begins with {line[:5]}")
        if any(byte >= 128 or byte == 0 for byte in line):
            found.append(f"line {number}: 8 bit or NUL")
    header = content.split(b"\r\n\r\n")[0]
    for line in header.split(b"\r\n"):
        if len(line) > 78 and b" " in line.strip() and b"@" not in line:
            found.append(f"not folded: {line}")
    return found


def text(part):
    return None if part is None else part.get_content()


def files(parts):
    return [
        {
            "name": part.get_filename(),
            "type": part.get_content_type(),
            "disposition": part.get_content_disposition(),
            "contentID": part["Content-ID"] and str(part["Content-ID"]),
            "bytes": base64.b64encode(part.get_payload(decode=True)).decode(),
        }
        for part in parts
    ]


def shape(part):
    if not part.is_multipart():
        return part.get_content_type()
    return [part.get_content_subtype(), *map(shape, part.iter_parts())]


def leaves(part):
    return [leaf for leaf in part.walk() if not leaf.is_multipart()]


def read(content):
    message = email.message_from_bytes(content, policy=email.policy.default)
    older = email.message_from_bytes(content)
    body = message.get_body(("plain",))
    page = message.get_body(("html",))
    shown = [part for part in leaves(message) if part is not body and part is not page]
    return {
        "from": mailboxes(older, "From"),
        "to": mailboxes(older, "To"),
        "cc": mailboxes(older, "Cc"),
        "bcc": mailboxes(older, "Bcc"),
        "replyTo": mailboxes(older, "Reply-To"),
        "subject": str(message["Subject"] or ""),
        "date": int(message["Date"].datetime.timestamp()),
        "messageID": str(message["Message-ID"]),
        "shape": shape(message),
        "charset": (body or page).get_content_charset(),
        "text": text(body),
        "html": text(page),
        "files": files(shown),
        "defects": defects(message),
        "lines": lines(content),
        "bytes": base64.b64encode(content).decode(),
    }


if __name__ == "__main__":
    with open(sys.argv[1], encoding="ascii") as file:
        for line in file:
            print(json.dumps(read(base64.b64decode(line))))
