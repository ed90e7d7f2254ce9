"""The log file: private, bounded, discreet, and never in the way."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from wasabi_tx.store import log_file
from wasabi_tx.store.log_file import KEPT, LogFile, start_log

Start = Callable[..., LogFile]


@pytest.fixture
def start() -> Iterator[Start]:
    """Return `start_log`, and afterwards undo whatever it did."""
    loggers = [logging.getLogger(name) for name in ("wasabi_tx", "wasabi_protocol", "asyncio")]
    levels = [logger.level for logger in loggers]
    yield start_log
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
        for handler in logger.handlers[:]:
            if isinstance(handler, LogFile):
                logger.removeHandler(handler)
                handler.close()


logger = logging.getLogger("wasabi_tx.test")


def test_a_line_tells_when_what_and_who(tmp_path: Path, start: Start) -> None:
    path = tmp_path / "state" / "wasabi-tx.log"
    start(path, "play")
    assert not path.exists(), "without an event there is no file"
    logger.info("connected to %s", "host")
    head, line = path.read_text().splitlines()
    assert re.fullmatch(r"--- wasabi-tx \S+ play, process \d+, Python .*", head)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3} INFO    \d+ wasabi_tx.test: connected to host", line)


def test_only_its_owner_reads_it(tmp_path: Path, start: Start) -> None:
    path = tmp_path / "state" / "wasabi-tx.log"
    before = os.umask(0)
    try:
        start(path, "play")
        logger.info("x")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("wss://host:1/main#k=SECRET&h=x rest", "wss://host:1/main#… rest"),
        ("mqtts://ana:S3cr/et@Pass@host/x", "mqtts://…@host/x"),
        ("a\x1b]0;x\x07b\u202e", "a ]0;x b"),
    ],
)
def test_what_looks_secret_or_harmful_is_left_out(tmp_path: Path, start: Start, words: str, shown: str) -> None:
    path = tmp_path / "log"
    start(path, "")
    logger.warning("%s", words)
    try:
        raise ValueError(words)
    except ValueError:
        logger.exception("it failed")
    text = path.read_text()
    assert text.count(shown) == 2
    assert words not in text


@pytest.mark.parametrize("words", ["x" * 10_000_000, "a://" * 2_000_000], ids=["word", "addresses"])
def test_a_long_line_costs_little(tmp_path: Path, start: Start, words: str) -> None:
    start(tmp_path / "log", "")
    logger.info("%s", words)
    assert (tmp_path / "log").stat().st_size < 3_000


def test_it_is_bounded(tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_file, "LARGEST", 10_000)
    start(tmp_path / "wasabi-tx.log", "")
    for _ in range(100):
        logger.info("%s", "x" * 1_000)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 1 + KEPT
    assert all(file.stat().st_size <= 10_000 for file in files)
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)


def test_a_detailed_one_tells_more_and_only_grows(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(tmp_path / "usual", "")
    logger.debug("detail")
    assert not (tmp_path / "usual").exists()
    monkeypatch.setattr(log_file, "LARGEST", 10_000)
    start(tmp_path / "wished", "", detailed=True)
    for _ in range(20):
        logger.debug("%s", "x" * 1_000)
    assert [path.name for path in tmp_path.iterdir()] == ["wished"]
    assert (tmp_path / "wished").stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileNotFoundError):
        start(tmp_path / "none" / "wished", "", detailed=True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_disturbs_nothing(tmp_path: Path, start: Start) -> None:
    tmp_path.chmod(0o500)
    start(tmp_path / "state" / "log", "")
    logger.error("x")


def test_a_path_that_cannot_be_disturbs_nothing(
    tmp_path: Path, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    start(tmp_path / "file" / "log", "")
    logger.error("x")
    assert capsys.readouterr() == ("", "")
