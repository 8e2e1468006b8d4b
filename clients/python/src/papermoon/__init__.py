"""The client of a Papermoon server. It places orders once, resumes events and verifies webhooks."""

from .client import Papermoon
from .errors import NoAnswerError, PapermoonError, ProblemError
from .events import Event, stream_events
from .webhooks import SignatureError, read_webhook

__all__ = [
    "Event",
    "NoAnswerError",
    "Papermoon",
    "PapermoonError",
    "ProblemError",
    "SignatureError",
    "read_webhook",
    "stream_events",
]
