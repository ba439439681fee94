# SPDX-License-Identifier: BSD-3-Clause
# What the scripts share: Debian packages, and a build tree that is up to date. To be sourced.
# shellcheck shell=bash disable=SC2034

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc 2>/dev/null || echo 1)
[ ! -x /bin/dash ] || export CONFIG_SHELL=/bin/dash # starts in a third of bash's time; libtool is a script

# To build clopt; to see its first study; to test it; to fetch Intel's runtime. Of a|b one is enough;
# a package that ends in ? is installed where the system offers it.
build_packages=(
    gcc libc6-dev make autoconf automake libtool pkgconf xz-utils
    ocl-icd-opencl-dev opencl-headers libltdl-dev libinih-dev libsqlite3-dev libjansson-dev
    'libclang-dev|libclang-21-dev|libclang-20-dev|libclang-19-dev|libclang-18-dev|libclang-17-dev|libclang-16-dev|libclang-15-dev|libclang-14-dev'
)
run_packages=(pocl-opencl-icd)
test_packages=(
    libcmocka-dev liblapack-dev zlib1g-dev
    'libclang1-16|libclang1-18?' 'libclang-common-16-dev|libclang-common-18-dev?' # beside the one that is built with
    sqlite3 python3 python3-numpy python3-pyopencl 'oclgrind?' gnuplot-nox man-db diffutils procps zsh fish openssh-server
    'slurmctld?' 'slurmd?' 'slurm-client?' 'munge?' 'openmpi-bin?' # other hosts
)
intel_packages=(python3-venv clinfo)

say()
{
    printf '==> %s\n' "$*"
}

fail()
{
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# check_folder FOLDER: ends here if make or libtool could not work in FOLDER.
check_folder()
{
    case $1 in
    *[[:space:]]*) fail "$1: make and libtool cannot work in a folder with a blank in its path; move the clone" ;;
    *[],:\;\(\)\<\>\|\&\'\"\`\$\#\\*?[]*)
        fail "$1: make and libtool cannot work in a folder with one of ,:;()<>|&'\"\`\$#\\*?[] in its path; move the clone"
        ;;
    esac
    [ -w "$1" ] || fail "$1: $(id -un) cannot write there; clone it to a folder of your own"
}

# check_machine [FOLDER]: ends here without /proc. PoCL learns of the machine's memory and cores from
# /sys, and aborts without it, as in a bare chroot: there it is told. FOLDER is in front of both.
check_machine()
{
    local memory
    memory=$(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' "${1-}/proc/meminfo" 2>/dev/null) ||
        fail "/proc is not there, and little works without it; as root: mount -t proc proc /proc"
    if [ ! -e "${1-}/sys/devices/system/cpu" ] && [ -z "${HWLOC_SYNTHETIC-}" ]; then
        say "/sys is not there: HWLOC_SYNTHETIC tells PoCL of $jobs cores and $((memory / 1024)) MiB" >&2
        export HWLOC_SYNTHETIC="NUMANode:1(memory=$((memory * 1024))) Core:$jobs PU:1" HWLOC_THISSYSTEM=1
    fi
}

# is_terminal: whether what is going on can be shown in a line that is rewritten.
is_terminal()
{
    [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]
}

# rewrite TEXT: shows TEXT in that line, which nothing removes.
rewrite()
{
    local columns
    columns=$(stty size <&2 2>/dev/null | cut -d ' ' -f 2) || true
    [ "${columns:-0}" -gt 0 ] || columns=80
    printf '\r\033[K%s' "${1:0:columns-1}" >&2
}

# follow LOG: shows the last line of LOG, each second on a terminal and each minute elsewhere, until
# it is killed or the script ends.
follow()
{
    local seconds=0 pause=60 line nothing
    ! is_terminal || pause=1
    exec {nothing}<> <(:) # read as a sleep that leaves no process
    until read -r -t "$pause" -u "$nothing" || ! kill -0 "$$" 2>/dev/null; do
        seconds=$((seconds + pause))
        line="    $seconds s: $(tail -n 1 "$1" | tr -cd '[:print:]')"
        if is_terminal; then
            rewrite "$line"
        else
            printf '%s\n' "${line:0:100}" >&2
        fi
    done
}

# logged LOG COMMAND...: runs the command with all that it prints in LOG; shows the end of it if
# the command fails.
logged()
{
    local log=$1 code=0 watcher
    shift
    : >"$log"
    follow "$log" &
    watcher=$!
    "$@" >"$log" 2>&1 </dev/null || code=$?
    kill "$watcher" 2>/dev/null || true
    wait "$watcher" 2>/dev/null || true
    ! is_terminal || rewrite ''
    [ "$code" -ne 0 ] || return 0
    tail -n 60 "$log" >&2
    printf '%s: failed: %s\n%s: all it said is in %s\n' "${0##*/}" "$*" "${0##*/}" "$log" >&2
    return "$code"
}

is_installed()
{
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# is_offered PACKAGE: whether apt can install it.
is_offered()
{
    [ -n "$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: //p' | grep -vFx '(none)')" ]
}

# find_missing PACKAGE...: fills `missing` with those packages that are not installed: of alternatives
# the first that is offered; nothing for an optional package that is not.
find_missing()
{
    local entry package packages chosen
    missing=()
    for entry in "$@"; do
        IFS='|' read -ra packages <<<"${entry%\?}"
        chosen=${packages[0]}
        for package in "${packages[@]}"; do
            ! is_installed "$package" || continue 2
        done
        for package in "${packages[@]}"; do
            ! is_offered "$package" || {
                missing+=("$package")
                continue 2
            }
        done
        if [ "${entry%\?}" != "$entry" ]; then
            say "This system has no package $chosen: what needs it is skipped"
        else
            missing+=("$chosen")
        fi
    done
}

# name_packages: what is needed to build clopt and to see its first study, where there is no apt.
name_packages()
{
    local tool tools=() names
    for tool in dnf zypper pacman brew; do
        ! command -v "$tool" >/dev/null || tools+=("$tool")
    done
    [ ${#tools[@]} -gt 0 ] || tools=(dnf zypper pacman brew)
    say "No apt here. clopt needs what these packages hold, under these or similar names:"
    for tool in "${tools[@]}"; do
        case $tool in
        dnf)
            names="install gcc make autoconf automake libtool pkgconf-pkg-config xz ocl-icd-devel opencl-headers"
            names+=" libtool-ltdl-devel inih-devel sqlite-devel jansson-devel llvm-devel clang-devel pocl"
            ;;
        zypper)
            names="install gcc make autoconf automake libtool pkgconf xz ocl-icd-devel opencl-headers"
            names+=" libltdl7 inih-devel sqlite3-devel libjansson-devel llvm-devel clang-devel pocl"
            ;;
        pacman) names="-S base-devel xz ocl-icd opencl-headers libinih sqlite jansson llvm clang pocl" ;;
        brew) names="install autoconf automake libtool pkgconf xz ocl-icd opencl-headers inih sqlite jansson llvm pocl" ;;
        esac
        printf '    %s %s\n' "$tool" "$names"
    done
    say "Going on: configure names what is missing"
}

# install_packages PACKAGE...: installs those Debian packages that are missing, if any; users who
# may not are told what to hand to an administrator.
install_packages()
{
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        name_packages
        return
    fi
    local missing apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    find_missing "$@"
    [ "${#missing[@]}" -gt 0 ] || return 0
    say "Debian packages that are missing: ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null && ! is_offered ocl-icd-opencl-dev; then
            fail "apt knows of no packages yet; have an administrator run the next line, and try again:
apt-get update"
        fi
        if ! command -v sudo >/dev/null || ! sudo -v; then
            fail "only root can install them, and sudo does not help here; have an administrator run:
apt-get install --no-install-recommends ${missing[*]}"
        fi
        apt=(sudo "${apt[@]}")
    fi
    mkdir -p "$root/build"
    logged "$root/build/apt-update.log" "${apt[@]}" update ||
        say "No newer package lists; going on with those that are here"
    find_missing "$@" >/dev/null # with lists that may not have been there before
    say "Installing them; $root/build/apt.log tells how"
    logged "$root/build/apt.log" "${apt[@]}" install -y --no-install-recommends "${missing[@]}" ||
        fail "the packages could not be installed; by hand: apt-get install --no-install-recommends ${missing[*]}"
}

# generate_configure LOG: autoreconf, where what it reads is newer than what it wrote.
generate_configure()
{
    local newer=none
    if [ -e "$root/configure" ] && [ -e "$root/Makefile.in" ]; then
        newer=$(find "$root"/{configure.ac,Makefile.am,m4/clopt.m4} \
            "$root"/{base,bench,conf,core,doc,engine,kernels,layer,plugins,report,scripts,tests} \
            \( -name '*.ac' -o -name '*.am' -o -name '*.m4' -o -name '*.mk' \) \
            -newer "$root/Makefile.in" -print -quit)
    fi
    [ -n "$newer" ] || return 0
    say "Generating configure"
    (cd "$root" && logged "$1" autoreconf -fi)
}

# configure_in FOLDER [OPTION...]: configures there, unless that was done with the same options, and
# the same Debian packages: tests are built where their libraries are.
configure_in()
{
    local folder=$1 wanted names
    shift
    IFS=' |?' read -ra names <<<"${build_packages[*]} ${test_packages[*]}"
    wanted=$(printf '%q ' "$root" "$@" && printf '\n' &&
        dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null) || true
    if [ -e "$folder/Makefile" ] && [ "$(cat "$folder/configured" 2>/dev/null)" = "$wanted" ]; then
        return 0
    fi
    say "Configuring in $folder"
    (cd "$folder" && logged configure.log "$root/configure" "$@") &&
        printf '%s' "$wanted" >"$folder/configured"
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
