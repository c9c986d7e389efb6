#!/bin/sh
# Installs Stichwart from this checkout as a service that starts with the machine, or takes it away again.
# Running it again updates. With DESTDIR set, files are only laid out below that folder and nothing is started.
set -eu

usage() {
    cat <<'END'
usage: systemd/install.sh table|director [--no-start] [--key FILE]
       systemd/install.sh uninstall [--purge]

table      this machine is a table: camera, screen, clock display, scanner
director   this machine serves the tournament's direction
           (both on one machine: run it twice)
uninstall  stop and remove the services and the program; lists, decks and configuration stay
--no-start  install, but start nothing
--key FILE  the public key of who makes the releases that this machine takes (docs/updates.md)
--purge     with uninstall: remove lists, decks, configuration and the user stichwart as well
END
}

say() { printf 'install: %s\n' "$*"; }
fail() { printf 'install: %s\n' "$*" >&2; exit 1; }

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(dirname -- "$here")
root=${DESTDIR:-}
opt=$root/opt/stichwart
etc=$root/etc/stichwart
units=$root/etc/systemd/system

role= start=yes purge= key= expects_key=
for word; do
    if [ -n "$expects_key" ]; then key=$word expects_key=; continue; fi
    case $word in
    table | director | uninstall) [ -z "$role" ] || fail "one of table, director and uninstall at a time"; role=$word ;;
    --no-start) start= ;;
    --key) expects_key=yes ;;
    --purge) purge=yes ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown word: $word" ;;
    esac
done
[ -z "$expects_key" ] || fail "--key wants a file"
[ -z "$key" ] || [ -r "$key" ] || fail "$key: no such file, or not to be read"
[ -n "$role" ] || { usage >&2; exit 1; }
[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "run it as root: sudo $0 $*"

running() { [ -z "$root" ] && [ -d /run/systemd/system ]; } # this machine is booted with systemd, and really meant

uninstall() {
    for role in table director; do
        [ -e "$units/stichwart-$role.service" ] || continue
        say "removing the service stichwart-$role"
        if running; then systemctl disable --now "stichwart-$role.service"; fi
        rm -f "$units/stichwart-$role.service" "$units/stichwart-$role.socket" "$units/multi-user.target.wants/stichwart-$role.service"
    done
    if running && [ -e "$units/stichwart-update.path" ]; then systemctl disable --now stichwart-update.path; fi
    rm -f "$units/stichwart-update.path" "$units/stichwart-update.service" "$units/multi-user.target.wants/stichwart-update.path"
    if running; then systemctl daemon-reload; fi
    say "removing $opt"
    rm -rf "$opt"
    rm -f "$root/etc/sysusers.d/stichwart.conf" "$root/etc/tmpfiles.d/stichwart.conf" \
        "$root/etc/udev/rules.d/60-stichwart.rules" "$root/etc/modules-load.d/stichwart.conf" \
        "$root/etc/polkit-1/rules.d/50-stichwart.rules" "$root/etc/systemd/system/systemd-timesyncd.service.d/stichwart.conf"
    if [ -n "$purge" ]; then
        say "removing $etc, $root/var/lib/stichwart and $root/var/cache/stichwart"
        rm -rf "$etc" "$root/var/lib/stichwart" "$root/var/cache/stichwart"
        if [ -z "$root" ] && getent passwd stichwart >/dev/null; then userdel stichwart; fi
    else
        say "left in place: $etc and $root/var/lib/stichwart (--purge removes them)"
    fi
}

lay_out_program() {
    mkdir -p "$opt"
    install -m 755 "$here/launch" "$opt/launch.new"
    mv -f "$opt/launch.new" "$opt/launch"
    [ -z "$key" ] || install -m 644 "$key" "$opt/maker.pub"
    if [ -n "$root" ]; then
        say "copying the program below $opt/releases"
        PYTHONPATH=$source python3 -B -m kiosk.release.checkout "$role" "$opt" "$root/var/lib/stichwart/updates" --program-only
        return
    fi
    say "installing the Debian packages"
    "$source/stichwart" --debian-packages "$role"
    command -v eu-strip >/dev/null 2>&1 || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends elfutils
    # Beside what runs, which stays as it is until this is whole: without a network nothing changes.
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    python=python3
    if [ ! -d "$source/wheels" ]; then # else they are there already, and nothing is fetched
        python3 -m venv "$work/pip"
        python=$work/pip/bin/python
    fi
    PYTHONPATH=$source "$python" -B -m kiosk.release.checkout "$role" "$opt" /var/lib/stichwart/updates ||
        fail "the release could not be laid; what was installed before goes on unchanged"
    chmod -R a+rX,go-w "$opt"
}

leave_earlier_program() { # one of before there were releases, once the units start the new one
    for part in "$opt"/* "$opt/.venv"; do # a program of before there were releases
        case ${part##*/} in
        releases | current | launch | maker.pub | trial | failed | update.json | '*') ;;
        *) rm -rf "$part" ;;
        esac
    done
    [ ! -d /var/lib/stichwart/updates ] || chown -Rh stichwart:stichwart /var/lib/stichwart/updates
}

lay_out_service() {
    say "writing the service stichwart-$role, its user, folders, device rules and modules below $root/etc"
    mkdir -p "$units" "$root/etc/sysusers.d" "$root/etc/tmpfiles.d" "$root/etc/udev/rules.d" "$root/etc/modules-load.d" "$etc"
    install -m 644 "$here/stichwart-$role.service" "$units/"
    [ "$role" = table ] || install -m 644 "$here/stichwart-$role.socket" "$units/" # port 80
    install -m 644 "$here/stichwart-update.path" "$here/stichwart-update.service" "$units/" # releases by stick or direction
    install -m 644 "$here/sysusers.conf" "$root/etc/sysusers.d/stichwart.conf"
    install -m 644 "$here/tmpfiles.conf" "$root/etc/tmpfiles.d/stichwart.conf"
    install -m 644 "$here/udev.rules" "$root/etc/udev/rules.d/60-stichwart.rules"
    install -m 644 "$here/modules.conf" "$root/etc/modules-load.d/stichwart.conf"
    mkdir -p "$units/systemd-timesyncd.service.d" # a clock that is set back stays so
    install -m 644 "$here/timesync.conf" "$units/systemd-timesyncd.service.d/stichwart.conf"
    mkdir -p "$root/etc/polkit-1/rules.d" # USB sticks
    install -m 644 "$here/polkit.rules" "$root/etc/polkit-1/rules.d/50-stichwart.rules"
    if [ -e "$etc/$role.toml" ]; then
        say "keeping $etc/$role.toml"
    else
        say "writing an example to $etc/$role.toml; edit it"
        install -m 640 "$here/$role.toml" "$etc/$role.toml"
    fi
}

prepare_machine() {
    command -v systemd-sysusers >/dev/null 2>&1 || fail "this machine has no systemd; start the program by other means"
    say "making the user stichwart and its folders"
    systemd-sysusers "$root/etc/sysusers.d/stichwart.conf"
    systemd-tmpfiles --create "$root/etc/tmpfiles.d/stichwart.conf"
    packages="udisks2 polkitd" # USB sticks
    [ "$role" != table ] || packages="$packages libgbm1 libgl1-mesa-dri" # a screen without a desktop
    # shellcheck disable=SC2086
    if ! dpkg-query -W -f '${db:Status-Status}' $packages >/dev/null 2>&1; then
        say "installing Debian packages for USB sticks, and for a screen without a desktop: $packages"
        apt-get update -qq
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
    fi
    if [ "$role" = table ] && command -v raspi-config >/dev/null 2>&1; then
        say "switching the I²C bus on, for the clock display"
        raspi-config nonint do_i2c 0 || say "raspi-config could not; write dtparam=i2c_arm=on into /boot/firmware/config.txt"
    fi
}

begin() {
    systemctl daemon-reload
    udevadm control --reload
    udevadm trigger --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev --subsystem-match=dma_heap
    udevadm trigger --action=add --subsystem-match=backlight
    systemctl restart systemd-modules-load.service || say "some modules of $root/etc/modules-load.d/stichwart.conf are not in this kernel"
    if [ "$role" = table ] && [ "$(systemctl get-default)" = graphical.target ]; then
        say "the table draws without a desktop: from the next start on the machine starts without one (undo: systemctl set-default graphical.target)"
        systemctl set-default multi-user.target
        if systemctl is-active --quiet display-manager.service; then
            systemctl enable "stichwart-$role.service" stichwart-update.path
            say "a desktop is running: restart the machine (sudo reboot), then the table starts"
            return
        fi
    fi
    systemctl enable "stichwart-$role.service"
    systemctl enable --now stichwart-update.path
    systemctl restart --no-block "stichwart-$role.service"
    say "started; see: systemctl status stichwart-$role, journalctl -u stichwart-$role"
}

if [ "$role" = uninstall ]; then
    uninstall
    exit 0
fi
lay_out_program
lay_out_service
if [ -n "$root" ]; then
    say "laid out below $root; nothing was started"
    exit 0
fi
prepare_machine
leave_earlier_program
if [ -z "$start" ]; then
    say "not started; start it with: systemctl enable --now stichwart-$role stichwart-update.path"
elif running; then
    begin
else
    systemctl enable "stichwart-$role.service" stichwart-update.path
    say "systemd is not running here; the service starts with the next boot"
fi
