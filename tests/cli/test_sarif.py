"""SARIF is valid by the schema of the standard, which an npm package of Microsoft's brings."""

from __future__ import annotations

import json
import shutil
import tarfile
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from tests import processes
from tests.cli.running import run

pytestmark = [pytest.mark.xdist_group("light"), pytest.mark.thorough]

PACKAGE, SCHEMA = "@microsoft/jest-sarif@1.0.0-beta.0", "package/lib/schemas/sarif-2.1.0-rtm.5.json"


@pytest.mark.skipif(shutil.which("npm") is None, reason="the schema comes from npm")
def test_sarif_is_valid_by_its_schema(project: Path, cache: str, tmp_path: Path) -> None:
    packed = processes.run(["npm", "pack", "--silent", PACKAGE], cwd=tmp_path)
    with tarfile.open(tmp_path / packed.stdout.split()[-1]) as archive:
        file = archive.extractfile(SCHEMA)
        assert file is not None
        schema = json.load(file)
    log = json.loads(run(project, "check", cache, "--format=sarif").out)
    jsonschema.validate(log, schema)
    assert len(log["runs"][0]["results"]) == 2
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**log, "version": "2.0.0"}, schema)
