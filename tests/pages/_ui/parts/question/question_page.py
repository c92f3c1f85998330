"""Words and vectors typed on the Search page."""

from tests.pages.search_page import told

SUM = "word 3 - word 5 + 0.5*word 9"


def true_rows(at):
    said = told(at)
    return said["items"]["rows"][said["true"]].tolist()


def captions(at):
    return " ".join(caption.value for caption in at.caption)


def errors(at):
    return " ".join(error.value for error in at.error)
