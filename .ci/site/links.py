"""A hook of MkDocs: pages from outside of docs/, and links to them.

Documents link to files by their places in the repository, as GitHub shows them. Here such a link leads to the page of that
file. A file that has no page is linked in the repository (SITE_REPOSITORY) where that is known; otherwise its text stays.
"""
import logging
import os
import posixpath
import re

from mkdocs.structure.files import File

# Files outside of docs/ that are pages, and their places on the site.
OUTSIDE = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "deploy/kubernetes/README.md": "deploy/kubernetes.md",
    "deploy/slurm/README.md": "deploy/slurm.md",
    "scenarios/README.md": "examples/scenarios.md",
}
LINK = re.compile(r"(?P<text>!?\[[^\]]*\])\((?P<path>[^)#\s:]+)(?P<anchor>#[^)\s]*)?\)")
FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
log = logging.getLogger("mkdocs.hooks.links")


def on_files(files, config):
    root = os.path.dirname(config.config_file_path)
    for source, place in OUTSIDE.items():
        files.append(File.generated(config, place, abs_src_path=os.path.join(root, source)))
    return files


def on_page_markdown(markdown, page, config, files):
    root = os.path.dirname(config.config_file_path)
    repository = os.environ.get("SITE_REPOSITORY")
    source = os.path.relpath(page.file.abs_src_path, root)

    def link(match):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), match["path"]))
        place = OUTSIDE.get(path) or (path[len("docs/"):] if path.startswith("docs/") else None)
        if place and files.get_file_from_path(place):
            target = posixpath.relpath(place, posixpath.dirname(page.file.src_uri) or ".")
            return f"{match['text']}({target}{match['anchor'] or ''})"
        if not os.path.exists(os.path.join(root, path)):
            log.warning("%s links to %s, which does not exist", source, match["path"])
        return f"{match['text']}({repository}/blob/HEAD/{path})" if repository else match["text"].strip("[]")

    parts = FENCE.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)
