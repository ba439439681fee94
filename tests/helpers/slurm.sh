# SPDX-License-Identifier: BSD-3-Clause
# A Slurm of one node, this one, in $scratch, for what starts hosts by srun. To be sourced.
# shellcheck shell=bash disable=SC2154

# start_slurm: where it does not start, prints why and fails.
start_slurm()
{
    local program node port daemons=$scratch/daemons
    for program in slurmctld slurmd srun salloc scancel munged; do
        command -v $program >/dev/null || { echo "no $program" && return 1; }
    done
    node=$(hostname -s)
    port=$((20000 + $$ % 20000))
    mkdir -m 700 "$scratch"/{munge,state,spool}
    head -c 1024 /dev/urandom >"$scratch/munge/key"
    chmod 400 "$scratch/munge/key"
    cat >"$scratch/slurm.conf" <<CONFIG
ClusterName=clopt
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$scratch/munge/socket
CredType=cred/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
MpiDefault=none
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$node Default=YES State=UP
CONFIG
    export SLURM_CONF=$scratch/slurm.conf
    munged --force --num-threads=1 --key-file="$scratch/munge/key" --socket="$scratch/munge/socket" \
        --pid-file="$scratch/munge/pid" --log-file="$scratch/munge/log" --seed-file="$scratch/munge/seed" >"$daemons" 2>&1 &&
        slurmctld >>"$daemons" 2>&1 && slurmd >>"$daemons" 2>&1 ||
        { echo "Slurm does not start here: $(tail -n 2 "$daemons")" && return 1; }
    for _ in {1..100}; do
        [ "$(sinfo -h -o %t 2>/dev/null)" != idle ] || return 0
        sleep 0.1
    done
    echo "Slurm does not start here: $(tail -n 2 "$scratch/slurmctld.log" "$scratch/slurmd.log")"
    return 1
}

end_slurm()
{
    local file pid
    for file in slurmd.pid slurmctld.pid munge/pid; do
        pid=$(cat "$scratch/$file" 2>/dev/null) && kill "$pid" 2>/dev/null || continue
        for _ in {1..100}; do ! kill -0 "$pid" 2>/dev/null || sleep 0.1; done
    done
}

# cancel_step: ends a step, when there is one; prints which.
cancel_step()
{
    local step=
    for _ in {1..100}; do
        step=$(squeue -h -s -o %i | sed '/extern/d' | head -n 1)
        [ -z "$step" ] || break
        sleep 0.1
    done
    echo "$step"
    [ -z "$step" ] || scancel "$step"
}
