"""The Python programs of the servers in limiter_servers.py: as small as each limiter permits. @NAME@ is a value of the server."""

FLASK = """
from flask import Flask, jsonify, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

app = Flask(__name__)
limiter = Limiter(@key@, app=app, strategy="@strategy@", storage_uri="@storage@", headers_enabled=True)

@app.get("/words/<int:number>")
@limiter.limit("@limit@")
def word(number):
    return jsonify(word="up", number=number)
"""

SLOWAPI = """
from fastapi import FastAPI, Request, Response
from slowapi import Limiter, _rate_limit_exceeded_handler
from slowapi.errors import RateLimitExceeded
from slowapi.util import get_remote_address

limiter = Limiter(key_func=@key@, strategy="@strategy@", headers_enabled=True, key_style="@style@")
app = FastAPI()
app.state.limiter = limiter
app.add_exception_handler(RateLimitExceeded, _rate_limit_exceeded_handler)

@app.get("/words/{number}")
@limiter.limit("@limit@")
async def word(request: Request, response: Response, number: int):
    return {"word": "up", "number": number}
"""

# Version 0.1 counts in Redis.
FASTAPI_REDIS = """
import contextlib
import redis.asyncio
from fastapi import Depends, FastAPI, Request
from fastapi_limiter import FastAPILimiter
from fastapi_limiter.depends import RateLimiter

async def address(request: Request):
    return request.client.host

@contextlib.asynccontextmanager
async def lifespan(_):
    await FastAPILimiter.init(redis.asyncio.from_url("redis://127.0.0.1")@identifier@)
    yield

app = FastAPI(lifespan=lifespan)

@app.get("/words/{number}", dependencies=[Depends(RateLimiter(times=10, seconds=2))])
async def word(number: int):
    return {"word": "up", "number": number}
"""

# Version 0.2 counts with pyrate-limiter; each client has one bucket.
FASTAPI_PYRATE = """
from fastapi import Depends, FastAPI, Request
from fastapi_limiter.depends import RateLimiter
from pyrate_limiter import InMemoryBucket, Limiter, Rate
from pyrate_limiter.abstracts import BucketFactory, RateItem
from pyrate_limiter.clocks import MonotonicClock

class Buckets(BucketFactory):
    def __init__(self):
        self.clock, self.buckets = MonotonicClock(), {}
    def wrap_item(self, name, weight=1):
        return RateItem(name, self.clock.now(), weight=weight)
    def get(self, item):
        if item.name not in self.buckets:
            self.buckets[item.name] = self.create(InMemoryBucket, [Rate(10, 2000)])
        return self.buckets[item.name]

async def address(request: Request):
    return request.client.host

app = FastAPI()

@app.get("/words/{number}", dependencies=[Depends(RateLimiter(limiter=Limiter(Buckets()), identifier=address))])
async def word(number: int):
    return {"word": "up", "number": number}
"""

# `admit(key)` is true, or false with the headers of the rejection.
STARLETTE = """
import collections, time
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
@setup@

async def word(request):
    admitted, headers = await admit(@key@)
    if admitted:
        return JSONResponse({"word": "up", "number": request.path_params["number"]}, headers=headers)
    return JSONResponse({"error": "too many requests"}, 429, headers)

app = Starlette(routes=[Route("/words/{number:int}", word)])
"""

LIMITS = """
from limits import parse
from limits.storage import storage_from_string
from limits.strategies import @strategy@ as Strategy
strategy, limit = Strategy(storage_from_string("@storage@")), parse("10/2second")
async def admit(key):
    return strategy.hit(limit, key), {}
"""

PYRATE = """
from pyrate_limiter import FixedWindow, InMemoryBucket, Limiter, Rate, StateBucket, TokenBucket
limiters = collections.defaultdict(lambda: Limiter(@bucket@))
async def admit(key):
    return limiters[key].try_acquire(key, blocking=False), {}
"""

AIOLIMITER = """
from aiolimiter import AsyncLimiter
limiters = collections.defaultdict(lambda: AsyncLimiter(10, 2))
async def admit(key):
    if not limiters[key].has_capacity():
        return False, {}
    await limiters[key].acquire()
    return True, {}
"""

THROTTLED = """
import math
from datetime import timedelta
from throttled import Throttled, rate_limiter
throttle = Throttled(using="@using@", quota=rate_limiter.per_duration(timedelta(seconds=@seconds@), limit=@limit@, burst=10))
async def admit(key):
    result = throttle.limit(key)
    headers = {"X-RateLimit-Limit": str(result.state.limit), "X-RateLimit-Remaining": str(result.state.remaining)}
    if result.limited:
        headers["Retry-After"] = str(math.ceil(result.state.retry_after))
    return not result.limited, headers
"""

QUART = """
from datetime import timedelta
from quart import Quart
from quart_rate_limiter import RateLimiter, rate_limit

async def address():
    from quart import request
    return request.remote_addr

app = Quart(__name__)
RateLimiter(app@key@)

@app.get("/words/<int:number>")
@rate_limit(10, timedelta(seconds=2))
async def word(number):
    return {"word": "up", "number": number}
"""

DJANGO = """
import sys
import django
from django.conf import settings

class Settings:
    DEBUG, SECRET_KEY, ALLOWED_HOSTS, ROOT_URLCONF = False, "limiters", ["*"], __name__
    INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "rest_framework.authtoken"]
    DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "@folder@/users.db"}}
    MIDDLEWARE = []
    REST_FRAMEWORK = {"DEFAULT_THROTTLE_RATES": {"anon": "10/s", "user": "10/s", "words": "10/s"}, "NUM_PROXIES": @proxies@}
    NINJA_NUM_PROXIES = @proxies@

settings.configure(**{name: value for name, value in vars(Settings).items() if name.isupper()})
django.setup()

from django.contrib.auth.models import User
from django.core.handlers.wsgi import WSGIHandler
from django.http import JsonResponse
from django.urls import path
from rest_framework import authentication, throttling, views
from rest_framework.authtoken.models import Token
from rest_framework.response import Response

# The framework's own periods are a second, a minute, an hour and a day.
throttling.SimpleRateThrottle.parse_rate = lambda self, rate: (10, 3)
@setup@
urlpatterns = [@route@]
app = WSGIHandler()
if __name__ == "__main__":
    from django.core.management import call_command
    call_command("migrate", verbosity=0)
    for number in range(60):
        Token.objects.create(user=User.objects.create_user(f"user{number}"), key=f"limiter-token-{number}")
"""

REST = """
class Word(views.APIView):
    authentication_classes, throttle_classes = [@authentication@], [throttling.@throttle@]
    throttle_scope = "words"
    def get(self, request, number):
        return Response({"word": "up", "number": number})
word = Word.as_view()
"""

RATELIMIT = """
from django_ratelimit.decorators import ratelimit
@ratelimit(key="ip", rate="10/3s", block=True)
def word(request, number):
    return JsonResponse({"word": "up", "number": number})
"""

NINJA = """
from ninja import NinjaAPI
from ninja.throttling import AnonRateThrottle
api = NinjaAPI(throttle=[AnonRateThrottle("10/3s")])
@api.get("/{number}")
def word(request, number: int):
    return {"word": "up", "number": number}
"""
