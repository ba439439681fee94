-- SPDX-License-Identifier: BSD-3-Clause
-- The tables of a store; doc/store.md explains them.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    config TEXT NOT NULL,
    seed TEXT NOT NULL,
    version TEXT NOT NULL,
    not_chosen INTEGER NOT NULL,
    not_feasible INTEGER NOT NULL,
    not_reached INTEGER NOT NULL DEFAULT 0,
    started REAL NOT NULL,
    ended REAL,
    status TEXT);

CREATE TABLE device (
    id INTEGER PRIMARY KEY,
    label TEXT NOT NULL,
    platform TEXT NOT NULL,
    name TEXT NOT NULL,
    vendor TEXT NOT NULL,
    type TEXT NOT NULL,
    opencl_version TEXT NOT NULL,
    driver_version TEXT NOT NULL,
    platform_version TEXT NOT NULL,
    compute_units INTEGER NOT NULL,
    clock_mhz INTEGER NOT NULL,
    max_work_group_size INTEGER NOT NULL,
    local_memory_bytes INTEGER NOT NULL,
    global_memory_bytes INTEGER NOT NULL,
    UNIQUE (label, platform, name, vendor, type, opencl_version, driver_version,
    platform_version, compute_units));

CREATE TABLE peak (
    device INTEGER PRIMARY KEY REFERENCES device (id),
    gbytes_per_s REAL,
    single_goperations_per_s REAL,
    double_goperations_per_s REAL,
    integer_goperations_per_s REAL);

CREATE TABLE problem (
    id INTEGER PRIMARY KEY,
    app TEXT NOT NULL,
    label TEXT NOT NULL,
    inputs TEXT NOT NULL,
    UNIQUE (app, label, inputs));

CREATE TABLE run_device (
    run INTEGER NOT NULL REFERENCES run (id),
    device INTEGER NOT NULL REFERENCES device (id),
    position INTEGER NOT NULL,
    PRIMARY KEY (run, device)) WITHOUT ROWID;

CREATE TABLE run_problem (
    run INTEGER NOT NULL REFERENCES run (id),
    problem INTEGER NOT NULL REFERENCES problem (id),
    position INTEGER NOT NULL,
    PRIMARY KEY (run, problem)) WITHOUT ROWID;

CREATE TABLE trial (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    device INTEGER NOT NULL REFERENCES device (id),
    problem INTEGER NOT NULL REFERENCES problem (id),
    outcome TEXT NOT NULL,
    abandoned INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    verified INTEGER NOT NULL,
    verify_error REAL,
    verify_bound REAL,
    verify_text TEXT,
    fingerprint TEXT,
    stage TEXT,
    reason TEXT,
    signal INTEGER NOT NULL,
    build_ns INTEGER NOT NULL,
    build_kept INTEGER NOT NULL,
    deferred_ns INTEGER NOT NULL,
    lines_changed INTEGER NOT NULL,
    options TEXT,
    source TEXT,
    log TEXT,
    least_ns REAL NOT NULL);

CREATE TABLE variant (
    id INTEGER PRIMARY KEY,
    device INTEGER NOT NULL REFERENCES device (id),
    problem INTEGER NOT NULL REFERENCES problem (id),
    kernel TEXT NOT NULL,
    name TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    trial INTEGER REFERENCES trial (id),
    reason TEXT,
    description TEXT);
CREATE INDEX variant_name ON variant (name, kernel, problem, device);
CREATE INDEX variant_trial ON variant (trial);

CREATE TABLE run_variant (
    run INTEGER NOT NULL REFERENCES run (id),
    variant INTEGER NOT NULL REFERENCES variant (id),
    PRIMARY KEY (run, variant)) WITHOUT ROWID;

CREATE INDEX trial_fingerprint ON trial (fingerprint);

CREATE TABLE process (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER REFERENCES run (id),
    load REAL);

CREATE TABLE kernel (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE);

CREATE TABLE sample (
    trial INTEGER NOT NULL REFERENCES trial (id),
    kernel INTEGER NOT NULL REFERENCES kernel (id),
    position INTEGER NOT NULL,
    process INTEGER NOT NULL,
    time_ns REAL NOT NULL,
    PRIMARY KEY (trial, kernel, position)) WITHOUT ROWID;

CREATE TABLE work (
    problem INTEGER NOT NULL REFERENCES problem (id),
    kernel TEXT NOT NULL,
    arithmetic TEXT NOT NULL,
    operations REAL NOT NULL,
    bytes REAL NOT NULL,
    PRIMARY KEY (problem, kernel)) WITHOUT ROWID;

CREATE TABLE pattern (
    problem INTEGER NOT NULL REFERENCES problem (id),
    kernel TEXT NOT NULL,
    patterns TEXT NOT NULL,
    PRIMARY KEY (problem, kernel)) WITHOUT ROWID;

CREATE TABLE published (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (id),
    source TEXT NOT NULL,
    figure TEXT NOT NULL,
    app TEXT NOT NULL,
    kernel TEXT NOT NULL,
    problem TEXT NOT NULL,
    variant TEXT NOT NULL,
    device TEXT NOT NULL,
    time_s REAL,
    outcome TEXT NOT NULL);
CREATE INDEX published_run ON published (run);

CREATE TABLE noise (
    run INTEGER NOT NULL REFERENCES run (id),
    device INTEGER NOT NULL REFERENCES device (id),
    problem INTEGER NOT NULL REFERENCES problem (id),
    kernel TEXT NOT NULL,
    noise REAL,
    drift REAL,
    PRIMARY KEY (run, device, problem, kernel)) WITHOUT ROWID;

CREATE TABLE stage (
    run INTEGER NOT NULL REFERENCES run (id),
    stage TEXT NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (run, stage)) WITHOUT ROWID;

CREATE VIEW samples AS
    SELECT sample.trial, kernel.name AS kernel, sample.position, sample.process, sample.time_ns
    FROM sample JOIN kernel ON kernel.id = sample.kernel;

CREATE VIEW shown AS
    SELECT run_variant.run, variant.* FROM run_variant
    JOIN variant ON variant.id = run_variant.variant;

CREATE VIEW variants AS
    SELECT variant.run, device.label AS device, problem.app, problem.label AS problem,
    variant.kernel, variant.ordinal, variant.name, variant.trial,
    CASE WHEN trial.id IS NOT NULL THEN trial.outcome
    WHEN variant.reason IS NOT NULL THEN 'infeasible' ELSE 'pending' END AS outcome,
    coalesce(variant.reason, trial.reason) AS reason
    FROM shown AS variant JOIN device ON device.id = variant.device
    JOIN problem ON problem.id = variant.problem
    LEFT JOIN trial ON trial.id = variant.trial;

CREATE TABLE access (
    device INTEGER PRIMARY KEY REFERENCES device (id),
    rates TEXT NOT NULL);

CREATE TABLE lowest_peak (
    device INTEGER PRIMARY KEY REFERENCES device (id),
    gbytes_per_s REAL NOT NULL);

CREATE TABLE clock (
    process INTEGER PRIMARY KEY REFERENCES process (id),
    device INTEGER NOT NULL REFERENCES device (id),
    source TEXT NOT NULL,
    resolution_ns REAL NOT NULL,
    overhead_ns REAL NOT NULL,
    agreement REAL,
    reason TEXT);

CREATE TABLE counter (
    trial INTEGER NOT NULL REFERENCES trial (id),
    kernel TEXT NOT NULL,
    name TEXT NOT NULL,
    value REAL NOT NULL,
    unit TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (trial, kernel, name)) WITHOUT ROWID;

CREATE TABLE member (
    process INTEGER PRIMARY KEY REFERENCES process (id),
    member INTEGER NOT NULL);

CREATE TABLE host (
    process INTEGER PRIMARY KEY REFERENCES process (id),
    name TEXT NOT NULL);

CREATE TABLE profile (
    problem INTEGER NOT NULL REFERENCES problem (id),
    kernel TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    profile TEXT NOT NULL,
    PRIMARY KEY (problem, kernel, fingerprint)) WITHOUT ROWID;

CREATE TABLE activity (
    run INTEGER NOT NULL REFERENCES run (id),
    worker INTEGER NOT NULL,
    stage TEXT NOT NULL,
    began_s REAL NOT NULL,
    ended_s REAL NOT NULL);
CREATE INDEX activity_run ON activity (run);

CREATE TABLE worker (
    run INTEGER NOT NULL REFERENCES run (id),
    worker INTEGER NOT NULL,
    host TEXT NOT NULL,
    stage TEXT,
    PRIMARY KEY (run, worker)) WITHOUT ROWID;

CREATE TABLE progress (
    run INTEGER NOT NULL REFERENCES run (id),
    host TEXT NOT NULL,
    text TEXT,
    PRIMARY KEY (run, host)) WITHOUT ROWID;

CREATE TABLE tried (
    trial INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    at_s REAL NOT NULL);

CREATE TABLE shard (
    run INTEGER NOT NULL REFERENCES run (id),
    number INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run, number)) WITHOUT ROWID;

CREATE TABLE named (
    run INTEGER NOT NULL REFERENCES run (id),
    device INTEGER NOT NULL REFERENCES device (id),
    problem INTEGER NOT NULL REFERENCES problem (id),
    kernel TEXT NOT NULL,
    trial INTEGER NOT NULL, -- 0: none
    expected_regret REAL,
    regret REAL,
    ending TEXT NOT NULL,
    PRIMARY KEY (run, device, problem, kernel)) WITHOUT ROWID;

CREATE TABLE expected (
    run INTEGER NOT NULL REFERENCES run (id),
    device INTEGER NOT NULL REFERENCES device (id),
    deviation REAL NOT NULL,
    PRIMARY KEY (run, device)) WITHOUT ROWID;

CREATE TABLE provenance (
    device INTEGER NOT NULL REFERENCES device (id),
    problem INTEGER NOT NULL REFERENCES problem (id),
    kernel TEXT NOT NULL,
    store TEXT NOT NULL,
    PRIMARY KEY (device, problem, kernel)) WITHOUT ROWID;

CREATE TABLE waited (
    trial INTEGER NOT NULL REFERENCES trial (id),
    process INTEGER NOT NULL,
    share REAL NOT NULL,
    PRIMARY KEY (trial, process)) WITHOUT ROWID;
