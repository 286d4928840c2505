#!/usr/bin/env -S `SH=1\_sh\_-c\_"shift\_2;exec\_sh\_\"\$@\"\_#"` node --initial-heap-size=128 --max-semi-space-size=2
':' /*
# Launches underpass: checks the version of Node, then starts the file beside this one with the flags.
# Linux and macOS run this part in sh, because only `exec` of sh keeps the process id and the sockets of systemd.
# Windows has no sh. There the shims of npm read `node` and the flags from line 1, and Node runs the last line.
# In line 1 env finds a variable and `sh -c 'shift 2; exec sh "$@"'` before `node`. Shims skip the whole word.
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
  esac
done
if command -v node > /dev/null; then
  version=$(node --version) || exit
  found="this is $version"
else
  version=v0
  found='there is none in PATH'
fi
version=${version#v}
remedy='Install Node 24 or newer, and put it first in PATH. In a checkout "npx underpass" has one.'
if ! [ "${version%%.*}" -ge 24 ]; then
  echo "underpass: needs Node 24 or newer, $found. $remedy" >&2
  exit 1
fi
exec node --disable-sigusr1 --initial-heap-size=128 --max-semi-space-size=2 "${self%.cjs}.js" "$@"
*/
import('./underpass.js');
