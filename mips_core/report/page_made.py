"""How the report came about: settings, seeds, versions, and how to do it again."""

from mips_core.base.text import counted
from mips_core.report.contents import Report
from mips_core.report.markup import Html, element, joined, pairs, paragraph, table
from mips_core.report.picture import named as method_name
from mips_core.report.reproducing import SOME_FILE

SOME_FILE_IS = (
    f"{SOME_FILE} is the file, or the files, that the data was read from. Choices that were made "
    "there are added with --read. The fingerprints above tell whether the vectors are the same."
)


def settings(report: Report) -> Html:
    """Every index that the report holds a number of: in words, and every parameter."""
    chosen = report.point.measured.setting
    rows = [
        (
            method_name(setting.key),
            setting.words + (" (the one to run)" if at == chosen else ""),
            _values(report, at),
            str(setting.seed),
        )
        for at, setting in enumerate(report.settings)
    ]
    caption = f"{counted(len(rows), 'index', 'indexes')} of which this report holds numbers"
    return table(caption, ["Method", "Setting", "Parameters"], ["Seed"], rows)


def _values(report: Report, at: int) -> Html:
    values = report.settings[at].values
    told = ", ".join(f"{name}={value}" for name, value in values.items())
    return element("code", told or "none")


def made(report: Report) -> Html:
    """What fixed the random draws, and what measured."""
    machine = report.machine
    seeds = sorted({setting.seed for setting in report.settings})
    told = [("Seed of builds", ", ".join(map(str, seeds)))]
    if report.recipe is not None:
        told.append(("Seed of the queries", str(report.recipe["seed"])))
    told += list(machine.versions.items())
    told += [
        ("System", machine.system),
        ("Processor", f"{machine.processor}, {counted(machine.threads, 'thread', 'threads')}"),
    ]
    same = "The same data, settings and seeds give the same numbers, however many threads measure."
    return joined([pairs(told), paragraph(same, class_="about")])


def again(report: Report) -> Html:
    """Command lines; the notebook can do what they cannot."""
    told = []
    if report.commands:
        told.append(paragraph("The setting to run, and its whole curve:"))
        told += [element("pre", element("code", line)) for line in report.commands]
    if report.commands and report.origin.stem:
        told.append(paragraph(SOME_FILE_IS, class_="about"))
    told.append(
        paragraph(
            "The notebook that goes with this report reads the data, builds every index in its "
            "tables, and compares each number with those here."
        )
    )
    told.append(paragraph("The numbers are in this file as JSON too, in the element “report”."))
    return joined(told)
