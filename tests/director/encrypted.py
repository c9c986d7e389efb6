"""An encrypted service and who comes to it, for the tests of encryption."""

import socket
import ssl
import threading
from pathlib import Path

import httpx

from kiosk.demo.play import simulate
from kiosk.director.serve import Service
from kiosk.director.settings import Settings, Tls
from kiosk.director.tls.authority import own_authority

PIN = "24681357"
ROUND = list(simulate("eppstein", 3, games=1, table=7))


def settings(folder: Path, tls: Tls | None = None, **more) -> Settings:
    database = f"sqlite:///{folder / 'd.sqlite'}"
    return Settings(
        tournament="t", database=database, port=0, pin=PIN, guests=False, tls=tls or Tls(folder=folder / "tls"), **more
    )


def browser(service: Service, **more) -> httpx.Client:
    """A browser in which the certificate was installed: names and dates count."""
    context = ssl.create_default_context(cadata=service.certificates.authority)
    return httpx.Client(base_url=service.url, verify=context, trust_env=False, **more)


def stranger(service: Service) -> httpx.Client:
    """A browser on another machine that comes without encryption, as the application sees it."""
    transport = httpx.ASGITransport(service.app, client=("192.168.1.20", 50000))
    return httpx.AsyncClient(transport=transport, base_url=f"http://192.168.1.10:{service.port}")


def shakes_hands(content: bytes, folder: Path, authority: str, name: str) -> bool:
    """Whether a browser that trusts the authority takes this certificate for a name, as OpenSSL checks it."""
    path = folder / "shown.pem"
    path.write_bytes(content)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(path)
    client = ssl.create_default_context(cadata=authority)
    ours, theirs = socket.socketpair()

    def serve():
        try:
            server.wrap_socket(theirs, server_side=True).close()
        except OSError:
            theirs.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        client.wrap_socket(ours, server_hostname=name).close()
    except ssl.SSLCertVerificationError:
        ours.close()
        return False
    finally:
        thread.join(10)
    return True


def write_chain(folder: Path, name: str, root: bool = False) -> Tls:
    """A certificate as a club might have it, in two files."""
    made = own_authority(folder / f"of {name}")
    content = made.sign(frozenset({name}))
    key, _, rest = content.partition(b"-----BEGIN CERTIFICATE-----")
    leaf = (b"-----BEGIN CERTIFICATE-----" + rest).removesuffix(made.pem.encode())
    (folder / "key.pem").write_bytes(key)
    (folder / "chain.pem").write_bytes(leaf + made.pem.encode() if root else leaf)
    return Tls(folder=folder / "tls", certificate=folder / "chain.pem", key=folder / "key.pem")
