"""Unpacks archives from the index of packages."""

from __future__ import annotations

import tarfile
from pathlib import Path


def unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Unpacks without what could write outside of the folder, where Python has filters: since 3.11.4."""
    archive.extraction_filter = getattr(tarfile, "data_filter", None)
    archive.extractall(folder)
