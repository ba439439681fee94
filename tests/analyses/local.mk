# SPDX-License-Identifier: BSD-3-Clause
# Tests of analyses.
test_scripts += \
	tests/analyses/added \
	tests/analyses/all \
	tests/analyses/guidelines \
	tests/analyses/sentences \
	tests/analyses/unmeasured

unit_tests += tests/analyses/guideline_rules
tests_analyses_guideline_rules_SOURCES = tests/analyses/guideline_rules.c plugins/analyses/guidelines/rule.c
