"""A Django project that signs its users in with Authlib: the sample of the dashboard in settings_sample.py and views.py."""

import os
from urllib.parse import urlencode

import settings_sample
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import path

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    AUTHLIB_OAUTH_CLIENTS=settings_sample.AUTHLIB_OAUTH_CLIENTS,
    DEBUG=True,
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="a secret of the test",
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
)

import views  # noqa: E402  (needs the settings)

client = views.oauth.identity
authorize_access_token = client.authorize_access_token
tokens = {}


def remember_tokens(request):
    token = authorize_access_token(request)
    tokens.update(token)
    return token


client.authorize_access_token = remember_tokens


def home(request):
    if "user" not in request.session:
        return redirect("/sign-in")
    refreshed = client.fetch_access_token(grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    tokens.update(refreshed)
    claims = client.parse_id_token(refreshed, nonce=None)
    profile = client.userinfo(token=refreshed)
    assert claims["sub"] == profile["sub"] == request.session["user"]["sub"]
    return JsonResponse({**request.session["user"], **profile})


def sign_out(request):
    request.session.flush()
    address = client.load_server_metadata()["end_session_endpoint"]
    query = {"id_token_hint": tokens["id_token"], "post_logout_redirect_uri": os.environ["APP_URL"] + "/signed-out"}
    return redirect(f"{address}?{urlencode(query)}")


urlpatterns = [
    path("", home),
    path("sign-in", views.sign_in),
    path("callback", views.callback),
    path("sign-out", sign_out),
    path("signed-out", lambda _: HttpResponse("Signed out")),
]

execute_from_command_line(["app", "runserver", "--noreload", f"127.0.0.1:{os.environ['PORT']}"])
