#!/bin/sh
# Makes an appliance of a Debian root, inside it (chroot). The program's source lies in /usr/src/stichwart.
# usage: customize.sh ROLE IMAGE VERSION, e.g. customize.sh table stichwart-amd64 0.1.0+ab12cd3
set -eu

role=$1 image=$2 version=$3
source=/usr/src/stichwart

printf 'de_DE.UTF-8 UTF-8\n' >/etc/locale.gen
locale-gen >/dev/null
printf 'LANG=de_DE.UTF-8\n' >/etc/locale.conf
ln -sfn /usr/share/zoneinfo/Europe/Berlin /etc/localtime
printf 'stichwart\n' >/etc/hostname
printf '127.0.0.1 localhost\n127.0.1.1 stichwart\n::1 localhost\n' >/etc/hosts
printf 'IMAGE_ID=%s\nIMAGE_VERSION=%s\n' "$image" "$version" >>/usr/lib/os-release

# pip in here: its downloads are kept by the recipe, and a network's own authority counts.
export PIP_CACHE_DIR=/root/.cache/pip PIP_ROOT_USER_ACTION=ignore
if [ -e /tmp/pip-authorities.pem ]; then export PIP_CERT=/tmp/pip-authorities.pem; fi

# Both roles, by the usual installer; which one it is, its configuration says (usr/lib/stichwart/prepare-data).
"$source/systemd/install.sh" table
"$source/systemd/install.sh" director
mkdir -p /usr/share/stichwart/configuration /usr/share/stichwart/data/program/upper \
    /usr/share/stichwart/data/program/work
mv "/etc/stichwart/$role.toml" /usr/share/stichwart/configuration/
rm -rf /etc/stichwart /var/lib/stichwart "$source"
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

kernel=$(basename "$(ls -d /usr/lib/modules/*)")
depmod "$kernel"
dracut --force --quiet --kver "$kernel" "/boot/initrd.img-$kernel"
# For the firmware partition: see kiosk/image/firmware.py. Debian's kernels up to 6 have all in /boot and a folder of their
# own, the later ones of the backports beside their modules.
if [ ! -e "/boot/vmlinuz-$kernel" ]; then cp "/usr/lib/modules/$kernel/vmlinuz" "/boot/vmlinuz-$kernel"; fi
for file in /usr/lib/systemd/boot/efi/systemd-boot*.efi "/usr/lib/linux-image-$kernel"/broadcom/bcm27*.dtb \
    "/usr/lib/modules/$kernel"/dtb/broadcom/bcm27*.dtb; do
    if [ -e "$file" ]; then cp "$file" /boot/; fi
done
if [ -d /usr/lib/raspi-firmware ]; then
    mkdir /boot/raspi-firmware
    cp /usr/lib/raspi-firmware/*.elf /usr/lib/raspi-firmware/*.dat /boot/raspi-firmware/
fi
# What is in it: of which day the archives were, which packages.
sed -n 's/^\(Suite\|Codename\|Date\): /\1 /p' /var/lib/apt/lists/*InRelease >/boot/archive.txt
dpkg-query -W -f '${Package} ${Version} ${Architecture}\n' >/boot/packages.txt
sed -n 's/^\([A-Za-z0-9._-]*==[^ ]*\).*/\1/p' /opt/stichwart/current/requirements.lock >>/boot/packages.txt

rm -f /tmp/pip-authorities.pem
rm -rf /var/cache/* /var/log/* /var/lib/apt/lists/* /var/tmp/* /usr/share/doc-base /usr/share/info
mkdir -p /var/log/journal && rmdir /var/log/journal
