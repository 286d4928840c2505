#!/usr/bin/python3
"""An identity provider that speaks SAML 2.0, for tests and for trying things out: pysaml2 behind a few pages. Never for real users.

It listens on 127.0.0.1 with TLS, says where in its first line, and knows alice of the staff and bob of the guests, who have no passwords.

    GET  /metadata            what services must know of it
    POST /trust               the metadata of a service, which it answers from then on
    POST /sign                what it signs from then on: assertion, response or both
    GET  /start?sp=&target=   a login that begins here
    GET  /leave               a logout that begins here
"""
import argparse
import base64
import html
import secrets
import ssl
from http import HTTPStatus
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT, samlp
from saml2.authn_context import PASSWORDPROTECTEDTRANSPORT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAME_FORMAT_BASIC, NAMEID_FORMAT_EMAILADDRESS, NAMEID_FORMAT_PERSISTENT
from saml2.server import Server
from saml2.sigver import verify_redirect_signature
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

USERS = {
    "alice": {"name": ["Alice Adams"], "email": ["alice@example.com"], "groups": ["staff"]},
    "bob": {"name": ["Bob Brown"], "email": ["bob@example.com"], "groups": ["guests"]},
}


class Provider:
    """What it knows: the services that it trusts, who is logged in here, and where else they are."""

    def __init__(self, url, key, certificate):
        self.url, self.key, self.certificate = url, key, certificate
        self.trusted = []
        self.signed = ("assertion",)
        self.asked = {}  # logins under way, by the number in its form
        self.sessions = {}  # users by the cookie of their browser
        self.elsewhere = {}  # their assertions, by the same
        self.configure()

    def configure(self):
        both = (BINDING_HTTP_REDIRECT, BINDING_HTTP_POST)
        service = {
            "endpoints": {
                "single_sign_on_service": [(f"{self.url}/login", binding) for binding in both],
                "single_logout_service": [(f"{self.url}/logout", binding) for binding in both],
            },
            "policy": {"default": {"lifetime": {"minutes": 5}, "name_form": NAME_FORMAT_BASIC}},
            "name_id_format": [NAMEID_FORMAT_PERSISTENT, NAMEID_FORMAT_EMAILADDRESS],
            "sign_assertion": True,
        }
        settings = {
            "entityid": f"{self.url}/metadata",
            "service": {"idp": service},
            "key_file": self.key,
            "cert_file": self.certificate,
            "xmlsec_binary": "/usr/bin/xmlsec1",
            "metadata": {"inline": self.trusted},
        }
        self.server = Server(config=IdPConfig().load(settings))

    def trust(self, metadata):
        self.trusted = [*self.trusted, metadata]
        self.configure()

    def check_signature(self, binding, sent, message):
        """In the redirect binding it stands beside the message; in the other it is part of that, and was checked when that was read."""
        if binding == BINDING_HTTP_POST:
            if message.signature is None:
                raise ValueError("nobody has signed this")
            return
        issuer = message.issuer.text
        certificates = self.server.metadata.certs(issuer, "spsso", "signing")
        backend = self.server.sec.sec_backend
        if not any(verify_redirect_signature(sent, backend, certificate) for certificate in certificates):
            raise ValueError("nobody who is trusted has signed this")

    def ask(self, binding, sent):
        request = self.server.parse_authn_request(sent["SAMLRequest"], binding).message
        issuer = request.issuer.text
        self.check_signature(binding, sent, request)
        back = self.server.response_args(request, [BINDING_HTTP_POST])
        number = secrets.token_urlsafe()
        self.asked[number] = {
            "in_response_to": request.id,
            "destination": back["destination"],
            "sp_entity_id": issuer,
            "name_id_policy": request.name_id_policy,
            "relay_state": sent.get("RelayState", ""),
        }
        return number, request.force_authn == "true"

    def begin(self, service, target):
        _, destination = self.server.pick_binding(
            "assertion_consumer_service", [BINDING_HTTP_POST], "spsso", entity_id=service
        )
        number = secrets.token_urlsafe()
        self.asked[number] = {
            "in_response_to": None,
            "destination": destination,
            "sp_entity_id": service,
            "name_id_policy": None,
            "relay_state": target,
        }
        return number

    def answer(self, number, browser):
        asked = self.asked.pop(number)
        relay_state = asked.pop("relay_state")
        user = self.sessions[browser]
        authn = {"class_ref": PASSWORDPROTECTEDTRANSPORT, "authn_auth": self.url}
        how = {"sign_alg": SIG_RSA_SHA256, "digest_alg": DIGEST_SHA256}
        how |= {f"sign_{part}": part in self.signed for part in ("assertion", "response")}
        xml = str(self.server.create_authn_response(USERS[user], userid=user, authn=authn, **how, **asked))
        assertion = samlp.response_from_string(xml).assertion[0]
        self.elsewhere.setdefault(browser, []).append((asked["sp_entity_id"], assertion))
        return asked["destination"], {"SAMLResponse": encoded(xml), "RelayState": relay_state}

    def end(self, binding, sent, browser):
        """A service says that somebody has left. The answer is where the browser takes it."""
        request = self.server.parse_logout_request(sent["SAMLRequest"], binding).message
        self.check_signature(binding, sent, request)
        self.sessions.pop(browser, None)
        self.elsewhere.pop(browser, None)
        response = self.server.create_logout_response(request, [BINDING_HTTP_REDIRECT], sign=False)
        relay_state = sent.get("RelayState", "")
        return self.redirect(str(response), response.destination, relay_state, response=True)

    def leave(self, browser):
        """None: the browser is logged in at no service."""
        self.sessions.pop(browser, None)
        for service, assertion in self.elsewhere.pop(browser, []):
            _, destination = self.server.pick_binding(
                "single_logout_service", [BINDING_HTTP_REDIRECT], "spsso", entity_id=service
            )
            _, request = self.server.create_logout_request(
                destination,
                service,
                name_id=assertion.subject.name_id,
                session_indexes=[assertion.authn_statement[0].session_index],
                sign=False,
            )
            return self.redirect(str(request), destination, "", response=False)
        return None

    def redirect(self, message, destination, relay_state, response):
        arguments = self.server.apply_binding(
            BINDING_HTTP_REDIRECT, message, destination, relay_state, response=response, sign=True, sigalg=SIG_RSA_SHA256
        )
        return dict(arguments["headers"])["Location"]


def encoded(xml):
    return base64.b64encode(xml.encode()).decode()


def page(title, body):
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><h1>{title}</h1>{body}</html>'


def form(action, fields, more=""):
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in fields.items()
    )
    return f'<form method="post" action="{html.escape(action)}">{hidden}{more}</form>'


class Pages(BaseHTTPRequestHandler):
    def do_GET(self):
        self.serve(BINDING_HTTP_REDIRECT, dict(parse_qsl(urlsplit(self.path).query)))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        is_form = self.headers["Content-Type"] == "application/x-www-form-urlencoded"
        self.serve(BINDING_HTTP_POST, dict(parse_qsl(body)) if is_form else body)

    def serve(self, binding, sent):
        path = urlsplit(self.path).path
        try:
            answer = self.routes()[path](binding, sent)
        except Exception as error:
            print(f"{path}: {error!r}", flush=True)
            answer = (HTTPStatus.BAD_REQUEST, page("That went wrong", html.escape(repr(error))))
        status, body, *headers = answer
        self.send_response(status)
        for name, value in [("Content-Type", "text/html"), ("Content-Length", str(len(body.encode()))), *headers]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    def routes(self):
        return {
            "/metadata": self.metadata,
            "/trust": self.trust,
            "/sign": self.sign,
            "/login": self.login,
            "/start": self.start,
            "/password": self.password,
            "/logout": self.logout,
            "/leave": self.leave,
        }

    @property
    def browser(self):
        cookie = SimpleCookie(self.headers["Cookie"]).get("browser")
        return cookie.value if cookie else ""

    def metadata(self, _binding, _sent):
        return HTTPStatus.OK, str(entity_descriptor(provider.server.config))

    def trust(self, _binding, sent):
        provider.trust(sent)
        return HTTPStatus.NO_CONTENT, ""

    def sign(self, _binding, sent):
        what = sent["what"]
        provider.signed = ("assertion", "response") if what == "both" else (what,)
        return HTTPStatus.NO_CONTENT, ""

    def login(self, binding, sent):
        number, is_forced = provider.ask(binding, sent)
        return self.known_or_asked(number, is_forced)

    def start(self, _binding, sent):
        return self.known_or_asked(provider.begin(sent["sp"], sent.get("target", "")), False)

    def known_or_asked(self, number, is_forced):
        if self.browser in provider.sessions and not is_forced:
            return self.bring(number, self.browser)
        button = "".join(f'<p><button name="user" value="{user}">{user}</button></p>' for user in USERS)
        return HTTPStatus.OK, page("Who are you?", form("/password", {"number": number}, button))

    def password(self, _binding, sent):
        browser = secrets.token_urlsafe()
        provider.sessions[browser] = sent["user"]
        cookie = ("Set-Cookie", f"browser={browser}; Path=/; Secure; HttpOnly; SameSite=None")
        return *self.bring(sent["number"], browser), cookie

    def bring(self, number, browser):
        destination, fields = provider.answer(number, browser)
        script = "<button>Go on</button><script>document.forms[0].submit()</script>"
        return HTTPStatus.OK, page("Logged in", form(destination, fields).replace("</form>", "") + script + "</form>")

    def logout(self, binding, sent):
        if "SAMLResponse" in sent:
            return HTTPStatus.OK, page("Logged out everywhere", "")
        return HTTPStatus.SEE_OTHER, "", ("Location", provider.end(binding, sent, self.browser))

    def leave(self, _binding, _sent):
        location = provider.leave(self.browser)
        if location is None:
            return HTTPStatus.OK, page("Logged out here", "")
        return HTTPStatus.SEE_OTHER, "", ("Location", location)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="An identity provider for trying out SAML.")
    parser.add_argument("--port", type=int, default=0, help="default: any free one")
    parser.add_argument("--key", required=True, help="an RSA key in PEM, for TLS and for signatures")
    parser.add_argument("--certificate", required=True, help="its certificate for localhost")
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Pages)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.certificate, options.key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    provider = Provider(f"https://localhost:{server.server_address[1]}", options.key, options.certificate)
    print(f"listening at {provider.url}", flush=True)
    server.serve_forever()
