"""The app's JavaScript: its own tests under node, and what every module must have.

Lint and types need packages from npm and run in ``.ci/run``: see ``package.json`` here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import tsnmf_ui
from tsnmf_ui.javascript.linker import link
from tsnmf_ui.label import pane
from tsnmf_ui.pages.widgets import live, reconnecting

APP = Path(tsnmf_ui.__file__).parent
HERE = Path(__file__).parent
MODULES = sorted(APP.rglob("*.js"))
ENTRIES = [pane.PANE_FOLDER / "component.js", live.LIVE_SCRIPT, reconnecting.RECONNECTING_SCRIPT]
IN_CI = os.environ.get("CI", "").lower() == "true"


def node() -> str:
    """Node, without which these tests are skipped; CI must not skip them."""
    found = shutil.which("node")
    if found is None and IN_CI:
        pytest.fail("There is no node on this machine, and CI must not skip these tests.")
    if found is None:
        pytest.skip("There is no node on this machine.")
    return found


def test_the_modules_pass_their_own_tests():
    tests = sorted(str(path) for path in HERE.glob("*.test.js"))
    command = [node(), "--test", "--test-reporter=tap", *tests]
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) > len(tests)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda path: path.name)
def test_a_linked_component_is_a_module_that_a_browser_can_read(entry, tmp_path):
    linked = tmp_path / "component.mjs"
    linked.write_text(link(entry), encoding="utf-8")
    script = (
        f"import({linked.as_uri()!r}).then((component) => console.log(typeof component.default))"
    )
    done = subprocess.run([node(), "--eval", script], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("function", "")


def test_every_module_belongs_to_a_component():
    linked = "".join(link(entry) for entry in ENTRIES)
    unused = [
        path.name for path in MODULES if path not in ENTRIES and f"// {path.name}\n" not in linked
    ]
    assert not unused


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_is_type_checked_and_says_what_it_is_for(path):
    checked, purpose = path.read_text(encoding="utf-8").splitlines()[:2]
    assert checked == "// @ts-check"
    assert purpose.startswith("// ")


def test_only_one_module_opens_event_streams():
    using = [path.name for path in MODULES if "new EventSource(" in path.read_text("utf-8")]
    assert using == ["event_stream.js"]
