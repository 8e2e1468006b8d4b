"""Writes src/papermoon/types.py from a server's OpenAPI document:

    python3 generate_types.py http://localhost:3000/api/openapi.json [--check]

`--check` changes nothing, and fails if the file is out of date.
"""

from __future__ import annotations

import json
import sys
import textwrap
import urllib.request
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent / "src/papermoon/types.py"

#: Name of a type, and where its schema is: method, path, status; `[]` is the item of a list.
TYPES = {
    "Token": ("get", "/api/tokens/{id}", "200", ""),
    "Trade": ("get", "/api/tokens/{id}/trades", "200", "[]"),
    "MarketTrade": ("get", "/api/trades", "200", "[]"),
    "Candle": ("get", "/api/tokens/{id}/candles", "200", "[]"),
    "Holder": ("get", "/api/tokens/{id}/holders", "200", "[]"),
    "Leader": ("get", "/api/leaderboard", "200", "[]"),
    "Holding": ("get", "/api/portfolio", "200", "[]"),
    "OwnPosition": ("get", "/api/tokens/{tokenId}/position", "200", ""),
    "Bought": ("post", "/api/tokens/buy", "200", ""),
    "Sold": ("post", "/api/tokens/sell", "200", ""),
    "Launched": ("post", "/api/tokens/launch", "201", ""),
    "Rugged": ("post", "/api/tokens/{id}/rug", "200", ""),
    "Quote": ("post", "/api/quotes", "200", ""),
    "Parameters": ("get", "/api/parameters", "200", ""),
    "Order": ("get", "/api/orders", "200", "[]"),
    "WaitingOrder": ("get", "/api/waiting-orders", "200", "[]"),
    "OrderOutcome": ("get", "/api/orders/{key}", "200", ""),
    "PlacedWaiting": ("post", "/api/waiting-orders", "201", ""),
    "Fair": ("get", "/api/fairs/{id}", "200", ""),
    "FairList": ("get", "/api/fairs", "200", ""),
    "FairRanking": ("get", "/api/fairs/{id}/ranking", "200", ""),
    "FairToken": ("get", "/api/fairs/{id}/tokens", "200", "[]"),
    "FairBag": ("get", "/api/fairs/{id}/bag", "200", ""),
    "Post": ("get", "/api/talk", "200", "[]"),
}

#: Texts that are figures. The document has no type for them, so a new text is put into one of the two lists by hand.
FIGURES = """above amount bagTokens balance below cashOut cashOutValue change close cost creatorHolding currentPrice
dust fee fees high launchFee leastPrice left leftToday lost low marketCap needed newMarketCap newPrice open poolShare
price price24hAgo priceChange24h priceImpact profitLoss profitLoss24h profitLossPercent profitLossPercent24h realSol
ruggedAmount score share solAmount solOut solPriceUsd solReserve spendingLimit spentToday spotPrice stake stakes
standing standings startingBalance stopPrice supply tokenAmount tokenReserve tokensOut totalPnL totalValue traded
tradingFee virtualSol volume volume24h""".split()
TEXTS = """cause commit description emoji key name nextCursor note profilePictureUrl secret symbol telegram text tokenName tokenSymbol
username wallet website winner x""".split()


class Generator:
    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._classes: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def run(self) -> str:
        for name, (method, path, status, item) in TYPES.items():
            answer = self._document["paths"][path][method]["responses"][status]["content"]["application/json"]
            schema = self._resolve(answer["schema"])
            self._to_type(name, self._resolve(schema["items"]) if item else schema)
        figures = textwrap.fill(" ".join(FIGURES), 120)
        head = f'{HEAD}FIGURES = frozenset(\n    """\n{figures}\n""".split()\n)\n'
        return "\n\n".join([head, *self._classes.values()])

    def _resolve(self, schema: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in schema:
            found: Any = self._document
            for part in schema["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            schema = found
        return schema

    def _to_type(self, name: str, schema: dict[str, Any], field: str = "") -> str:
        known = schema.get("$ref", "").rsplit("/", 1)[-1]
        if known in self._classes:
            return known
        schema = self._resolve(schema)
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            values = [value for value in schema["enum"] if value is not None]
            rest = " | None" if None in schema["enum"] else ""
            return f"Literal[{', '.join(repr(value) for value in values)}]{rest}"
        options = schema.get("anyOf") or schema.get("oneOf")
        if options:
            return self._to_union(name, options, field)
        kinds = schema.get("type")
        if isinstance(kinds, list):
            return self._to_union(name, [{**schema, "type": kind} for kind in kinds], field)
        if kinds == "object" and schema.get("properties"):
            return self._to_class(name, schema)
        return self._to_plain(name, kinds, schema, field)

    def _to_union(self, name: str, options: list[dict[str, Any]], field: str) -> str:
        objects = [option for option in options if self._resolve(option).get("type") == "object"]
        names = {id(option): f"{name}{index + 1}" for index, option in enumerate(objects)} if len(objects) > 1 else {}
        parts = [self._to_type(names.get(id(option), name), option, field) for option in options]
        unique = sorted(set(parts), key=lambda part: (part == "None", parts.index(part)))
        return " | ".join(unique)

    def _to_plain(self, name: str, kind: Any, schema: dict[str, Any], field: str) -> str:
        if kind == "array":
            return f"list[{self._to_type(f'{name}Item', schema['items'], field)}]"
        if kind == "string":
            return self._to_text(schema, field)
        plain = {"integer": "int", "number": "float", "boolean": "bool", "null": "None", "object": "dict[str, Any]"}
        return plain[kind]

    def _to_text(self, schema: dict[str, Any], field: str) -> str:
        is_decimal = schema.get("format") == "decimal"
        if not is_decimal and ("format" in schema or field in TEXTS):
            return "str"
        if field not in FIGURES:
            lists = "FIGURES" if is_decimal else "FIGURES or to TEXTS"
            raise SystemExit(f"{field} is a text: add it to {lists} in generate_types.py")
        return "Decimal"

    def _to_class(self, name: str, schema: dict[str, Any]) -> str:
        lines = []
        required = schema.get("required", [])
        for field, inner in schema["properties"].items():
            written = self._to_type(f"{name}{field[0].upper()}{field[1:]}", inner, field)
            lines.append(f"    {field}: {written if field in required else f'NotRequired[{written}]'}")
        return self._add_class(name, "\n".join(lines) + "\n")

    def _add_class(self, name: str, fields: str) -> str:
        """Returns the name of the class with these fields, which several schemas may share."""
        if fields not in self._names:
            self._names[fields] = name
            self._classes[name] = f"class {name}(TypedDict):\n{fields}"
        return self._names[fields]


HEAD = '''"""Made by generate_types.py from the server's OpenAPI document; do not edit.

Answers as dictionaries. Figures are text on the wire and `Decimal` here; times are ISO 8601 texts.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, NotRequired, TypedDict

#: Properties whose text is a figure.
'''


def main() -> None:
    with urllib.request.urlopen(sys.argv[1]) as response:
        made = Generator(json.load(response)).run()
    if "--check" not in sys.argv:
        TARGET.write_text(made)
    elif TARGET.read_text() != made:
        raise SystemExit("types.py is out of date: run generate_types.py against a server of this version")


if __name__ == "__main__":
    main()
