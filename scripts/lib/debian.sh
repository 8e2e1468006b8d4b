#!/bin/sh
# debian.sh NAME…: installs the first of these packages that Debian has, without starting its services. Does nothing elsewhere,
# and for other users than root.
set -eu
[ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] || exit 0
echo "Installing $1 for the tests (apt-get)…"
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\nexit 101\n' > $policy
  chmod 755 $policy
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
for name; do apt-get install -qq -y --no-install-recommends "$name" > /dev/null && exit; done
