"""How a keeper runs as a service: what to write, and where, for systemd, launchd and Windows."""

from __future__ import annotations

from ..text import Texts

UNIT, AGENT = "~/.config/systemd/user/wasabi-tx-keep.service", "~/Library/LaunchAgents/wasabi-tx.keep.plist"
SYSTEMD = """\
    [Unit]
    Description=Wasabi TX keeper
    After=network-online.target

    [Service]
    ExecStart=%h/.local/bin/wasabi-tx keep
    Restart=always
    RestartSec=10

    [Install]
    WantedBy=default.target"""
START_SYSTEMD = """\
    systemctl --user enable --now wasabi-tx-keep
    loginctl enable-linger
    journalctl --user -fu wasabi-tx-keep"""
LAUNCHD = """\
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>
      <key>Label</key><string>wasabi-tx.keep</string>
      <key>ProgramArguments</key><array>
        <string>/usr/local/bin/wasabi-tx</string><string>keep</string>
      </array>
      <key>RunAtLoad</key><true/>
      <key>KeepAlive</key><true/>
    </dict></plist>"""
START_LAUNCHD = f"    launchctl bootstrap gui/$(id -u) {AGENT}"
WINDOWS = """\
    $program = (Get-Command wasabi-tx).Source
    $do = New-ScheduledTaskAction -Execute $program -Argument keep
    $at = New-ScheduledTaskTrigger -AtLogOn
    $minute = New-TimeSpan -Minutes 1
    $how = New-ScheduledTaskSettingsSet -RestartCount 99 `
      -RestartInterval $minute -ExecutionTimeLimit 0 `
      -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
    Register-ScheduledTask wasabi-tx-keep -Action $do -Trigger $at `
      -Settings $how"""


def service_help(texts: Texts) -> str:
    """What to do on each system, in paragraphs."""
    say = texts.say
    parts = [
        *(say("keep.systemd", file=UNIT), SYSTEMD, say("keep.systemd-then"), START_SYSTEMD),
        *(say("keep.launchd", file=AGENT), LAUNCHD, say("keep.then"), START_LAUNCHD),
        *(say("keep.windows"), WINDOWS, say("keep.elsewhere")),
    ]
    return "\n\n".join(parts)
