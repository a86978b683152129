#!/usr/bin/python3
"""The documents as a static site that opens from disk, is searched without a server, and has no dead link.

docs_site.py OUT [--trammel PROGRAM] [--jobs N] [--root FOLDER]: pages from the repository's texts (docs/**.md, README.md, CHANGELOG.md); with a
program also a report of each scene that is shipped. Ends with 1 where a link leads nowhere or a scene does not run.
"""
import argparse
import concurrent.futures
import html
import json
import os
import re
import shutil
import string
import subprocess
import sys
import tempfile
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import markdown

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "docs" / "site"
LEFT_OUT = ("docs/site/", "viewer/")
GROUPS = {
    "Start": ["README.md", "scenes.md", "docs/gallery.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/STATUS.md"],
    "Use": ["docs/scene-format.md", "docs/contact.md", "docs/systems.md", "docs/options.md", "docs/channels.md", "docs/expressions.md", "docs/results.md", "docs/plots.md",
            "docs/report.md", "docs/live.md", "docs/verify.md", "docs/from-solfec.md", "docs/accuracy.md", "docs/benchmarks.md"],
    "Program": ["docs/cpp-guide.md", "docs/c-interface.md"],
    "Understand": ["docs/notation.md", "docs/glossary.md", "docs/where-things-live.md", "docs/transient-joints.md"],
}


class Links(HTMLParser):
    """Where a page leads, what it can be entered by, and its text by section."""

    def __init__(self, text):
        super().__init__()
        self.to, self.anchors, self.sections = [], set(), [["", "", ""]]
        self.heading = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if a.get("id"):
            self.anchors.add(a["id"])
        for key in ("href", "src"):
            if key in a:
                self.to.append(a[key])
        if tag in ("h1", "h2", "h3"):
            self.heading = tag
            self.sections.append([a.get("id", ""), "", ""])

    def handle_endtag(self, tag):
        if tag == self.heading:
            self.heading = None

    def handle_data(self, data):
        self.sections[-1][1 if self.heading else 2] += data + " "


def slug(text, _separator="-"):
    """Anchors as the documents write them: those of the hosts of repositories."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", html.unescape(text).lower()).strip())


def loosened(text):
    """Lists and tables right below a line of text are lists and tables, as elsewhere."""
    out, inside = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            inside = not inside
        begins = re.match(r"(-|\d+\.) |\|", line)
        before = out[-1] if out else ""
        if not inside and begins and before and not re.match(r"\s*(-|\d+\.) |\|| ", before):
            out.append("")
        out.append(line)
    return "\n".join(out)


def target(page):
    """Where a text stands in the site: README.md is its first page."""
    if page == "README.md":
        return "index.html"
    return re.sub(r"\.md$", ".html", page.removeprefix("docs/"))


def texts():
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"], capture_output=True, text=True).stdout.split()
    names = names or [str(p.relative_to(ROOT)) for p in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]]
    return {n: (ROOT / n).read_text() for n in names if not n.startswith(LEFT_OUT) and (ROOT / n).exists()}


def title_of(text):
    return next((line[2:].replace("`", "") for line in text.split("\n") if line.startswith("# ")), "")


def groups(pages):
    named = {p for group in GROUPS.values() for p in group}
    rest = sorted(p for p in pages if p not in named and p != "README.md")
    out = {name: [p for p in group if p in pages] for name, group in GROUPS.items()}
    out["Theory"] = [p for p in rest if "/theory/" in p]
    out["Extend"] = [p for p in rest if "/adding-" in p]
    out["Decisions"] = [p for p in rest if p.endswith("decisions/README.md")]
    out["More"] = [p for p in rest if p not in sum(out.values(), []) and "/decisions/" not in p]
    return {name: group for name, group in out.items() if group}


def navigation(pages, here, root):
    out = []
    for name, group in groups(pages).items():
        items = "".join(
            f'<li><a href="{root}{target(p)}"{" aria-current=page" if p == here else ""}>{html.escape(title_of(pages[p]))}</a></li>'
            for p in group)
        out.append(f"<h2>{name}</h2><ul>{items}</ul>")
    return "".join(out)


class Site:
    def __init__(self, out, pages, reports):
        self.out, self.pages, self.reports = Path(out), pages, reports
        self.template = string.Template((SITE / "page.html").read_text())
        self.index, self.links, self.anchors = [], {}, {}

    def redirected(self, text, page):
        """Links to texts lead to their pages, those to other files of the repository to copies of them."""
        folder = os.path.dirname(page)

        def one(match):
            key, link = match.group(1), match.group(2)
            if re.match(r"[a-z]+:|#", link):
                return match.group(0)
            path, _, anchor = link.partition("#")
            name = os.path.normpath(os.path.join(folder, path))
            if (ROOT / name).is_dir():
                name = "scenes.md" if name.startswith("scenes") else name
            goal = target(name) if name in self.pages else self.copied(name)
            here = os.path.dirname(target(page))
            return f'{key}="{os.path.relpath(goal, here or ".")}{"#" + anchor if anchor else ""}"'

        return re.sub(r'\b(href|src)="([^"]*)"', one, text)

    def copied(self, name):
        source = ROOT / name
        if not source.is_file():
            return name
        goal = target(name) if name.startswith("docs/pictures/") else f"files/{name}"
        if source.suffix in (".toml", ".cpp", ".h", ".py", ".txt", ""):
            goal += ".txt" if source.suffix != ".txt" else ""
        (self.out / goal).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, self.out / goal)
        return goal

    def write(self, page, text):
        md = markdown.Markdown(
            extensions=["tables", "fenced_code", "toc", "sane_lists", "attr_list", "md_in_html"],
            extension_configs={"toc": {"slugify": slug, "toc_depth": "2-3"}})
        body = md.convert(loosened(text))
        body = re.sub(r"<table>.*?</table>", lambda m: f'<div class="table" tabindex="0">{m.group(0)}</div>', body, flags=re.S)
        body = self.redirected(body, page)
        goal = target(page)
        root = "../" * goal.count("/")
        whole = self.template.substitute(title=html.escape(title_of(text)), body=body, inside=md.toc, root=root,
                                         nav=navigation(self.pages, page, root))
        (self.out / goal).parent.mkdir(parents=True, exist_ok=True)
        (self.out / goal).write_text(whole)
        found = Links(whole)
        self.links[goal], self.anchors[goal] = found.to, found.anchors
        for anchor, heading, words in Links(body).sections:
            if (words := " ".join(words.split())) or heading:
                self.index.append([goal, anchor, title_of(text), heading.strip(), words[:2000]])

    def finish(self):
        for name in ("style.css", "search.js"):
            shutil.copyfile(SITE / name, self.out / name)
        (self.out / "index.js").write_text(f"const INDEX = {json.dumps(self.index, ensure_ascii=False)};\n")

    def dead(self):
        out = []
        for page, links in self.links.items():
            for link in links:
                if re.match(r"https?:|mailto:|data:", link):
                    continue
                path, _, anchor = link.partition("#")
                goal = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
                if not (self.out / goal).is_file():
                    out.append(f"{page}: there is no {link}")
                elif anchor and goal in self.anchors and anchor not in self.anchors[goal]:
                    out.append(f"{page}: there is no #{anchor} in {goal}")
        return sorted(set(out))


def scenes():
    return sorted(p for p in ROOT.glob("scenes/**/*.toml") if "format = 1" in p.read_text())


def name_of(scene):
    return "_".join(scene.relative_to(ROOT / "scenes").with_suffix("").parts)


def report(program, scene, out):
    """Runs a scene into a page, as it was driven where a recording lies beside it. Returns what went wrong."""
    driven = scene.with_suffix(".csv")
    inputs = ["--inputs", str(driven)] if driven.exists() else []
    with tempfile.TemporaryDirectory() as folder:
        goal = out / "reports" / f"{name_of(scene)}.html"
        for command in (["run", str(scene), "-o", f"{folder}/run", "--quiet", "--no-plots", "--threads", "1", *inputs],
                        ["report", f"{folder}/run", "-o", str(goal), "--megabytes", "3"]):
            done = subprocess.run([program, *command], capture_output=True, text=True)
            if done.returncode:
                return f"{scene.relative_to(ROOT)}: {command[0]} ended with {done.returncode}\n{done.stderr}"
    return ""


def reports(program, out, jobs):
    (out / "reports").mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return [p for p in pool.map(lambda s: report(program, s, out), scenes()) if p]


def scenes_page(with_reports):
    """Every scene that is shipped: picture, what it is, its text, and its moving picture."""
    out = ["# Scenes", "", "All scenes that come with Trammel. Each can be run: `./dev run scenes/pendulum.toml`.", ""]
    for heading, where in (("To begin with", "scenes"), ("To drive", "scenes/drive"), ("Gallery", "scenes/gallery")):
        out += [f"## {heading}", "", '<div class="scenes">']
        for path in (p for p in scenes() if p.parent == ROOT / where):
            text = path.read_text()
            name, relative = path.stem, path.relative_to(ROOT)
            words = " ".join(line[1:].strip() for line in text.split("format = 1")[0].split("\n") if line.startswith("#"))
            title = tomllib.loads(text).get("title", name)
            picture = ROOT / "docs/pictures/gallery" / f"{name}.svg"
            shown = f'<img src="docs/pictures/gallery/{name}.svg" alt="" loading="lazy">' if picture.exists() else ""
            moves = f'<a href="reports/{name_of(path)}.html">moving picture, plots</a> · ' if with_reports else ""
            out += [f'<article><h3 id="{name_of(path)}">{html.escape(title)}</h3>{shown}<p>{html.escape(words)}</p>'
                    f'<p>{moves}<a href="{relative}">{relative}</a></p></article>']
        out += ["</div>", ""]
    return "\n".join(out)


def main():
    global ROOT
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--trammel", help="the program: runs all scenes for their reports")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--root", type=Path, default=ROOT, help="of the repository")
    a = parser.parse_args()
    ROOT = a.root.resolve()
    if a.out.exists():
        shutil.rmtree(a.out)
    a.out.mkdir(parents=True)
    wrong = reports(a.trammel, a.out, a.jobs) if a.trammel else []
    pages = texts()
    pages["scenes.md"] = scenes_page(bool(a.trammel))
    site = Site(a.out, pages, bool(a.trammel))
    for page, text in pages.items():
        site.write(page, text)
    site.finish()
    wrong += site.dead()
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    print(f"{len(pages)} pages, {len(site.index)} sections, {len(scenes()) if a.trammel else 0} reports: {a.out / 'index.html'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
