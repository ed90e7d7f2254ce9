"""How a keeper runs as a service: what to write, and where, for systemd, launchd and Windows."""

from __future__ import annotations

SERVICE_HELP = """\
Linux (systemd). Write this to ~/.config/systemd/user/wasabi-tx-keep.service:

    [Unit]
    Description=Wasabi TX keeper
    After=network-online.target

    [Service]
    ExecStart=%h/.local/bin/wasabi-tx keep
    Restart=always
    RestartSec=10

    [Install]
    WantedBy=default.target

then say

    systemctl --user enable --now wasabi-tx-keep
    loginctl enable-linger            # it runs also while you are logged out
    journalctl --user -fu wasabi-tx-keep

macOS (launchd). Write this to ~/Library/LaunchAgents/wasabi-tx.keep.plist,
with the path that `which wasabi-tx` says:

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
    </dict></plist>

then say

    launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/wasabi-tx.keep.plist

Windows (Task Scheduler). Say in PowerShell:

    $program = (Get-Command wasabi-tx).Source
    $do = New-ScheduledTaskAction -Execute $program -Argument keep
    $at = New-ScheduledTaskTrigger -AtLogOn
    $minute = New-TimeSpan -Minutes 1
    $how = New-ScheduledTaskSettingsSet -RestartCount 99 `
      -RestartInterval $minute -ExecutionTimeLimit 0 `
      -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
    Register-ScheduledTask wasabi-tx-keep -Action $do -Trigger $at `
      -Settings $how

If wasabi-tx is installed elsewhere, put its own path there. WASABI_TX_HOME,
if you use it, has to be set for the service too."""
