"""What Prometheus is told: how many requests of which route, with which status, how long; nothing about whose."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4


class Metrics:
    """The counters of one application."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self._requests = Counter("memwarden_requests", "Requests answered.", labels, registry=self._registry)
        self._seconds = Histogram(
            "memwarden_request_seconds",
            "Seconds until a request was answered.",
            ("method", "route"),
            registry=self._registry,
        )

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request; ``route`` is a template, so that there are no more labels than routes."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        """Return everything counted, in the text format of Prometheus."""
        return generate_latest(self._registry)
