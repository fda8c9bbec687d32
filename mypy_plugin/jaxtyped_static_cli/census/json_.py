"""JSON of a documented shape: docs/census.md. `version` changes when a program that reads it may have to."""

import json
from typing import Any, Final

from .model import Call, Census, Class, Function, Place, Reason, Use

VERSION: Final = 1


def data_of(census: Census, title: str) -> dict[str, Any]:
    """`title`: the name of the project."""
    return {
        "version": VERSION,
        "project": title,
        "files": census.files,
        "functions": [_function(function) for function in census.functions],
        "classes": [_class(cls) for cls in census.classes],
    }


def render(census: Census, title: str) -> str:
    return json.dumps(data_of(census, title), indent=2) + "\n"


def _function(function: Function) -> dict[str, Any]:
    return {
        "id": function.id,
        "name": function.name,
        **_place(function.place),
        "compiler": function.compiler,
        "verdict": function.verdict,
        "unread": function.unread,
        "parameters": [
            {
                "name": parameter.name,
                "role": parameter.role,
                "type": parameter.type,
                "donated": parameter.is_donated,
                "reasons": list(map(_reason, parameter.reasons)),
                "classes": list(parameter.classes),
            }
            for parameter in function.parameters
        ],
        "calls": [_call(call) for call in function.calls if call.is_call],
        "mentions": [{**_place(call.place), "scope": call.scope} for call in function.calls if not call.is_call],
    }


def _call(call: Call) -> dict[str, Any]:
    return {
        **_place(call.place),
        "scope": call.scope,
        "caller": call.caller,
        "static": [argument._asdict() for argument in call.arguments],
    }


def _class(cls: Class) -> dict[str, Any]:
    return {
        "id": cls.id,
        "name": cls.name,
        **_place(cls.place),
        "declared": cls.declared,
        "bases": list(cls.bases),
        "roles": list(cls.roles),
        "verdict": cls.verdict,
        "reasons": list(map(_reason, cls.reasons)),
        "uses": [_use(use) for use in cls.uses],
        "fields": [
            {
                "name": field.name,
                "type": field.type,
                "role": field.role or "",
                "reasons": list(map(_reason, field.reasons)),
                "classes": list(field.classes),
            }
            for field in cls.fields
        ],
    }


def _use(use: Use) -> dict[str, Any]:
    where = _place(use.place) if use.place is not None else {}
    return {"role": use.role, "kind": use.kind, "owner": use.owner, "name": use.name, **where}


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "code": reason.code,
        "path": reason.path,
        "problem": reason.problem,
        "advice": reason.advice,
        "certain": reason.is_certain,
    }


def _place(place: Place) -> dict[str, Any]:
    return {"path": place.path, "line": place.line}
