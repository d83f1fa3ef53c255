"""The fingerprint of everything a stage reads: equal fingerprints mean that the work need not be done again."""

import hashlib
import json
from typing import Any


def input_fingerprint(**parts: Any) -> str:
    """SHA-256 (hex) over the named parts in canonical JSON; the order of the names does not matter."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
