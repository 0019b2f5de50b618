"""The public keys of an issuer, fetched from where it publishes them, and again when it rotates them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping

import httpx
from joserfc.jwk import Key
from structlog.typing import FilteringBoundLogger

from memwarden.errors import ConfigurationError, IssuerUnavailableError
from memwarden.server.key_set import MAX_BYTES, known_key, public_keys

FRESH_S = 300.0
"""Seconds for which fetched keys are used without asking again."""
STALE_S = 3600.0
"""Seconds for which they go on being used while the issuer does not answer; then nobody is let in."""
PAUSE_S = 30.0
"""Seconds between two fetches at the least, however many tokens name keys that are unknown."""
PATIENCE_S = 10.0


class FetchedKeys:
    """A cache of one issuer's key set; many requests at once share one fetch."""

    def __init__(
        self,
        url: str,
        client: httpx.AsyncClient,
        log: FilteringBoundLogger,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if httpx.URL(url).scheme != "https":
            raise ConfigurationError("The keys of an issuer are fetched over https only.")
        self._url, self._client, self._log, self._clock = url, client, log, clock
        self._keys: Mapping[str, Key] = {}
        self._fetched: float | None = None
        self._tried: float | None = None
        self._fetching = asyncio.Lock()

    async def key(self, key_id: str) -> Key:
        """Return the key of this id, fetching again when the keys are old or do not have it.

        Raises `AuthenticationError` when there is none, `IssuerUnavailableError` when nobody can say.
        """
        if not self._is_younger_than(FRESH_S) or key_id not in self._keys:
            await self._renew(key_id)
        if not self._is_younger_than(STALE_S):
            raise IssuerUnavailableError("The issuer of tokens does not publish its keys; try again.")
        return known_key(self._keys, key_id)

    async def _renew(self, key_id: str) -> None:
        if self._fetching.locked() and key_id in self._keys and self._is_younger_than(STALE_S):
            return  # somebody is asking already, and this key will do until they have an answer
        async with self._fetching:
            if not self._was_tried_lately():
                await self._fetch()

    def _is_younger_than(self, seconds: float) -> bool:
        return self._fetched is not None and self._clock() - self._fetched < seconds

    def _was_tried_lately(self) -> bool:
        return self._tried is not None and self._clock() - self._tried < PAUSE_S

    async def _fetch(self) -> None:
        self._tried = self._clock()
        try:
            async with asyncio.timeout(PATIENCE_S):
                keys = public_keys(await self._document())
        except (httpx.HTTPError, TimeoutError) as error:
            self._log.warning("issuer_keys_not_fetched", error=type(error).__name__)
            return
        if not keys:
            self._log.warning("issuer_keys_not_fetched", error="no usable keys")
            return
        self._keys, self._fetched = keys, self._clock()

    async def _document(self) -> bytes:
        # Unpacked content could be of any size, so it is asked for, and read, as it is on the wire.
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        document = bytearray()
        async with self._client.stream("GET", self._url, headers=headers, follow_redirects=False) as response:
            if response.status_code != httpx.codes.OK:
                return b""
            async for chunk in response.aiter_raw():
                document += chunk
                if len(document) > MAX_BYTES:
                    return b""
        return bytes(document)
