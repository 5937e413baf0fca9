"""Excel files, made without a library."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape


def write_sheet(
    path: Path, rows: Sequence[Sequence[object]], *, places: Mapping[int, str] | None = None
) -> Path:
    """The smallest Excel file that there is, with one sheet.

    Args:
        path: Where to.
        rows: Its cells.
        places: Where the first cell of a row, by its number from 0, says that it stands.
    """
    stated = places or {}

    def cell(value: object, place: str) -> str:
        at = f' r="{place}"' if place else ""
        if value is None:
            return f"<c{at}/>"
        if isinstance(value, int | float):
            return f"<c{at}><v>{value}</v></c>"
        return f'<c{at} t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'

    def cells(number: int, row: Sequence[object]) -> str:
        first = stated.get(number, "")
        return "".join(cell(value, "" if at else first) for at, value in enumerate(row))

    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    data = "".join(f"<row>{cells(number, row)}</row>" for number, row in enumerate(rows))
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/'
            'vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
            'ContentType="application/xml"/></Types>',
        )
        file.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
            f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        file.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="one" sheetId="1" r:id="r1"/>'
            "</sheets></workbook>",
        )
        file.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
            f'Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        )
        file.writestr(
            "xl/worksheets/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData>{data}</sheetData></worksheet>'
        )
    return path
