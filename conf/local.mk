# SPDX-License-Identifier: BSD-3-Clause
dist_conf_DATA += conf/crc.ini conf/lud.ini conf/quick.ini
dist_conf_DATA += conf/needle.ini
