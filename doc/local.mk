# SPDX-License-Identifier: BSD-3-Clause
# Manual pages, one a command, and the guides.
dist_man_MANS += \
	doc/clopt.1
dist_doc_DATA += \
	doc/guide.md
