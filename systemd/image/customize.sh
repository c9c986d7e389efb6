#!/bin/sh
# Makes an appliance of a Debian root, inside it (chroot). The program's source lies in /usr/src/stichwart.
# What is of one kind of machine alone, boot.sh does. usage: customize.sh ROLE, e.g. customize.sh table
set -eu

role=$1
source=/usr/src/stichwart

printf 'de_DE.UTF-8 UTF-8\n' >/etc/locale.gen
locale-gen >/dev/null
printf 'LANG=de_DE.UTF-8\n' >/etc/locale.conf
ln -sfn /usr/share/zoneinfo/Europe/Berlin /etc/localtime
printf 'stichwart\n' >/etc/hostname
printf '127.0.0.1 localhost\n127.0.1.1 stichwart\n::1 localhost\n' >/etc/hosts

export PIP_ROOT_USER_ACTION=ignore

# Both roles, by the usual installer; which one it is, its configuration says (usr/lib/stichwart/prepare-data).
"$source/systemd/install.sh" table
"$source/systemd/install.sh" director
mkdir -p /usr/share/stichwart/configuration /usr/share/stichwart/data/program/upper \
    /usr/share/stichwart/data/program/work
mv "/etc/stichwart/$role.toml" /usr/share/stichwart/configuration/
rm -rf /etc/stichwart /var/lib/stichwart "$source" /root/.cache
mkdir -p /etc/stichwart /var/lib/stichwart /data /boot/firmware
: >/usr/share/stichwart/data/machine-id

# Nobody's own yet: keys and ids are made at the first start.
rm -f /etc/ssh/ssh_host_*_key* /var/lib/dbus/machine-id /var/lib/systemd/random-seed
: >/etc/machine-id
passwd --quiet --lock root

systemctl --quiet enable stichwart-data.service NetworkManager.service systemd-timesyncd.service avahi-daemon.service ssh.service
# No log-in on any screen or line, no updates by themselves, nothing that a table never needs.
systemctl --quiet mask getty@.service serial-getty@.service autovt@.service getty-static.service console-getty.service \
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer \
    man-db.timer systemd-firstboot.service NetworkManager-wait-online.service systemd-pcrmachine.service \
    console-setup.service sshd-keygen.service systemd-machine-id-commit.service
systemctl --quiet set-default multi-user.target
