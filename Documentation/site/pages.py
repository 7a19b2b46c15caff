"""Writes the pages of the site as Markdown for MkDocs, for scripts/site.

usage: pages.py GRAPHS OUT

GRAPHS is the folder of scripts/symbol-graphs. OUT gets the folder `pages` and `mkdocs.yml`. Links
of DocC become links between pages: <doc:Search> is an article, and ``/WharfCore/Snapshot`` is a
place on the reference page of WharfCore.
"""

import collections
import glob
import html
import itertools
import json
import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
PROJECT = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"]
# The headings of a reference page, by the kind of the symbol.
GROUPS = {
    "protocol": "Protocols", "struct": "Structures", "class": "Classes", "actor": "Actors", "enum": "Enumerations",
    "macro": "Macros", "typealias": "Type aliases",
}
FIELDS = "Parameters|Returns|Throws|Complexity|Note|Important|Warning|Precondition|SeeAlso"
# What each type has by itself, or by a conformance that is named as well.
UNNAMED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}


def fail(message):
    sys.exit(f"site: {message}")


# MARK: Symbols

def place(declaration):
    """File and line, by which declarations stand in the order of the source."""
    location = declaration.get("location", {})
    return location.get("uri", ""), location.get("position", {}).get("line", 0)


class Symbol:
    """A declaration, or the overloads of one name."""

    def __init__(self, module, path):
        self.module = module
        self.path = path
        self.declarations = []  # of symbol graphs, in the order of the source
        self.conforms = set()

    @property
    def name(self):
        return ".".join(self.path)

    @property
    def kind(self):
        return self.declarations[0]["kind"]["identifier"].removeprefix("swift.")

    @property
    def is_type(self):
        return self.kind in ("struct", "class", "enum", "protocol", "actor")

    @property
    def anchor(self):
        """The id of the heading, in which 1 stands for a label that is left out.

        Operators have no letters, so their codes stand for them.
        """
        words = re.sub(r"(?<=[(:])_:", "1:", ".".join(self.path))
        words = re.sub(r"[^A-Za-z0-9_.]", lambda c: "-" if c[0] in "():, " else f"{ord(c[0]):x}-", words)
        return re.sub(r"-+", "-", words).strip("-.")

    @property
    def place(self):
        return place(self.declarations[0])


class Reference:
    """The public symbols of all libraries, by library and path."""

    def __init__(self, folder):
        self.symbols = {}
        self.by_id = {}
        relations = []
        for path in sorted(glob.glob(f"{folder}/*.symbols.json")):
            module = re.match(r"\w+", os.path.basename(path))[0]
            graph = json.loads(pathlib.Path(path).read_text())
            relations += graph["relationships"]
            for symbol in graph["symbols"]:
                # Members that an extension of another module gives to each conformer.
                if "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
                    continue
                self.add(module, symbol)
        if not self.symbols:
            fail(f"expected symbol graphs in {folder}, found none")
        for relation in relations:
            symbol = self.by_id.get(relation["source"])
            if relation["kind"] != "conformsTo" or not symbol:
                continue
            target = self.by_id.get(relation["target"])
            name = target.name if target else relation.get("targetFallback", "").split(".")[-1]
            if name and name not in UNNAMED:
                symbol.conforms.add((name, target))
        self.modules = collections.defaultdict(list)
        for (module, _), symbol in self.symbols.items():
            symbol.declarations.sort(key=place)
            self.modules[module].append(symbol)

    def add(self, module, symbol):
        path = tuple(symbol["pathComponents"])
        one = self.symbols.setdefault((module, path), Symbol(module, path))
        one.declarations.append(symbol)
        self.by_id.setdefault(symbol["identifier"]["precise"], one)

    def find(self, link, module=None, path=()):
        """The symbol of a link of DocC, as seen from a symbol of a library; None if there is none."""
        words = [re.sub(r"-[a-z0-9.]+$", "", word) for word in link.strip("/").split("/")]
        if words[0] in self.modules and len(words) > 1:
            return self.symbols.get((words[0], tuple(words[1:])))
        for depth in range(len(path), -1, -1):
            found = self.symbols.get((module, path[:depth] + tuple(words)))
            if found:
                return found
        # A type of another library, if one library alone has it.
        found = [self.symbols[name, tuple(words)] for name in self.modules if (name, tuple(words)) in self.symbols]
        return found[0] if len(found) == 1 else None


# MARK: Markdown

class Converter:
    """Makes Markdown for MkDocs from that of DocC and of the repository."""

    def __init__(self, reference, articles, files):
        self.reference = reference
        self.articles = articles  # path below pages and title, by the name of the file
        self.files = files  # path below pages, by the path in the repository
        self.unknown = collections.Counter()

    def convert(self, text, page, source=None, module=None, path=()):
        """The text of a page.

        page: its path below pages. source: its path in the repository, from which links start.
        module, path: the symbol that is documented.
        """
        up = os.path.relpath("/", "/" + os.path.dirname(page)) + "/"
        up = "" if up == "./" else up
        out = []  # lines, each with whether it is text and no code
        fence = None
        indents = []  # of the list items around a line
        shift = 0
        title = None
        for line in text.split("\n"):
            stripped = line.lstrip(" ")
            indent = len(line) - len(stripped)
            if fence:
                mark, margin = fence
                out.append((False, " " * shift + line[min(margin, indent):]))
                if stripped.rstrip() == mark:
                    fence = None
                continue
            comment = re.fullmatch(r"<!-- (\S+\.swift)(?:: \S+)? -->", line)
            if comment:
                # The file of the block below.
                title = comment[1]
                continue
            if source and ".docc/" in source and re.match(r"@[A-Z]\w*\b *[({]", line):
                fail(f"{source}: the site has no counterpart of the directive {line}")
            item = re.match(r"(?:[-*+]|\d+\.) +", stripped)
            mark = re.match(r"(`{3,}|~{3,})(.*)", stripped)
            before = out[-1][1] if out else ""
            # A line at the margin ends a list, unless it continues a paragraph. MkDocs wants four
            # spaces for each list around a line, and a blank line before a list.
            while stripped and indents and indent <= indents[-1] + (1 if item else 0) and (item or mark or not before):
                indents.pop()
            shift = 4 * len(indents)
            if mark:
                fence = (mark[1], indent)
                info = f' {mark[2]} title="{title}"' if title and mark[2] else mark[2]
                title = None
                out.append((False, " " * shift + mark[1] + info))
                continue
            if item:
                if before and not indents and not re.match(r" *(?:[-*+]|\d+\.) ", before):
                    out.append((True, ""))
                if module:
                    stripped = self.field(stripped, bool(indents))
                indents.append(indent)
            out.append((True, " " * shift + stripped if stripped else ""))
        # The text of a link may have a line break.
        parts = []
        for is_text, lines in itertools.groupby(out, key=lambda pair: pair[0]):
            part = "\n".join(line for _, line in lines)
            parts.append(self.links(part, up, source, module, path) if is_text else part)
        return "\n".join(parts).strip("\n") + "\n"

    @staticmethod
    def field(item, is_nested):
        """A list item of a doc comment that has a meaning: a parameter, what is returned or thrown."""
        if is_nested:
            return re.sub(r"^- (\w+):", r"- `\1`:", item)
        item = re.sub(r"^- Parameter (`?)([\w.]+)\1:", r"- **Parameter** `\2`:", item)
        return re.sub(rf"^- ({FIELDS}):", r"- **\1:**", item)

    def links(self, text, up, source, module, path):
        def symbol(match):
            link = match[1]
            found = self.reference.find(link, module, path)
            words = link.strip("/").split("/")
            if not found:
                if words[0] in self.reference.modules and len(words) == 1:
                    return f"[`{words[0]}`]({up}reference/{words[0]}.md)"
                if source:
                    self.unknown[f"{source}: ``{link}``"] += 1
                return f"`{words[-1]}`"
            name = found.name if found.is_type else words[-1]
            return f"[`{name}`]({up}reference/{found.module}.md#{found.anchor})"

        def article(match):
            name, _, section = match[1].partition("#")
            if name not in self.articles:
                fail(f"{source}: there is no article {name}")
            where, title = self.articles[name]
            return f"[{title}]({up}{where}{'#' + section.lower() if section else ''})"

        def file(match):
            bang, words, target = match.groups()
            if re.match(r"[a-z]+:|#", target):
                return match[0]
            target, _, section = target.partition("#")
            where = os.path.normpath(os.path.join(os.path.dirname(source), target)) if source else target
            if where in self.files:
                return f"{bang}[{words}]({up}{self.files[where]}{'#' + section if section else ''})"
            # A file that the site does not have.
            return f"`{words}`" if words == target else words

        if not module:
            text = re.sub(r"(!?)\[((?:(?!\n\n)[^\]\[]|\[[^\]\n]*\])*)\]\(([^)\s]+)\)", file, text)
        text = re.sub(r"(?<!`)``([^`\s]+)``(?!`)", symbol, text)
        return re.sub(r"(?<!`)<doc:([^>]+)>", article, text)


# MARK: Reference

def declaration(symbol, reference):
    """The declaration in HTML, in which types are links to where they are documented."""
    # Those of Pygments, which colours the other blocks.
    classes = {
        "keyword": "k", "attribute": "nd", "number": "mi", "string": "s", "typeIdentifier": "n", "identifier": "nf",
    }
    parts = []
    for part in symbol["declarationFragments"]:
        text = html.escape(part["spelling"], quote=False)
        target = reference.by_id.get(part.get("preciseIdentifier"))
        if target and part["kind"] == "typeIdentifier":
            text = f'<a href="{target.module}.html#{target.anchor}">{text}</a>'
        name = classes.get(part["kind"])
        parts.append(f'<span class="{name}">{text}</span>' if name else text)
    return "".join(parts).replace("\n\n", "\n")


def members(symbol, all_symbols):
    return [other for other in all_symbols if not other.is_type and other.path[:-1] == symbol.path]


def library(module, reference, converter):
    page = f"reference/{module}.md"
    out = [f"# {module}", ""]
    symbols = sorted(reference.modules[module], key=lambda symbol: symbol.place)

    def write(symbol, level):
        title = symbol.name if level == 3 else symbol.path[-1]
        out.extend([f"{'#' * level} `{title}` {{ #{symbol.anchor} }}", ""])
        for one in symbol.declarations:
            code = declaration(one, reference)
            out.extend([f'<div class="declaration highlight"><pre><code>{code}</code></pre></div>', ""])
            lines = one.get("docComment", {}).get("lines")
            if lines:
                text = "\n".join(line["text"] for line in lines)
                text = converter.convert(text, page, module=module, path=symbol.path)
                # The headings of a comment are no entries of the page.
                out.extend([re.sub(r"(?m)^#+ (.*)$", r"**\1**", text), ""])
        if symbol.conforms:
            names = [f'<a href="{target.module}.html#{target.anchor}">{name}</a>' if target else name
                     for name, target in sorted(symbol.conforms, key=lambda pair: pair[0])]
            out.extend([f'<p class="conforms">Conforms to {", ".join(names)}.</p>', ""])

    places = {symbol.path for symbol in symbols if symbol.is_type}
    groups = collections.defaultdict(list)
    for symbol in symbols:
        if symbol.is_type or len(symbol.path) == 1:
            groups[GROUPS.get(symbol.kind, "Functions and values")].append(symbol)
    for group in [name for name in [*GROUPS.values(), "Functions and values"] if name in groups]:
        out.extend([f"## {group} {{ #the-{group.split()[0].lower()} }}", ""])
        for symbol in sorted(groups.pop(group), key=lambda symbol: symbol.name):
            write(symbol, 3)
            for member in members(symbol, symbols):
                write(member, 4)
    # Members of types of other libraries.
    others = collections.defaultdict(list)
    for symbol in symbols:
        if not symbol.is_type and len(symbol.path) > 1 and symbol.path[:-1] not in places:
            others[".".join(symbol.path[:-1])].append(symbol)
    if others:
        out.extend(["## Extensions { #the-extensions }", ""])
    for name in sorted(others):
        out.extend([f"### `{name}` {{ #extension-{name.replace('.', '-')} }}", ""])
        for member in others[name]:
            write(member, 4)
    return "\n".join(out)


# MARK: The site

def title_of(text):
    return re.search(r"(?m)^# (.*)$", text)[1].replace("`", "")


def abstract_of(text):
    """The first paragraph below the title."""
    return " ".join(re.search(r"(?m)^# .*\n+((?:.+\n)+)", text)[1].split())


def main():
    if len(sys.argv) != 3:
        fail("usage: pages.py GRAPHS OUT")
    graphs, out = sys.argv[1], pathlib.Path(sys.argv[2])
    os.chdir(ROOT)
    catalogues = sorted(glob.glob("Sources/*/Wharf.docc") + glob.glob("Sources/*/*/Wharf.docc"))
    if len(catalogues) != 1:
        fail(f"expected one folder Wharf.docc in Sources, found {len(catalogues)}")
    catalogue = catalogues[0]
    reference = Reference(graphs)
    texts = {path.stem: path.read_text() for path in sorted(pathlib.Path(catalogue).glob("*.md"))}
    articles = {name: (f"articles/{name}.md", title_of(text)) for name, text in texts.items()}

    files = {"README.md": "index.md"} | {name: name for name in PROJECT}
    files |= {f"{catalogue}/{name}.md": where for name, (where, _) in articles.items()}
    programs = sorted(glob.glob("Snippets/*.swift"))
    files |= {path: f"programs/{pathlib.Path(path).stem}.md" for path in programs}
    images = sorted(glob.glob("Documentation/*.svg") + glob.glob("Documentation/*.png"))
    files |= {path: path for path in images}
    converter = Converter(reference, articles, files)

    def write(page, text):
        path = out / "pages" / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    for source, page in files.items():
        if page.endswith(".md") and source.endswith(".md") and ".docc/" not in source:
            # The front page has no pages beside it.
            head = "---\nhide:\n  - navigation\n---\n\n" if page == "index.md" else ""
            write(page, head + converter.convert(pathlib.Path(source).read_text(), page, source))
    # The list of topics has the first sentences of the articles. Search shows articles first.
    root = re.sub(r"(?m)^- <doc:(\w+)>$", lambda m: f"- <doc:{m[1]}>: {abstract_of(texts[m[1]])}", texts["Wharf"])
    root = root.replace("# ``Wharf``", "# Articles")
    for name, (page, _) in articles.items():
        text = root if name == "Wharf" else texts[name]
        write(page, "---\nsearch:\n  boost: 2\n---\n\n" + converter.convert(text, page, f"{catalogue}/{name}.md"))
    for path in programs:
        name = pathlib.Path(path).stem
        code = re.sub(r"(?m)^ *// snippet\..*\n?", "", pathlib.Path(path).read_text())
        text = f"# {name}\n\nThe program `{path}`, which CI compiles and runs.\n\n"
        write(files[path], f"{text}```swift\n{code.rstrip()}\n```\n")
    modules = sorted(reference.modules)
    for module in modules:
        write(f"reference/{module}.md", "---\nsearch:\n  boost: 1\n---\n\n" + library(module, reference, converter))
    write("reference/index.md", "# Reference\n\nThe public declarations of each library.\n\n"
          + "\n".join(f"- [`{module}`]({module}.md)" for module in modules) + "\n")
    write("programs/index.md", "# Programs\n\nThe programs of `Snippets`. CI compiles and runs each of them.\n\n"
          + "\n".join(f"- [{pathlib.Path(path).stem}]({pathlib.Path(path).stem}.md)" for path in programs) + "\n")
    for path in images:
        (out / "pages" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, out / "pages" / path)
    shutil.copytree(HERE / "assets", out / "pages/assets", dirs_exist_ok=True)

    # The topics of the catalogue are the sections of the navigation.
    sections = []
    for part in re.split(r"(?m)^### ", texts["Wharf"].partition("\n## Topics\n")[2])[1:]:
        names = re.findall(r"<doc:(\w+)>", part)
        sections.append({part.split("\n")[0]: [{articles[name][1]: articles[name][0]} for name in names]})
    missing = set(articles) - {"Wharf"} - set(re.findall(r"(?m)^- <doc:(\w+)>$", texts["Wharf"]))
    if missing:
        fail(f"expected a topic of Wharf.md for each article, found none for {', '.join(sorted(missing))}")
    nav = [
        {"Wharf": "index.md"},
        {"Articles": ["articles/Wharf.md", *sections]},
        {"Reference": ["reference/index.md", *({module: f"reference/{module}.md"} for module in modules)]},
        {"Programs": ["programs/index.md", *({pathlib.Path(path).stem: files[path]} for path in programs)]},
        {"Project": PROJECT},
    ]
    # JSON is YAML.
    configuration = {"INHERIT": str(HERE / "mkdocs.yml"), "docs_dir": "pages", "nav": nav}
    (out / "mkdocs.yml").write_text(json.dumps(configuration, indent=1))
    for link in sorted(converter.unknown):
        print(f"site: {link} leads to no reference page", file=sys.stderr)


if __name__ == "__main__":
    main()
