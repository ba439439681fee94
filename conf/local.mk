# SPDX-License-Identifier: BSD-3-Clause
dist_conf_DATA += conf/bfs.ini conf/crc.ini conf/lud.ini conf/quick.ini
dist_conf_DATA += conf/needle.ini
dist_conf_DATA += conf/srad.ini

# Kernels that are described by their studies.
kernelconfdir = $(confdir)/kernel
dist_kernelconf_DATA = conf/kernel/lud.ini

# One study a figure of the thesis, at its sizes.
thesisdir = $(confdir)/thesis
dist_thesis_DATA = \
	conf/thesis/figure-6.12.ini \
	conf/thesis/figure-6.15.ini \
	conf/thesis/figure-6.2.ini \
	conf/thesis/figure-6.20.ini \
	conf/thesis/figure-6.26.ini \
	conf/thesis/figure-6.29.ini \
	conf/thesis/figure-6.31.ini \
	conf/thesis/figure-6.33.ini \
	conf/thesis/figure-6.46.ini \
	conf/thesis/figure-6.48.ini \
	conf/thesis/figure-6.50.ini \
	conf/thesis/figure-6.52.ini \
	conf/thesis/figure-6.8.ini

# One study an app that looks for its best variants.
bestdir = $(confdir)/best
dist_best_DATA = \
	conf/best/bfs.ini \
	conf/best/common.inc \
	conf/best/crc.ini \
	conf/best/lud.ini \
	conf/best/needle.ini \
	conf/best/srad.ini
