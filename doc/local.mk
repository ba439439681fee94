# SPDX-License-Identifier: BSD-3-Clause
# Manual pages, one a command, and the guides.
dist_man_MANS += \
	doc/clopt-advise.1 \
	doc/clopt-apply.1 \
	doc/clopt-devices.1 \
	doc/clopt-export.1 \
	doc/clopt-gate.1 \
	doc/clopt-init.1 \
	doc/clopt-kernel.5 \
	doc/clopt-judge.1 \
	doc/clopt-merge.1 \
	doc/clopt-new.1 \
	doc/clopt-plugins.1 \
	doc/clopt-profile.1 \
	doc/clopt-capture.1 \
	doc/clopt-check.1 \
	doc/clopt-compare.1 \
	doc/clopt-report.1 \
	doc/clopt-reproduce.1 \
	doc/clopt-run.1 \
	doc/clopt-serve.1 \
	doc/clopt-simulate.1 \
	doc/clopt-status.1 \
	doc/clopt-study.5 \
	doc/clopt-transform.1 \
	doc/clopt-tune.1 \
	doc/clopt.1
dist_doc_DATA += \
	LICENSE \
	NEWS \
	README.md \
	doc/agents.md \
	doc/course.md \
	doc/drivers.md \
	doc/guide.md \
	doc/internals.md \
	doc/plugin-howto.md \
	doc/clopt.ipynb \
	doc/python.md \
	doc/results.md \
	doc/store.md \
	doc/thesis.md \
	doc/tutorial.md \
	doc/vectorization.md \
	doc/works.md

# README.md shows it.
EXTRA_DIST += doc/matmul.svg doc/page.png
