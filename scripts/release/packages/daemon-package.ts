/** Files and scripts of the daemon's package for Debian and Fedora: the executable, the units and a first config file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, fileEntry } from '../archives/entry.ts';
import type { Executable } from '../executables.ts';

export const NAME = 'underpassd';
export const SUMMARY = 'Daemon of Underpass, a self-hosted tunnel and edge platform';
export const DESCRIPTION =
  'One daemon is a management API and the data plane behind it. Set "domain" in /etc/underpass/underpassd.yaml, then start underpassd.socket and underpassd.service.';
export const LICENSE = 'Apache-2.0';
const USER = 'underpass';
const UNITS = ['underpassd.service', 'underpassd.socket', 'underpassd-http.socket'] as const;
const UNIT_FOLDER = 'usr/lib/systemd/system';
/** Path of the file that an upgrade does not replace once it was changed. */
export const CONFIG_FILE = 'etc/underpass/underpassd.yaml';

const CONFIG = `# Options of the daemon: "underpassd serve --help" lists them. Set your domain, then run:
#   systemctl enable --now underpassd.socket underpassd.service
domain: underpass.localhost
listen: ":443"
`;

/** Units in the checkout are for an installation below /opt/underpass, with Node. Each line must be there. */
const CHANGES = [
  ['/opt/underpass/lib/node_modules/@underpass/server', `/usr/share/doc/${NAME}/copyright`],
  ['ExecStart=/opt/underpass/bin/underpassd ', 'ExecStart=/usr/bin/underpassd '],
  ['Environment=PATH=/opt/underpass/bin:/usr/local/bin:/usr/bin:/bin\n', ''],
  ['Environment=NODE_COMPILE_CACHE=%C/underpass\n', ''],
  ['CacheDirectory=underpass\n', ''],
  ['DynamicUser=yes\n', `User=${USER}\nGroup=${USER}\n`],
] as const;

/** Returns the files, without folders. Throws if a unit lacks a line that is changed. */
export function packageFiles(root: string, { bytes, licenses }: Executable): readonly Entry[] {
  const units = UNITS.map((name) => {
    const text = readFileSync(join(root, 'deploy/systemd', name), 'utf8');
    return fileEntry(`${UNIT_FOLDER}/${name}`, name === 'underpassd.service' ? serviceUnit(text) : text);
  });
  return [
    fileEntry(`usr/bin/${NAME}`, bytes, 0o755),
    ...units,
    fileEntry(CONFIG_FILE, CONFIG),
    fileEntry(`usr/share/doc/${NAME}/copyright`, `${licenses.own.toString()}\n${licenses.others}`),
  ];
}

/** Returns the unit of the service, as the package installs it. */
export function serviceUnit(text: string): string {
  return CHANGES.reduce((unit, [before, after]) => {
    if (!unit.includes(before)) throw new Error(`underpassd.service has no "${before.trim()}"`);
    return unit.replace(before, after);
  }, text);
}

/** Scripts in sh. The state in /var/lib/underpass and the user stay after a removal, because they hold every key. */
export interface Scripts {
  readonly afterInstall: string;
  readonly beforeRemove: string;
  readonly afterRemove: string;
}

const WITH_SYSTEMD = 'if [ -d /run/systemd/system ]; then';
const MAKE_USER = `if ! getent passwd ${USER} >/dev/null; then
  useradd --system --user-group --no-create-home --home-dir /var/lib/underpass --shell /usr/sbin/nologin ${USER}
fi`;
const RELOAD = `${WITH_SYSTEMD}\n  systemctl daemon-reload\nfi`;
const DISABLE = `${WITH_SYSTEMD}\n  systemctl disable --now ${UNITS.join(' ')}\nfi`;

/** `isUpgrade` and `isRemoval`: conditions in sh. */
export function packageScripts(isUpgrade: string, isRemoval: string): Scripts {
  const head = '#!/bin/sh\nset -e\n';
  return {
    afterInstall: `${head}${MAKE_USER}\n${RELOAD}\nif ${isUpgrade} && [ -d /run/systemd/system ]; then\n  systemctl try-restart underpassd.service\nfi\n`,
    beforeRemove: `${head}if ${isRemoval}; then\n${DISABLE}\nfi\n`,
    afterRemove: `${head}${RELOAD}\n`,
  };
}
