"""What a database's own error means, and what to do about it."""

from __future__ import annotations

import sqlalchemy as sa

__all__ = ["cause", "shown"]

# What drivers say -> what to do. The first that fits counts, so the particular stand first.
_REMEDIES = {
    "readonly": "the file or its folder is read-only: change its permissions or open a copy",
    "read-only transaction": "this server only follows another: name the one that takes writes",
    "is full": "the disk is full: free some space and try again; nothing was half written",
    "No space left": "the server's disk is full: free some space and try again; nothing was half "
    "written",
    "disk I/O error": "the disk failed or is full: check both and try again; nothing was half "
    "written",
    "is locked": "another process held the lock for 30 s: try again",
    "not a database": "the file isn't a SQLite database: name another, or restore a backup",
    "malformed": "the file is damaged: restore a backup",
    "unable to open": "the folder doesn't exist or can't be entered",
    "surrogates not allowed": "half of a surrogate pair can't be stored in a name: leave it out",
    "NUL (0x00)": "PostgreSQL can't store NUL in a name: leave it out",
    'extension "vector" is not available': "install pgvector 0.7 or newer on the server",
    'type "halfvec" does not exist': "update pgvector on the server to 0.7 or newer",
    "create extension": "have an administrator run CREATE EXTENSION vector in it, once",
    "does not exist": "create it on the server, or name another in the URL",
    "permission denied": "its user may not: grant what is named, or use another user in the URL",
    "password": "check user and password in the URL",
    "too many clients": "the server takes no more connections: close some, or raise "
    "max_connections there",
    "closed the connection": "the connection broke. Whether the last write arrived isn't known: "
    "do it again, what is there already isn't doubled",
    "terminating connection": "the server ended the connection. Whether the last write arrived "
    "isn't known: do it again, what is there already isn't doubled",
    "connection to server": "is PostgreSQL running, and are host and port in the URL right?",
    "connection timeout": "is PostgreSQL running, and are host and port in the URL right?",
}


def cause(error: Exception) -> str:
    """Say what the driver said, with what to do where that is known.

    Examples
    --------
    >>> cause(ValueError("database or disk is full"))[:48]
    'database or disk is full (the disk is full: free'
    """
    text = " ".join(str(getattr(error, "orig", None) or error).split())
    return next((f"{text} ({cure})" for said, cure in _REMEDIES.items() if said in text), text)


def shown(url: str) -> str:
    """Return a URL without its password."""
    try:
        return sa.engine.make_url(url).render_as_string(hide_password=True)
    except sa.exc.ArgumentError:
        return repr(url)
