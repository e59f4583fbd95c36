#!/bin/bash
# The packages of Debian in a fresh Debian 12: lintian finds no error and no warning; `orderlab` is installed, runs
# README's first command, has its manual page and completion, and leaves no file behind when it is purged; a project
# elsewhere builds against `liborderlab-dev`. Needs root, debootstrap, lintian and the package mirror; minutes.
#
# usage: deb_in_fresh_root.sh BUILD_DIR   BUILD_DIR is built; exit status 77: skipped
set -euo pipefail
build=$(realpath "$1")
source=$(realpath "$(dirname "$0")/../..")
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "not root"
for tool in debootstrap lintian dpkg-deb; do command -v $tool > /dev/null || skip "no $tool"; done

work=$(mktemp -d)
root=$work/root
trap 'umount "$root/proc" "$root/dev" 2> /dev/null || true; mountpoint -q "$root/dev" || rm -rf "$work"' EXIT
step() { printf '==== %4d s: %s\n' "$SECONDS" "$*"; }
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
install() { inside apt-get install -y -qq --no-install-recommends "$@" > "$work/apt.log" 2>&1 || { cat "$work/apt.log"; false; }; }
files() { (cd "$root" && find bin boot etc home lib media mnt opt root sbin srv usr var/lib \( -path var/lib/apt -o -path var/lib/dpkg \) -prune -o -print | sort); }

step "packages"
cmake -E chdir "$work" cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages" > "$work/cpack.log" 2>&1 ||
  { cat "$work/cpack.log"; false; }
ls -l "$work"/packages/*.deb
step "lintian"
lintian --allow-root --display-info --pedantic --fail-on error,warning "$work"/packages/*.deb

step "a fresh Debian 12"
mirror=$(sed -n 's/^URIs: //p' /etc/apt/sources.list.d/debian.sources 2> /dev/null | head -n 1)
debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"} > "$work/debootstrap.log" || { tail "$work/debootstrap.log"; false; }
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
cp "$work"/packages/*.deb "$root/root/"
install man-db
files > "$work/before"

step "orderlab is installed"
install /root/orderlab_*.deb
grep -E '^(Need to get|After this|[0-9]+ upgraded)' "$work/apt.log" || true
inside dpkg-query -W -f '${Package} ${Version}, ${Installed-Size} KiB\n' orderlab
[ -z "$(inside dpkg --verify orderlab)" ]
inside dpkg-query -W -f '${Package}\n' > "$work/installed"
if grep -e '-dev$' "$work/installed"; then echo "the program needs packages for development"; false; fi

step "README's first command"
inside orderlab sample --n 1e6 --order warp | tee "$work/sample"
grep -q '1000 runs gave 123 different sums' "$work/sample"
inside orderlab crosscheck --device host --n 1000 --kernel spa | tail -n 1
inside man -w orderlab
inside man orderlab > "$work/page"
grep -q tolerance "$work/page"
# shellcheck disable=SC2016
inside bash -c '. /usr/share/bash-completion/completions/orderlab && complete -p orderlab'

step "orderlab is removed"
inside apt-get remove -y -qq orderlab > "$work/apt.log" 2>&1
if inside bash -c 'command -v orderlab'; then echo "orderlab is still there"; false; fi
inside apt-get purge -y -qq --autoremove orderlab > "$work/apt.log" 2>&1
files > "$work/after"
diff "$work/before" "$work/after"

step "liborderlab-dev is installed"
install /root/liborderlab-dev_*.deb /root/orderlab_*.deb g++ cmake make
mkdir "$root/root/install"
cp "$source"/tests/install/{CMakeLists.txt,Makefile,main.cpp,page.cpp} "$root/root/install/"
step "a project builds against it"
inside bash -ec 'cd /root && cmake -S install -B b -D CMAKE_BUILD_TYPE=Release -D examples=/usr/share/doc/orderlab/examples/study \
  && cmake --build b --target consumer page own_tolerance && b/consumer && b/page && b/own_tolerance && make -C install && install/consumer' > "$work/consumer.log" 2>&1 ||
  { cat "$work/consumer.log"; false; }
inside apt-get purge -y -qq orderlab liborderlab-dev > "$work/apt.log" 2>&1
if (cd "$root" && find usr etc var/lib -name '*orderlab*' | grep .); then echo "files are left"; false; fi
step "passed"
