"""Identity numbers of many countries, told by their shape and, where there is one, a check digit.

A shape that other numbers share counts only beside a label; one that is all its own stands alone.
Positions are in the normal form of :func:`ctxlab.language.text.fold`, digits written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ctxlab.language.sensitive_labels import WEAK, Labels
from ctxlab.language.sensitive_numbers import Hit, valid

__all__ = ["find_documents"]

_NAMED = frozenset({"id", "ssn", "passport", "licence"})
_REACH = 24  # characters between a label and its number
_FAR = 64  # the same where check digits vouch for it
_DATE6 = r"\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"


class _Form(NamedTuple):
    """What a country's number looks like, and what vouches for it.

    ``module`` is the part of python-stdnum that checks it; ``alone`` tells whether the shape is
    proof enough without a label.
    """

    name: str
    shape: str
    module: str = ""
    alone: bool = True


_FORMS = (
    _Form("emirates_id", r"784[- ]?(?:19|20)\d\d[- ]?\d{7}[- ]?\d"),
    _Form("korea_rrn", rf"{_DATE6}-[1-8]\d{{6}}"),
    _Form("spain_dni", r"\d{8}-?[A-Z]", "es.dni"),
    _Form("spain_nie", r"[XYZ]-?\d{7}-?[A-Z]", "es.nie"),
    _Form("ireland_pps", r"\d{7}[A-W][A-IW]?", "ie.pps"),
    _Form("france_nir", r"[12] ?\d\d ?(?:0[1-9]|1[0-2]) ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d", "fr.nir"),
    _Form("brazil_cpf", r"\d{3}\.\d{3}\.\d{3}-\d\d"),
    _Form("brazil_cpf", r"\d{11}", "br.cpf", alone=False),
    _Form("mexico_curp", r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z\d]\d"),
    _Form("chile_rut", r"\d{1,2}\.\d{3}\.\d{3}-[\dkK]", "cl.rut"),
    _Form("argentina_cuil", r"(?:20|2[3-7])-\d{8}-\d", "ar.cuit"),
    _Form("india_pan", r"[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]"),
    _Form("india_pan", r"[A-Z]{5}\d{4}[A-Z]", alone=False),
    _Form("belgium_nn", r"\d\d\.\d\d\.\d\d-\d{3}\.\d\d"),
    _Form("sweden_personnummer", rf"(?:19|20)?{_DATE6}[-+]\d{{4}}", "se.personnummer", alone=False),
    _Form("denmark_cpr", r"(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d\d-\d{4}", alone=False),
    _Form("finland_hetu", r"(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d\d[-+A]\d{3}[\dA-Y]",
          "fi.hetu"),
    _Form("malaysia_nric", rf"{_DATE6}-\d\d-\d{{4}}"),
    _Form("pakistan_cnic", r"\d{5}-\d{7}-\d"),
    _Form("macau_id", r"[157]\d{6} ?\(\d\)"),
    _Form("taiwan_id", r"[A-Z][1289]\d{8}"),
    _Form("japan_residence", r"[A-Z]{2}\d{8}[A-Z]{2}"),
    _Form("china_residence", r"[A-Z]{3}\d{12}", alone=False),
    _Form("uk_licence", r"[A-Z9]{5}\d{6}[A-Z9]{2}[A-Z0-9]{3}"),
    _Form("uk_licence", r"[A-Z9]{5} \d{6} ?[A-Z9]{2}\d?[A-Z]{2,3}"),
    _Form("uk_share_code", r"[A-Z0-9]{3} [A-Z0-9]{3} [A-Z0-9]{3}", alone=False),
    _Form("australia_crn", r"\d{3} ?\d{3} ?\d{3}[A-Z]", alone=False),
    _Form("ontario_health", r"\d{4}-\d{3}-\d{3}-[A-Z]{2}", alone=False),
    _Form("india_voter", r"[A-Z]{3}\d{7}", alone=False),
    _Form("home_return_permit", r"[HM]\d{10}", alone=False),
    _Form("nhs", r"\d{3} ?\d{3} ?\d{4}", "gb.nhs", alone=False),
)  # fmt: skip
_PATTERN = re.compile(
    "(?<![A-Za-z0-9_#/.-])(?=[A-Z0-9])(?:"
    + "|".join(f"(?P<f{number}>{form.shape})" for number, form in enumerate(_FORMS))
    + r")(?![A-Za-z0-9_/]|[-.]\d)"
)
# Taiwan's letters count for two digits; A = 10 … Z = 33, in an order of its own.
_TAIWAN = "ABCDEFGHJKLMNPQRSTUVXYWZIO"


def find_documents(text: str, labels: Labels) -> list[Hit]:
    """Find identity numbers by country."""
    return list(_documents(text, labels))


def _documents(text: str, labels: Labels) -> Iterator[Hit]:
    for match in _PATTERN.finditer(text):
        form = _FORMS[int((match.lastgroup or "f0")[1:])]
        label = labels.before(match.start(), _FAR, skip=WEAK)
        near = len(label.gap) <= (_FAR if form.module and _checks(form, match[0]) else _REACH)
        named = label.kind in _NAMED and near
        if not named and (not form.alone or label.kind == "other"):
            continue
        checked = _checks(form, match[0])
        if checked or named:
            confidence = 0.93 if checked and named else 0.9 if form.alone else 0.86
            yield Hit(*match.span(), "government_id", form.name, confidence)


def _checks(form: _Form, number: str) -> bool:
    if form.name == "taiwan_id":
        code = 10 + _TAIWAN.index(number[0])
        digits = [code // 10, code % 10, *map(int, number[1:])]
        return sum(d * w for d, w in zip(digits, (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True)) \
            % 10 == 0  # fmt: skip
    return not form.module or valid(form.module, number)
