/** Texts of the units of deploy/systemd: `npm run docs` writes the files there. */

export const SERVICE = 'underpassd.service';
export const SOCKET = 'underpassd.socket';
export const HTTP_SOCKET = 'underpassd-http.socket';

/** Texts by the name of the file. */
export const unitTexts: Readonly<Record<typeof SERVICE | typeof SOCKET | typeof HTTP_SOCKET, string>> = {
  [SERVICE]: `[Unit]
Description=Underpass, tunnels and edges
Documentation=file:/opt/underpass/lib/node_modules/@underpass/server
Requires=underpassd.socket
Wants=network-online.target
After=underpassd.socket network-online.target

[Service]
Type=notify
# systemd-notify speaks for the daemon.
NotifyAccess=all
WatchdogSec=60
ExecStart=/opt/underpass/bin/underpassd serve --config /etc/underpass/underpassd.yaml
ExecReload=/bin/kill -HUP $MAINPID
Restart=always
RestartSec=100ms
TimeoutStartSec=10min
# The supervisor of --workers passes the signal on, once.
KillMode=mixed
# Longer than --leave-seconds and --drain-seconds together.
TimeoutStopSec=30

Environment=PATH=/opt/underpass/bin:/usr/local/bin:/usr/bin:/bin
Environment=UNDERPASS_DATA_DIR=%S/underpass
Environment=NODE_COMPILE_CACHE=%C/underpass
# Secrets, such as UNDERPASS_DATABASE with its password.
EnvironmentFile=-/etc/underpass/secrets.env
StateDirectory=underpass
StateDirectoryMode=0700
CacheDirectory=underpass
LimitNOFILE=262144
UMask=0077

DynamicUser=yes
CapabilityBoundingSet=
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged

[Install]
WantedBy=multi-user.target
`,
  [SOCKET]: `[Unit]
Description=Underpass, the port for traffic, the API and agents

[Socket]
ListenStream=443
FileDescriptorName=listen
Backlog=4096

[Install]
WantedBy=sockets.target
`,
  [HTTP_SOCKET]: `[Unit]
Description=Underpass, the port for plain HTTP

[Socket]
ListenStream=80
FileDescriptorName=http-listen
Backlog=4096
Service=underpassd.service

[Install]
WantedBy=sockets.target
`,
};
