"""Peers for the tests of CurlTransport on the loopback interface.

Each peer takes a free port and keeps it until it ends.

usage: peer.py http HOST | tls CERTIFICATE KEY | proxy | h2 CERTIFICATE KEY FOLDER | h2cut

Prints "port N" once it can be reached, and then a line for each event. On SIGTERM it ends once it
has read all bytes that have arrived.
"""

import os
import signal
import socket
import ssl
import sys
import threading
import time


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def listener(host="127.0.0.1", listens=True):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    held = socket.socket(family, socket.SOCK_STREAM)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind((host, 0))
    if listens:
        held.listen(64)
    return held, held.getsockname()[1]


class Terminated(Exception):
    pass


def serve(held, port, handle):
    def terminate(number, frame):
        raise Terminated

    signal.signal(signal.SIGTERM, terminate)
    taken = []

    def accept():
        connection, _ = held.accept()
        connection.setblocking(True)
        thread = threading.Thread(target=handle, args=(connection,), daemon=True)
        taken.append((connection.fileno(), thread))
        thread.start()

    try:
        say(f"port {port}")
        while True:
            accept()
    except Terminated:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    held.setblocking(False)
    try:
        while True:
            accept()
    except BlockingIOError:
        pass
    for number, thread in taken:
        if thread.is_alive():
            cut(number)
        thread.join()


def cut(number):
    """Ends a connection after the bytes that have arrived.

    TLS has taken over the socket object, but not the descriptor.
    """
    connection = socket.socket(fileno=number)
    try:
        connection.shutdown(socket.SHUT_RD)
    except OSError:
        # The client has closed it.
        pass
    connection.detach()


def head_of(stream):
    """Returns the lines of a request's head, or nothing if the client has left."""
    lines = []
    while True:
        line = stream.readline()
        if not line:
            return None
        line = line.rstrip(b"\r\n").decode("latin-1")
        if not line:
            return lines
        lines.append(line)


def answer(connection, text):
    stream = connection.makefile("rwb")
    while lines := head_of(stream):
        say(f"request {lines[0]}")
        if " /hang " in lines[0]:
            continue
        body = text.encode()
        stream.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        stream.flush()


def http(host):
    held, port = listener(host)
    serve(held, port, lambda connection: answer(connection, f"hello from {host}"))


def tls(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    def handle(connection):
        try:
            secured = context.wrap_socket(connection, server_side=True)
        except OSError:
            # Tests break the handshake off on purpose.
            return
        say("handshake")
        try:
            answer(secured, "secret")
        except OSError:
            return

    held, port = listener()
    serve(held, port, handle)


def proxy():
    """Answers CONNECT with a tunnel, or with 403 for the host "forbidden".

    It answers other requests itself, with their target.
    """

    def pump(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def handle(connection):
        stream = connection.makefile("rb", buffering=0)
        lines = head_of(stream)
        if not lines:
            return
        method, target, _ = lines[0].split(" ")
        say(f"{method} {target}")
        if method != "CONNECT":
            body = b"by the proxy"
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
            connection.close()
            return
        if target.startswith("forbidden"):
            connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            connection.close()
            return
        host, port = target.rsplit(":", 1)
        origin = socket.create_connection((host, int(port)))
        connection.sendall(b"HTTP/1.1 200 Connection established\r\nX-Proxy: here\r\n\r\n")
        threading.Thread(target=pump, args=(origin, connection), daemon=True).start()
        pump(connection, origin)

    held, port = listener()
    serve(held, port, handle)


def h2(certificate, key, folder):
    """Runs nghttpd over the files of a folder. It listens at a port that this process has bound."""
    held, port = listener(listens=False)
    held.set_inheritable(True)
    server = os.getpid()
    if os.fork() == 0:
        while os.getppid() == server:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.01)
        say(f"port {port}")
        os._exit(0)
    os.execvp("nghttpd", ["nghttpd", "-a", "127.0.0.1", "-d", folder, str(port), key, certificate])


def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def h2cut():
    """Speaks HTTP/2 without TLS: sends the head and half of a body, and closes the connection."""

    def handle(connection):
        connection.recv(24, socket.MSG_WAITALL)
        connection.sendall(frame(4, 0, 0))
        while True:
            head = connection.recv(9, socket.MSG_WAITALL)
            if len(head) < 9:
                return
            length, kind = int.from_bytes(head[:3], "big"), head[3]
            stream = int.from_bytes(head[5:], "big")
            connection.recv(length, socket.MSG_WAITALL) if length else b""
            if kind == 4 and not head[4] & 1:
                connection.sendall(frame(4, 1, 0))
            if kind == 1:
                say(f"request {stream}")
                # 0x88 is ":status: 200" of the static table.
                connection.sendall(frame(1, 4, stream, b"\x88") + frame(0, 0, stream, b"hello"))
                connection.shutdown(socket.SHUT_RDWR)
                return

    held, port = listener()
    serve(held, port, handle)


if __name__ == "__main__":
    {"http": http, "tls": tls, "proxy": proxy, "h2": h2, "h2cut": h2cut}[sys.argv[1]](*sys.argv[2:])
