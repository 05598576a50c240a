"""Hostile answers of a server, as bytes, by name."""

import gzip
import os
import zlib

from servers import bomb_of

JSON = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def whole(body, head=JSON, fields=b""):
    return head + fields + b"Content-Length: %d\r\n\r\n" % len(body) + body


def chunked(body):
    return JSON + b"Transfer-Encoding: chunked\r\n\r\n" + body


def zipped(body):
    return whole(body, fields=b"Content-Encoding: gzip\r\n")


BOMB = bomb_of(b"[", b" ", 200_000_000)
ONCE = {
    "nothing": b"",
    "garbage": os.urandom(5000),
    "blank lines": b"\r\n" * 3000,
    "no version": b"200 OK\r\n\r\n",
    "HTTP/0.9": b"<html>hello",
    "HTTP/9.9": b"HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n",
    "status 0": b"HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n",
    "status 999": b"HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n",
    "status -1": b"HTTP/1.1 -1 X\r\n\r\n",
    "status long": b"HTTP/1.1 " + b"2" * 9000,
    "status words": b"HTTP/1.1 OK 200\r\n\r\n",
    "status marks": "HTTP/1.1 2\u030100 OK\r\n\r\n".encode(),
    "101": b"HTTP/1.1 101 X\r\nUpgrade: x\r\n\r\n\0\1",
    "no colon": JSON + b"Broken\r\n\r\n{}",
    "blank before colon": JSON + b"A : b\r\nContent-Length: 2\r\n\r\n{}",
    "NUL in field": whole(b"{}", fields=b"X-A: a\0b\r\n"),
    "controls": whole(b"{}", fields=b"X-A: \x1b[2J\x07\x7f\r\n"),
    "field no UTF-8": whole(b"{}", fields=b"X-\xff: \xfe\xc3(\r\n"),
    "folded": whole(b"{}", fields=b"X-A: a\r\n b\r\n\tc\r\n"),
    "bare LF": b"HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 2\n\n{}",
    "bare CR": whole(b"{}", fields=b"X-A: a\rX-B: c\r\n"),
    "header of 5 MB": JSON + b"X-A: " + b"x" * 5_000_000 + b"\r\nContent-Length: 0\r\n\r\n",
    "100,000 fields": JSON + b"A: b\r\n" * 100_000 + b"\r\n",
    "cookies": whole(b"{}", fields=b"".join(b"Set-Cookie: c%d=%s; Path=/\r\n" % (n, b"v" * 50) for n in range(1000))),
    "odd cookies": whole(
        b"{}",
        fields=b"Set-Cookie: =\r\nSet-Cookie: ;;;\r\n"
        b"Set-Cookie: a=b; Max-Age=99999999999999999999; Expires=x; Domain=.\r\n",
    ),
    "same length twice": JSON + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    "two lengths": JSON + b"Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}",
    "negative length": JSON + b"Content-Length: -1\r\n\r\n{}",
    "length 2^64": JSON + b"Content-Length: 18446744073709551616\r\n\r\n{}",
    "length 2^63": JSON + b"Content-Length: 9223372036854775807\r\n\r\n{}",
    "hex length": JSON + b"Content-Length: 0x2\r\n\r\n{}",
    "longer": JSON + b"Content-Length: 1\r\n\r\n{}HTTP/1.1 200 OK",
    "shorter": JSON + b"Content-Length: 900\r\n\r\n{}",
    "both lengths": JSON + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "codings": JSON + b"Transfer-Encoding: gzip, x, chunked\r\n\r\n0\r\n\r\n",
    "chunk -1": chunked(b"-1\r\n{}"),
    "chunk 2^64": chunked(b"10000000000000000\r\n{}"),
    "chunk f*16": chunked(b"f" * 16 + b"\r\n{}"),
    "chunk words": chunked(b"zz\r\n{}"),
    "chunk extension": chunked(b"2;" + b"x=y;" * 200_000 + b"\r\n{}\r\n0\r\n\r\n"),
    "no last chunk": chunked(b"2\r\n{}\r\n"),
    "trailers": chunked(b"0\r\n" + b"X-A: b\r\n" * 50_000 + b"\r\n"),
    "small chunks": chunked(b"1\r\n \r\n" * 100_000 + b"0\r\n\r\n"),
    "gzip bomb": zipped(BOMB),
    "no gzip": zipped(b"{}"),
    "half gzip": zipped(gzip.compress(b"{}" * 1000)[:-20]),
    "gzip twice": whole(gzip.compress(gzip.compress(b"{}")), fields=b"Content-Encoding: gzip, gzip\r\n"),
    "raw deflate": whole(zlib.compress(b"{}")[2:-4], fields=b"Content-Encoding: deflate\r\n"),
    "br": whole(b"{}", fields=b"Content-Encoding: br\r\n"),
    "gzip bomb of gzip": zipped(gzip.compress(BOMB, 9)),
    "members": zipped(gzip.compress(b" ") * 50_000),
    "deep arrays": whole(b"[" * 1_000_000),
    "deep objects": whole(b'{"v":' * 500_000),
    "deep closed": whole(b"[" * 100_000 + b"]" * 100_000),
    "no UTF-8": whole(b'{"v": "\xff\xc3("}'),
    "surrogate": whole(b'{"v": "\\ud800"}'),
    "same keys": whole(b"{" + b",".join([b'"v": 1'] * 50_000) + b"}"),
    "names": whole(b"{" + b",".join(b'"k%d": 1' % n for n in range(100_000)) + b"}"),
    "long number": whole(b'{"v": ' + b"9" * 2_000_000 + b"}"),
    "exponent": whole(b'{"v": 1e999999999}'),
    "BOM": whole(b"\xef\xbb\xbf{}"),
    "UTF-16": whole('{"v": "a"}'.encode("utf-16")),
    "marks": whole(('{"v": "' + "e" + "\u0301" * 500_000 + '"}').encode()),
    "backslashes": whole(b'{"v": "' + b"\\\\" * 500_000 + b'"}'),
    "to a file": b"HTTP/1.1 302 X\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
    "elsewhere": b"HTTP/1.1 302 X\r\nLocation: http://127.0.0.2:1/\r\nContent-Length: 0\r\n\r\n",
    "to nowhere": b"HTTP/1.1 302 X\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n",
    "to itself": b"HTTP/1.1 307 X\r\nLocation: /seed\r\nContent-Length: 0\r\n\r\n",
    "retry after": b"HTTP/1.1 429 X\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n",
    "retry date": b"HTTP/1.1 429 X\r\nRetry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n",
    "rate headers": whole(
        b"{}",
        fields=b"RateLimit: limit=9223372036854775808, remaining=-1, reset=1e308\r\n"
        b"X-RateLimit-Reset: 99999999999999999999\r\n",
    ),
    "date": whole(b"{}", fields=b"Date: Fri, 31 Dec 99999 23:59:60 GMT\r\nAge: -1\r\nCache-Control: max-age=1e308\r\n"),
    "links": whole(b"{}", fields=b"Link: " + b"<a>;" * 1500 + b"\r\n"),
    "type": whole(b"{}", b"HTTP/1.1 200 OK\r\nContent-Type: " + b';a="\\' * 900 + b"\r\n"),
    "TLS": b"\x15\x03\x01\x00\x02\x02\x28" * 50,
    "HTTP/2": b"\0\0\x12\4\0\0\0\0\0" + b"\0" * 18 + b"\0\0\0\7" * 900,
    "SSH": b"SSH-2.0-OpenSSH_9.9\r\n" * 20,
    "100 a thousand times": b"HTTP/1.1 100 Continue\r\n\r\n" * 1000 + whole(b"{}"),
    "103": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 1000 + whole(b"{}"),
    "XML of dashes": whole(
        b"<a><!--" + b"- " * 500_000 + b"--></a>", b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n"
    ),
    "XML entities": whole(
        b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd"><!ENTITY c "&b;&b;">]><a>&c;</a>',
        b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n",
    ),
    "XML attributes": whole(
        b"<a " + b" ".join(b'a%d="1"' % n for n in range(60_000)) + b"/>",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n",
    ),
    "events": b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + b"data: x\r\n" * 50_000,
    "204 with body": b"HTTP/1.1 204 X\r\nContent-Length: 2\r\n\r\n{}",
    "304": b"HTTP/1.1 304 X\r\n\r\n",
    "secret text": whole(b'{"v": "\x1b[2J"}'),
}
