"""The hook's way into Claude Code's settings and out: nothing else changes, nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimx.cli import main
from claimx.errors import InputError
from claimx.hooks.claude_settings import hook_command, install, merged, settings_file, uninstall

COMMAND = "/usr/bin/python -m claimx hook claude-code"
MINE = {"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}
TEXTS = {
    "bare": "{}",
    "empty": "",
    "blank": " \n",
    "tabs": '{\n\t"model": "opus",\n\t"permissions": {"allow": ["Bash(ls:*)"]}\n}',
    "hooks": json.dumps({"hooks": {"Stop": [MINE], "PreToolUse": []}, "ünïcode": "é"}, indent=4, ensure_ascii=False),
    "claimx elsewhere": json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "claimx-lint"}]}]}}),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_in_and_out_again_leaves_the_file_as_it_was(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o640)
    assert install(path, COMMAND)
    after = json.loads(path.read_text(encoding="utf-8"))
    commands = [h["command"] for g in after["hooks"]["Stop"] for h in g["hooks"]]
    assert commands.count(COMMAND) == 1
    before = json.loads(text) if text.strip() else {}
    assert {k: v for k, v in after.items() if k != "hooks"} == {k: v for k, v in before.items() if k != "hooks"}
    assert path.with_name("settings.json.before-claimx").read_text(encoding="utf-8") == text
    assert path.stat().st_mode & 0o777 == 0o640
    assert uninstall(path)
    assert path.read_text(encoding="utf-8") == text
    assert [p.name for p in tmp_path.iterdir()] == ["settings.json"]


def test_installing_twice_is_installing_once_and_a_new_command_replaces_the_old(tmp_path: Path) -> None:
    path = tmp_path / "a" / "settings.json"
    assert install(path, COMMAND)
    assert not install(path, COMMAND)
    assert install(path, f"{COMMAND} --warn")
    (group,) = json.loads(path.read_text())["hooks"]["Stop"]
    assert [h["command"] for h in group["hooks"]] == [f"{COMMAND} --warn"]
    assert uninstall(path)
    assert not path.exists()
    assert not uninstall(path)


def test_a_link_that_leads_nowhere_leads_nowhere_again(tmp_path: Path) -> None:
    link, real = tmp_path / "settings.json", tmp_path / "dotfiles" / "settings.json"
    link.symlink_to(real)
    assert install(link, COMMAND)
    assert COMMAND in real.read_text()
    assert uninstall(link)
    assert link.is_symlink()
    assert not real.exists()


def test_hooks_of_another_shape_are_told_with_their_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for text, says in (('{"hooks": []}', "'hooks'"), ('{"hooks": {"Stop": {}}}', r"'hooks\.Stop'")):
        path.write_text(text)
        with pytest.raises(InputError, match=rf"settings\.json: field {says} .* nothing was changed"):
            install(path, COMMAND)
        assert path.read_text() == text


def test_what_came_in_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"hooks": {"Stop": [MINE]}}))
    install(path, COMMAND)
    settings = json.loads(path.read_text())
    settings["model"] = "sonnet"
    settings["hooks"]["Stop"][1]["hooks"].append({"type": "command", "command": "beep"})
    path.write_text(json.dumps(settings))
    uninstall(path)
    beep = {"hooks": [{"type": "command", "command": "beep"}]}
    assert json.loads(path.read_text()) == {"hooks": {"Stop": [MINE, beep]}, "model": "sonnet"}


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles.json", tmp_path / "settings.json"
    real.write_text("{}")
    link.symlink_to(real)
    install(link, COMMAND)
    assert link.is_symlink()
    assert "claimx" in real.read_text()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"{oops", "is not JSON"),
        (b"// note\n{}", "is not JSON"),
        (b"[]", "no JSON object"),
        (b'{"hooks": []}', "'hooks' of the settings is not an object"),
        (b'{"hooks": {"Stop": {}}}', r"'hooks\.Stop' of the settings is not a list"),
        (b"\xff{}", "cannot be read"),
    ],
)
def test_a_file_that_is_no_settings_file_is_left_alone(tmp_path: Path, text: bytes, says: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(text)
    with pytest.raises(InputError, match=says):
        install(path, COMMAND)
    assert path.read_bytes() == text
    assert [p.name for p in tmp_path.iterdir()] == ["settings.json"]


def test_comments_are_told_with_what_to_add_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{\n  // mine\n  "model": "opus"\n}')
    with pytest.raises(InputError, match="comments are not JSON") as told:
        install(path, COMMAND)
    shown = str(told.value)[str(told.value).index("by hand: ") + 9 :]
    assert json.loads(shown) == merged({}, COMMAND)


def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{}")
    path.chmod(0o444)
    with pytest.raises(InputError, match=r"is read-only: nothing was changed; make it writable"):
        install(path, COMMAND)
    assert path.read_text() == "{}"
    assert [p.name for p in tmp_path.iterdir()] == ["settings.json"]


def test_a_read_only_file_with_nothing_but_the_hook_is_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    install(path, COMMAND)
    path.chmod(0o444)
    with pytest.raises(InputError, match="is read-only: nothing was changed"):
        uninstall(path)
    assert path.exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="nothing was changed"):
        install(tmp_path / "file" / ".claude" / "settings.json", COMMAND)
    with pytest.raises(InputError, match=r"cannot be written \(.*\): nothing was changed"):
        install(Path("/proc/none/settings.json"), COMMAND)


@pytest.mark.parametrize("kept", ["garbage", "[" * 100_000, ""], ids=["garbage", "nested too deeply", "empty"])
def test_a_damaged_copy_of_the_file_before_is_in_nobodys_way(tmp_path: Path, kept: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"model": "opus"}')
    install(path, COMMAND)
    path.with_name("settings.json.before-claimx").write_text(kept)
    assert uninstall(path)
    assert json.loads(path.read_text()) == {"model": "opus"}


def test_the_copy_is_named_only_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    for words in ([], ["--warn"]):
        assert main(["hook", "claude-code", "--install", *words]) == 0
        assert "before-claimx" not in capsys.readouterr().err
    assert main(["hook", "claude-code", "--uninstall"]) == 0
    (tmp_path / "settings.json").write_text("{}")
    assert main(["hook", "claude-code", "--install"]) == 0
    assert "the file before is settings.json.before-claimx" in capsys.readouterr().err


def test_scopes_name_the_documented_files(tmp_path: Path) -> None:
    found = [settings_file(s, config=tmp_path / "c", project=tmp_path / "p") for s in ("user", "project", "local")]
    assert [str(p.relative_to(tmp_path)) for p in found] == [
        "c/settings.json", "p/.claude/settings.json", "p/.claude/settings.local.json",
    ]  # fmt: skip


def test_the_command_is_recognised_as_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    path = tmp_path / "settings.json"
    assert main(["hook", "claude-code", "--install"]) == 0
    assert hook_command() in path.read_text()
    assert main(["hook", "claude-code", "--install", "--warn"]) == 0
    assert path.read_text().count("claimx") == 1
    assert main(["hook", "claude-code", "--uninstall"]) == 0
    assert not path.exists()
