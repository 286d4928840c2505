#!/bin/sh
# Runs a command where the only programs are Node, npm, sh and coreutils: `scripts/bare-root.sh npm test`. Requires root and Debian.
# All mounts are in a namespace of their own and end with the command.
set -eu
exec unshare --mount --propagation private sh -euc '
  mount -t tmpfs none /mnt
  mkdir /mnt/programs /mnt/nothing
  dpkg --listfiles coreutils | grep /bin/ | xargs cp --no-dereference --target-directory=/mnt/programs
  cp "$(readlink -f "$(command -v node)")" /mnt/programs/node
  cp "$(readlink -f /bin/sh)" /mnt/programs/sh
  for name in npm npx; do ln -s "$(readlink -f "$(command -v $name)")" /mnt/programs/$name; done

  # Programs that are no commands, such as servers, are in folders beside the libraries.
  libraries=$(dirname "$(ldd /mnt/programs/sh | sed -n "s/.*libc.so.6 => \(\S*\).*/\1/p")")
  hide=$(printf %s "$PATH" | tr : "\n"; printf "%s\n" /usr/sbin /usr/local/bin /usr/local/sbin /usr/games /opt /usr/lib/*/)
  for folder in $hide; do
    [ -d "$folder" ] || continue
    real=$(readlink -f "$folder")
    case $real in
      /usr/bin | "$(readlink -f "$libraries")" | */node_modules) ;;
      *) /bin/mount --bind /mnt/nothing "$real" ;;
    esac
  done
  /bin/mount --bind /mnt/programs /usr/bin
  PATH=/usr/bin
  export PATH
  exec "$@"' sh "$@"
