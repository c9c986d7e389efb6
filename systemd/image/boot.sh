#!/bin/sh
# Makes a root that has all but a kernel (customize.sh) one of a kind of machine, inside it (chroot), once its packages are there.
# usage: boot.sh IMAGE VERSION, e.g. boot.sh stichwart-amd64 0.1.0+ab12cd3
set -eu

image=$1 version=$2
printf 'IMAGE_ID=%s\nIMAGE_VERSION=%s\n' "$image" "$version" >>/usr/lib/os-release

kernel=$(basename "$(ls -d /usr/lib/modules/*)")
# As a rule the kernel's own script has done it.
if [ ! -e "/usr/lib/modules/$kernel/modules.dep" ]; then depmod "$kernel"; fi
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

rm -rf /var/cache/* /var/log/* /var/lib/apt/lists/* /var/tmp/* /usr/share/doc-base /usr/share/info
: >/etc/machine-id
mkdir -p /var/log/journal && rmdir /var/log/journal
