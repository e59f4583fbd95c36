#!/bin/bash
# The packages of Debian in a fresh Debian 12: lintian finds no error and no warning; `orderlab` is installed, runs
# README's first example, has its manual page and completion, and leaves no file behind when it is purged; a project
# elsewhere builds against `liborderlab-dev`. Needs root, debootstrap, lintian and the package mirror; minutes.
#
# usage: deb_in_fresh_root.sh BUILD_DIR [BASE]   BUILD_DIR is built; BASE: a root that debootstrap made before, to be
#   copied. Exit status 77: skipped.
set -euo pipefail
build=$(realpath "$1")
source=$(realpath "$(dirname "$0")/../..")
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "not root"
for tool in debootstrap lintian dpkg-deb; do command -v $tool > /dev/null || skip "no $tool"; done
if [ -z "${OWN_MOUNTS:-}" ]; then  # they end with the script, whatever ends it
  unshare --mount true 2> /dev/null || skip "no mounts"
  OWN_MOUNTS=1 exec unshare --mount "$0" "$@"
fi

work=$(mktemp -d)
root=$work/root
trap 'umount "$root/proc" 2> /dev/null || true; rm -rf --one-file-system "$work"' EXIT
step() { printf '==== %4d s: %s\n' "$SECONDS" "$*"; }
inside() {
  chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log"; false; }; }
install() { quietly inside apt-get install -y -qq --no-install-recommends "$@"; }
files() {  # all but apt's and dpkg's own, and logs
  (cd "$root" && find bin boot etc home lib media mnt opt root sbin srv usr var/lib \
    \( -path var/lib/apt -o -path var/lib/dpkg \) -prune -o -print | sort)
}

step "packages"
quietly cpack -G "TGZ;DEB" --config "$build/CPackConfig.cmake" -B "$work/packages"
(cd "$work/packages" && ls -l ./*.deb ./*.tar.gz)
step "lintian"
lintian --allow-root --display-info --pedantic --fail-on error,warning "$work"/packages/*.deb

step "a fresh Debian 12"
if [ $# -gt 1 ]; then
  cp -a "$2" "$root"
else
  mirror=$(sed -n 's/^URIs: //p' /etc/apt/sources.list.d/debian.sources 2> /dev/null | head -n 1)
  quietly debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"}
fi
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"  # debootstrap made what programs need of /dev
cp "$work"/packages/*.deb "$root/root/"
program=/root/$(basename "$work"/packages/orderlab_*.deb)
library=/root/$(basename "$work"/packages/liborderlab-dev_*.deb)
install man-db
files > "$work/before"

step "orderlab is installed"
install "$program"
inside dpkg-query -W -f '${Package} ${Version}, ${Installed-Size} KiB\n' orderlab
[ -z "$(inside dpkg --verify orderlab)" ]
inside dpkg-query -W -f '${Package}\n' > "$work/installed"
if grep -e '-dev$' "$work/installed"; then echo "the program needs packages for development"; false; fi

step "README's first example"
inside orderlab sample --n 1e6 --order warp | tee "$work/sample"
shown=$(grep -m 1 -o '1000 runs gave [0-9]* different sums' "$source/README.md")
grep -qF "$shown" "$work/sample"
inside orderlab crosscheck --device host --n 1000 --kernel spa | tail -n 1
inside man -w orderlab
inside man orderlab > "$work/page"
grep -q tolerance "$work/page"
# shellcheck disable=SC2016
inside bash -c '. /usr/share/bash-completion/completions/orderlab && complete -p orderlab'

step "orderlab is removed"
quietly inside apt-get remove -y -qq orderlab
if inside bash -c 'command -v orderlab'; then echo "orderlab is still there"; false; fi
quietly inside dpkg --purge orderlab
quietly inside apt-get autopurge -y -qq
files > "$work/after"
diff "$work/before" "$work/after"

step "liborderlab-dev is installed"
install "$library" "$program" g++ cmake make
mkdir "$root/root/install"
cp "$source"/tests/install/{CMakeLists.txt,Makefile,main.cpp,page.cpp} "$root/root/install/"
step "a project builds against it"
quietly inside cmake -S /root/install -B /root/b -D CMAKE_BUILD_TYPE=Release \
  -D examples=/usr/share/doc/orderlab/examples/study
quietly inside cmake --build /root/b --target consumer page own_tolerance
for name in consumer page own_tolerance; do quietly inside /root/b/$name; done
quietly inside make -C /root/install
quietly inside /root/install/consumer
quietly inside apt-get purge -y -qq orderlab liborderlab-dev
step "the archive runs where it is unpacked"
tar -xzf "$work"/packages/*.tar.gz -C "$root/srv"
inside bash -c '/srv/*/bin/orderlab sum --values 0.1,0.2,0.3 --order seq' | tail -n 1

if (cd "$root" && find usr etc var/lib -name '*orderlab*' | grep .); then echo "files are left"; false; fi
step "passed"
