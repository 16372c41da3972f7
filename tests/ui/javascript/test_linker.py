"""ES modules are linked into one: in order, each in its own scope, and nothing is guessed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tsnmf_ui.javascript.linker import LinkError, link


def returning(value: str) -> str:
    """A default export that returns the value of an expression."""
    return f"export default function () {{ return {value}; }}\n"


ENTRY = returning("1")


def written(folder: Path, **modules: str) -> Path:
    """Modules by name; the entry is the one called ``entry``."""
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / "entry.js"


def answer(folder: Path, entry: Path) -> str:
    """What the default export of the linked module returns."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("There is no node on this machine.")
    linked = folder / "linked.mjs"
    linked.write_text(link(entry), encoding="utf-8")
    script = f"import start from {linked.as_uri()!r}; console.log(start());"
    command = [node, "--input-type=module", "--eval", script]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_a_module_without_imports_stays_as_it_is(tmp_path):
    assert link(written(tmp_path, entry=ENTRY)) == ENTRY


def test_imports_come_first_and_once(tmp_path):
    imports = 'import { b } from "./b.js";\nimport { a } from "./a.js";\n'
    entry = written(
        tmp_path,
        entry=imports + returning("a + b"),
        b='import { a } from "./a.js";\nexport const b = a + 1;\n',
        a="export const a = 20;\n",
    )
    text = link(entry)
    assert text.count("// a.js") == 1
    assert text.index("// a.js") < text.index("// b.js")
    assert answer(tmp_path, entry) == "41"


def test_every_kind_of_export_arrives(tmp_path):
    imports = 'import {\n  Thing,\n  later,\n  now,\n  value,\n} from "./parts.js";\n'
    entry = written(
        tmp_path,
        entry=imports + returning("[new Thing().name, typeof later, now(), value].join()"),
        parts="export class Thing { name = 'thing'; }\nexport async function later() {}\n"
        "export function now() { return 'now'; }\nexport const value = 3;\n",
    )
    assert answer(tmp_path, entry) == "thing,function,now,3"


def test_modules_do_not_see_what_others_keep_to_themselves(tmp_path):
    entry = written(
        tmp_path,
        entry='import { a } from "./a.js";\nconst secret = "mine";\n'
        + returning("[secret, a(), typeof hidden].join()"),
        a='const secret = "theirs", hidden = 1;\nexport const a = () => secret + hidden;\n',
    )
    assert answer(tmp_path, entry) == "mine,theirs1,undefined"


def test_modules_are_found_from_where_they_are_imported(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "own").mkdir()
    (tmp_path / "shared" / "x.js").write_text('import { y } from "./y.js";\nexport const x = y;\n')
    (tmp_path / "shared" / "y.js").write_text("export const y = 5;\n")
    entry = tmp_path / "own" / "entry.js"
    entry.write_text('import { x } from "../shared/x.js";\n' + returning("x"))
    assert answer(tmp_path, entry) == "5"


def test_linking_twice_gives_the_same_text(tmp_path):
    entry = written(
        tmp_path, entry='import { a } from "./a.js";\n' + ENTRY, a="export const a = 1;\n"
    )
    assert link(entry) == link(entry)


def refusal(entry: Path) -> str:
    with pytest.raises(LinkError) as error:
        link(entry)
    return str(error.value)


def test_a_circle_is_named(tmp_path):
    entry = written(
        tmp_path,
        entry='import { a } from "./a.js";\n' + ENTRY,
        a='import { b } from "./b.js";\nexport const a = 1;\n',
        b='import { a } from "./a.js";\nexport const b = 1;\n',
    )
    assert refusal(entry) == "Circular import: a.js -> b.js -> a.js"


def test_a_name_that_is_not_exported_is_refused(tmp_path):
    entry = written(
        tmp_path,
        entry='import { b } from "./a.js";\n' + ENTRY,
        a="export const a = 1;\nconst b = 2;\n",
    )
    assert refusal(entry) == "entry.js imports b, which a.js has not"


def test_a_file_that_is_not_there_is_refused(tmp_path):
    entry = written(tmp_path, entry='import { a } from "./a.js";\n' + ENTRY)
    assert "entry.js imports" in refusal(entry)
    assert "a.js, which is not there" in refusal(entry)
    assert "There is no entry" in refusal(tmp_path / "nowhere.js")


def test_two_of_one_name_are_refused(tmp_path):
    modules = {"a": "export const x = 1;\n", "b": "export const x = 2;\n"}
    both = 'import { x } from "./a.js";\nimport { x } from "./b.js";\n' + ENTRY
    assert refusal(written(tmp_path, entry=both, **modules)) == "entry.js has two of x"
    again = 'import { x } from "./a.js";\nimport { x } from "./a.js";\n' + ENTRY
    assert refusal(written(tmp_path, entry=again)) == "entry.js imports ./a.js twice"


@pytest.mark.parametrize(
    "statement",
    [
        'import "./a.js";',
        'import a from "./a.js";',
        'import * as a from "./a.js";',
        "import { a } from './a.js';",
        'import { a } from "a";',
        'import { a } from "https://example.org/a.js";',
        'import { a } from "./a.js"',
        'export { a } from "./a.js";',
        'export * from "./a.js";',
        "export { a };",
        "export let a = 1;",
        "export const { a } = {};",
        "export default 1;",
        'const a = await import("./a.js");',
        "const here = import.meta.url;",
    ],
)
def test_other_syntax_is_refused_rather_than_sent(tmp_path, statement):
    entry = written(tmp_path, entry=f"{statement}\n{ENTRY}", a="export const a = 1;\n")
    assert refusal(entry) == f"entry.js: not supported: {statement}"


def test_renamed_imports_are_refused(tmp_path):
    entry = written(
        tmp_path, entry='import { a as b } from "./a.js";\n' + ENTRY, a="export const a = 1;\n"
    )
    assert refusal(entry) == "entry.js imports “a as b”: only plain names are supported"


def test_types_in_comments_are_no_imports(tmp_path):
    text = '/** @import { A } from "./a.js" */\n/**\n * @type {import("./a.js").A}\n */\n' + ENTRY
    assert link(written(tmp_path, entry=text)) == text


def test_only_an_entry_has_a_default_export_and_it_must(tmp_path):
    entry = written(
        tmp_path, entry='import { a } from "./a.js";\n' + ENTRY, a="export const a = 1;\n" + ENTRY
    )
    assert refusal(entry) == "a.js has a default export, which only an entry may have"
    assert "no default export" in refusal(written(tmp_path, entry="export const a = 1;\n"))
