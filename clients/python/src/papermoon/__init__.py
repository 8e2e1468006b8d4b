"""Client of a Papermoon server: orders that are placed once, exact figures, events that resume."""

from .client import Papermoon
from .errors import NoAnswerError, PapermoonError, ProblemError
from .events import Event, stream_events

__all__ = ["Event", "NoAnswerError", "Papermoon", "PapermoonError", "ProblemError", "stream_events"]
