#!/bin/sh
# Installs the agent `underpass`, or the daemon `underpassd`, from the files of a release. Needs no Node and no root.
set -eu

# A release has its own address here.
RELEASES=${UNDERPASS_RELEASES:-}

usage() {
  cat <<'TEXT'
Usage: install.sh [OPTION]... [underpass|underpassd]...

Installs the agent (underpass, the default), the daemon (underpassd), or both.

  --version X.Y.Z   this version in place of the newest one
  --prefix DIR      install into DIR/bin (default: /usr/local for root, else ~/.local)
  --from URL        folder with SHA256SUMS and the files of one release
  --help            this text

Examples:
  sh install.sh
  sh install.sh --prefix "$HOME/.local" underpass
  sudo sh install.sh --version 1.2.3 underpassd

Environment:
  UNDERPASS_RELEASES   address of all releases: it has latest/download/ and download/vX.Y.Z/
TEXT
}

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  exit 1
}

# Everything is in a function, so that a script of which only a part arrived does nothing.
main() {
  version='' prefix='' from='' programs=''
  while [ $# -gt 0 ]; do
    case $1 in
      --version | --prefix | --from)
        [ $# -gt 1 ] || fail "$1 needs a value. See --help."
        [ -n "$2" ] || fail "$1 is empty. See --help."
        case $1 in
          --version) version=${2#v} ;;
          --prefix) prefix=$2 ;;
          --from) from=${2%/} ;;
        esac
        shift 2
        ;;
      --help | -h)
        usage
        return
        ;;
      underpass | underpassd)
        programs="$programs $1"
        shift
        ;;
      *) fail "\"$1\" is unknown. The programs are underpass and underpassd; --help shows the options." ;;
    esac
  done
  case $version in
    *[!0-9A-Za-z.-]*) fail "--version $version is no version. Give one such as 1.2.3." ;;
  esac
  [ -n "$from" ] || from=$(folder_of "$version")
  check_url "$from"
  [ -n "$prefix" ] || prefix=$(default_prefix)
  platform=$(platform_here)
  sum_command=$(find_sum_command)
  make_folder "$prefix/bin"

  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  trap 'exit 1' HUP INT TERM
  fetch "$from/SHA256SUMS" "$folder/SHA256SUMS"
  for program in ${programs:-underpass}; do install_program "$program"; done
  next_steps "${programs:-underpass}"
}

folder_of() {
  [ -n "$RELEASES" ] || fail 'this copy names no place of releases. Give --from URL, or set UNDERPASS_RELEASES.'
  if [ -z "$1" ]; then echo "${RELEASES%/}/latest/download"; else echo "${RELEASES%/}/download/v$1"; fi
}

# The sums come from the same place as the files, so that place is reached by TLS.
check_url() {
  case $1 in
    https://* | http://127.0.0.1[:/]* | http://localhost[:/]* | http://\[::1\][:/]*) ;;
    *) fail "$1 is no https:// address." ;;
  esac
}

default_prefix() {
  if [ "$(id -u)" -eq 0 ]; then
    echo /usr/local
  else
    [ -n "${HOME:-}" ] || fail 'HOME is not set. Give --prefix DIR.'
    echo "$HOME/.local"
  fi
}

platform_here() {
  system=$(uname -s)
  machine=$(uname -m)
  case $machine in
    x86_64 | amd64) machine=x64 ;;
    arm64 | aarch64) machine=arm64 ;;
    *) fail "there is no executable for $machine. Use the npm archives with Node 24, or a checkout." ;;
  esac
  case $system in
    Linux)
      case $(ldd --version 2>&1 || true) in
        *musl*) fail 'this system has musl, and the executables need glibc. Use the container image, or the npm archives with Node 24.' ;;
      esac
      echo "linux-$machine"
      ;;
    Darwin)
      # A shell under Rosetta claims another processor.
      if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" = 1 ]; then machine=arm64; fi
      echo "darwin-$machine"
      ;;
    *) fail "there is no executable for $system here. On Windows use install.ps1." ;;
  esac
}

make_folder() {
  mkdir -p "$1" 2>/dev/null || fail "$1 cannot be made. Give --prefix DIR, or run as root."
  [ -w "$1" ] || fail "$1 cannot be written. Give --prefix DIR, or run as root."
}

# fetch URL FILE
fetch() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --retry 3 --proto-redir '=https' --output "$2" "$1" ||
      fail "$1 could not be loaded."
  elif command -v wget >/dev/null; then
    wget --quiet --tries=3 --output-document="$2" "$1" || fail "$1 could not be loaded."
  else
    fail 'neither curl nor wget is installed. Install one of them.'
  fi
}

find_sum_command() {
  if command -v sha256sum >/dev/null; then
    echo sha256sum
  elif command -v shasum >/dev/null; then
    echo 'shasum -a 256'
  elif command -v openssl >/dev/null; then
    echo 'openssl dgst -sha256 -r'
  else
    fail 'sha256sum, shasum and openssl are missing. Install one of them.'
  fi
}

sum_of() {
  # shellcheck disable=SC2086 # a command with its options
  $sum_command "$1" | cut -d ' ' -f 1
}

install_program() {
  archive=$(awk -v start="$1-" -v end="-$platform.tar.gz" '
    index($2, start) == 1 && substr($2, length($2) - length(end) + 1) == end { print $2; exit }
  ' "$folder/SHA256SUMS")
  [ -n "$archive" ] || fail "the release at $from has no $1 for $platform."
  case $archive in
    */*) fail "SHA256SUMS at $from names $archive, which is no file of the release." ;;
  esac
  found=${archive#"$1-"}
  found=${found%"-$platform.tar.gz"}
  if [ -n "$version" ] && [ "$found" != "$version" ]; then
    fail "the release at $from has version $found, not $version."
  fi
  printf 'Loading %s %s for %s\n' "$1" "$found" "$platform"
  fetch "$from/$archive" "$folder/$archive"
  wanted=$(awk -v file="$archive" '$2 == file { print $1; exit }' "$folder/SHA256SUMS")
  [ "$(sum_of "$folder/$archive")" = "$wanted" ] ||
    fail "$archive has another SHA-256 sum than SHA256SUMS. Nothing was installed of it. Try again later."
  tar -xzf "$folder/$archive" -C "$folder" "$1" || fail "$archive holds no $1."
  chmod 755 "$folder/$1"
  check_runs "$1"
  # A program that runs keeps its file until it ends: the new one takes its name at once.
  cp "$folder/$1" "$prefix/bin/.$1.new"
  mv -f "$prefix/bin/.$1.new" "$prefix/bin/$1"
  printf 'Installed %s\n' "$prefix/bin/$1"
}

check_runs() {
  reason=$("$folder/$1" --version 2>&1) && return
  case $reason in
    *libatomic*) fail 'libatomic is missing. Install it (Debian: apt install libatomic1; Fedora: dnf install libatomic).' ;;
    *) fail "$1 does not run on this machine: $reason" ;;
  esac
}

next_steps() {
  case ":${PATH:-}:" in
    *:"$prefix/bin":*) ;;
    *)
      printf '\n%s is not in PATH. Add it in this shell and in its profile:\n\n' "$prefix/bin"
      # shellcheck disable=SC2016 # the variable is for that shell
      printf '  export PATH="%s:$PATH"\n' "$prefix/bin"
      ;;
  esac
  case " $1 " in
    *' underpassd '*) printf '\nSet up a server:\n\n  underpassd setup\n' ;;
  esac
  case " $1 " in
    *' underpass '*)
      printf '\nJoin a server with the line that it printed, and publish a port:\n\n'
      printf '  underpass login --server HOST:PORT --ca-fingerprint sha256:HEX --authtoken -\n  underpass http 8080\n'
      ;;
  esac
}

main "$@"
