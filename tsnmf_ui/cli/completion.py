"""``tsnmf-studio completion``: scripts that let a shell complete commands and options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from tsnmf_ui.cli.arguments import parser

BASH_SCRIPT = """\
_tsnmf_studio() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}" options=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands}" -- "$word"))
        return
    fi
    case "$command" in
{cases}
    esac
    case "$word" in
        -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
        *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}}
complete -o filenames -F _tsnmf_studio tsnmf-studio
"""
ZSH_PROLOGUE = "#compdef tsnmf-studio\nautoload -U +X bashcompinit && bashcompinit\n"


def completion(chosen: argparse.Namespace) -> int:
    """Print the script."""
    known = _commands(parser())
    if chosen.shell == "fish":
        print("\n".join(_fish(known)))
    else:
        print((ZSH_PROLOGUE if chosen.shell == "zsh" else "") + _bash(known), end="")
    return 0


def _commands(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Every command, and those below it as “labels export”."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                found[name] = command
                found |= {f"{name} {way}": each for way, each in _commands(command).items()}
    return found


def _options(command: argparse.ArgumentParser) -> list[tuple[str, str]]:
    return [
        (option, action.help or "")
        for action in command._actions
        for option in action.option_strings
        if option.startswith("--") and action.help != argparse.SUPPRESS
    ]


def _bash(known: dict[str, argparse.ArgumentParser]) -> str:
    first = [name for name in known if " " not in name]
    cases = []
    for name in first:
        below = [each for each in known if each == name or each.startswith(f"{name} ")]
        words = [option for each in below for option, _ in _options(known[each])]
        words += [each.partition(" ")[2] for each in below if " " in each]
        cases.append(f'        {name}) options="{" ".join(dict.fromkeys(words))}" ;;')
    return BASH_SCRIPT.format(commands=" ".join(first), cases="\n".join(cases))


def _fish(known: dict[str, argparse.ArgumentParser]) -> Iterator[str]:
    for name, command in known.items():
        if " " not in name:
            about = (command.description or "").replace("'", "")
            condition = "__fish_use_subcommand"
            yield f"complete -c tsnmf-studio -f -n {condition} -a {name} -d '{about}'"
        seen = f"'__fish_seen_subcommand_from {name.split()[-1]}'"
        for option, help in _options(command):
            about = help.replace("'", "")
            yield f"complete -c tsnmf-studio -n {seen} -l {option[2:]} -d '{about}'"
