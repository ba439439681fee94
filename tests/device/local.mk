# SPDX-License-Identifier: BSD-3-Clause
# Tests of what needs a device: exit code 77 where there is none. The longest come first, so that no core waits for one of them at the end.
test_scripts += \
	tests/device/cheats \
	tests/device/check \
	tests/device/tune \
	tests/device/members \
	tests/device/export \
	tests/device/coarsening \
	tests/device/loops \
	tests/device/kernel \
	tests/device/hostile \
	tests/device/resume \
	tests/device/apply \
	tests/device/memory \
	tests/device/sizes \
	tests/device/specialise \
	tests/device/srad \
	tests/device/init \
	tests/device/captured \
	tests/device/results \
	tests/device/initial_fails \
	tests/device/vector \
	tests/device/races \
	tests/device/layouts \
	tests/device/hostile_gpu \
	tests/device/crc \
	tests/device/hosts \
	tests/device/privatise \
	tests/device/programs \
	tests/device/exercises \
	tests/device/launched \
	tests/device/half \
	tests/device/dialect \
	tests/device/gate \
	tests/device/generic \
	tests/device/sub_groups \
	tests/device/hardware \
	tests/device/worker_kill \
	tests/device/wrong_cache \
	tests/device/needle \
	tests/device/combined \
	tests/device/rivals \
	tests/device/patterns \
	tests/device/given_up \
	tests/device/study \
	tests/device/kernel_files \
	tests/device/branches \
	tests/device/lud \
	tests/device/kernels \
	tests/device/rival \
	tests/device/srad_oclgrind \
	tests/device/energy \
	tests/device/meg \
	tests/device/alternatives \
	tests/device/judge \
	tests/device/references \
	tests/device/bfs \
	tests/device/counters \
	tests/device/threads \
	tests/device/timers \
	tests/device/findings \
	tests/device/idle \
	tests/device/certainty \
	tests/device/demands \
	tests/device/serial \
	tests/device/shards \
	tests/device/siblings \
	tests/device/peaks \
	tests/device/lud_oclgrind \
	tests/device/needle_oclgrind \
	tests/device/batch \
	tests/device/studies \
	tests/device/verify \
	tests/device/composition \
	tests/device/contents \
	tests/device/advise \
	tests/device/proposals \
	tests/device/builds \
	tests/device/cache \
	tests/device/ladder \
	tests/device/files \
	tests/device/outputs \
	tests/device/list \
	tests/device/live \
	tests/device/local_sizes \
	tests/device/listing \
	tests/device/notebook \
	tests/device/python \
	tests/device/quiet \
	tests/device/reproduce \
	tests/device/t1 \
	tests/device/division

check_PROGRAMS += tests/device/digest
TESTS += tests/device/digest
tests_device_digest_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
tests_device_digest_LDADD = $(core_libs)
