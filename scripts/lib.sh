# SPDX-License-Identifier: BSD-3-Clause
# What the scripts share: Debian packages, and a build tree that is up to date. To be sourced.
# shellcheck shell=bash disable=SC2034

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc 2>/dev/null || echo 1)

# To build clopt; to see its first study; to test it.
build_packages=(
    gcc make autoconf automake libtool pkgconf xz-utils
    ocl-icd-opencl-dev opencl-headers libltdl-dev libinih-dev libsqlite3-dev libjansson-dev
    libclang-14-dev libclang-common-14-dev
)
run_packages=(pocl-opencl-icd)
test_packages=(libcmocka-dev liblapack-dev oclgrind gnuplot-nox man-db diffutils)

say()
{
    printf '==> %s\n' "$*"
}

fail()
{
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# as_root COMMAND...: runs the command as root, through sudo for others.
as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "not root and no sudo: have an administrator run: $*"
    fi
}

is_installed()
{
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# install_packages PACKAGE...: installs those Debian packages that are missing, if any.
install_packages()
{
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "No Debian packages here: configure will name what is missing."
        return
    fi
    local package missing=()
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ "${#missing[@]}" -gt 0 ] || return 0
    say "Installing the Debian packages that are missing: ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update </dev/null ||
        say "No newer package lists; going on with those that are here"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends \
        "${missing[@]}" </dev/null
}

# logged LOG COMMAND...: runs the command with all that it prints in LOG; shows the end of it if
# the command fails.
logged()
{
    local log=$1 code=0
    shift
    "$@" >"$log" 2>&1 </dev/null || code=$?
    [ "$code" -ne 0 ] || return 0
    tail -n 60 "$log" >&2
    printf '%s: failed: %s\n%s: all it said is in %s\n' "${0##*/}" "$*" "${0##*/}" "$log" >&2
    return "$code"
}

# generate_configure LOG: autoreconf, where what it reads is newer than what it wrote.
generate_configure()
{
    local newer=none
    if [ -e "$root/configure" ] && [ -e "$root/Makefile.in" ]; then
        newer=$(find "$root"/{configure.ac,Makefile.am,m4/clopt.m4} \
            "$root"/{bench,conf,core,doc,kernels,plugins,scripts,tests} \
            \( -name '*.ac' -o -name '*.am' -o -name '*.m4' -o -name '*.mk' \) \
            -newer "$root/Makefile.in" -print -quit)
    fi
    [ -n "$newer" ] || return 0
    say "Generating configure"
    (cd "$root" && logged "$1" autoreconf -fi)
}

# configure_in FOLDER [OPTION...]: configures there, unless that was done with the same options.
configure_in()
{
    local folder=$1 options
    shift
    options=$(printf '%q ' "$root" "$@")
    if [ -e "$folder/Makefile" ] && [ "$(cat "$folder/configured" 2>/dev/null)" = "$options" ]; then
        return 0
    fi
    say "Configuring in $folder"
    (cd "$folder" && logged configure.log "$root/configure" "$@") &&
        printf '%s' "$options" >"$folder/configured"
}

# build FOLDER [CONFIGURE-OPTION...]: brings a build tree up to date; works where -e does not.
build()
{
    local folder=$1
    mkdir -p "$folder" &&
        generate_configure "$folder/autoreconf.log" &&
        configure_in "$@" &&
        say "Building in $folder" &&
        logged "$folder/make.log" make -C "$folder" -j"$jobs" all
}
