# SPDX-License-Identifier: BSD-3-Clause
dist_conf_DATA += conf/lud.ini conf/quick.ini
