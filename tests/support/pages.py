"""The parts of an HTML page."""

import json
import re
from html.parser import HTMLParser

VOID = {"meta", "input", "img", "link", "br", "wbr"}
CELLS, ROWS = ("td", "th"), ("td", "th", "tr")
"""Elements of tables that HTML ends without a tag, before a cell and before a row."""


class Page(HTMLParser):
    """The elements of a page, its texts, and what is open at the end."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.open, self.parts = [], [], [], {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag in ROWS:
            self.close(CELLS if tag in CELLS else ROWS)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def close(self, tags):
        """End the elements that need no tag to end."""
        while self.open[-1] in tags:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in ("thead", "tbody", "table", "tr"):
            self.close(CELLS if tag == "tr" else ROWS)
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("style", "script"):
            self.parts[self.open[-1]] = data  # the last script: data come before it
        else:
            self.texts.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def data_of(text):
    """Return the data of a report's page, which its script reads."""
    return json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', text, re.DOTALL)[1])
