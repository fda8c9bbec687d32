"""Copies what mypy's cache has of modules."""

import contextlib
from collections.abc import Mapping
from pathlib import Path

from mypy.build import PLUGIN_SNAPSHOT_FILE, create_metastore, get_cache_names, get_meta_ex_name
from mypy.options import Options


def copy_cache(options: Options, folder: Path, modules: Mapping[str, str]) -> None:
    """Copies what mypy's cache has of modules to a cache in another folder, unless that has it already.

    `modules`: the path of each.
    """
    other = options.apply_changes({"cache_dir": str(folder)})
    source, target = create_metastore(options, False), create_metastore(other, False)
    there = set(target.list_all())
    for module, path in modules.items():
        meta, data, _ = get_cache_names(module, path, options)
        if meta not in there:
            with contextlib.suppress(FileNotFoundError):
                for name in (data, get_meta_ex_name(meta), meta):
                    target.write(name, source.read(name), source.getmtime(name))
    with contextlib.suppress(FileNotFoundError):
        target.write(PLUGIN_SNAPSHOT_FILE, source.read(PLUGIN_SNAPSHOT_FILE))
    target.commit()
    target.close()
    source.close()
