-- SPDX-License-Identifier: BSD-3-Clause
-- What is asked of a store: each statement has its name before it, and a semicolon at the end of its last line.
-- The columns that a query gives have names. The build makes statements_sql.h of this file.

-- name: BEGIN
BEGIN IMMEDIATE;

-- name: COMMIT
COMMIT;

-- name: ROLLBACK
ROLLBACK;

-- name: PUT_RUN
INSERT INTO run (title, config, seed, version, not_chosen, not_feasible,
    started) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- name: END_RUN
UPDATE run SET ended = ?2, status = ?3, not_reached = ?4
    WHERE id = ?1;

-- name: GET_RUN
SELECT id, title, config, seed, version, started, ended, status, not_chosen, not_feasible,
    id = (SELECT max(id) FROM run) AS newest, not_reached,
    (SELECT count(*) FROM process WHERE process.run = run.id AND load > 0.1) AS disturbed
    FROM run WHERE ?1 IN (0, id) ORDER BY id DESC LIMIT 1;

-- name: GET_RUNS
SELECT id, title, config, seed, version, started, ended, status, not_chosen, not_feasible,
    id = (SELECT max(id) FROM run) AS newest, not_reached,
    (SELECT count(*) FROM process WHERE process.run = run.id AND load > 0.1) AS disturbed
    FROM run ORDER BY id;

-- number, count: the run does one shard of the study
-- name: PUT_SHARD
INSERT INTO shard (run, number, count) VALUES (?1, ?2, ?3);

-- name: GET_SHARDS
SELECT group_concat(number, ', ') || ' of ' || max(count) AS shards
    FROM (SELECT * FROM shard WHERE run = ?1 ORDER BY number)
    GROUP BY run HAVING count(*) < max(count);

-- name: PUT_DEVICE
INSERT OR IGNORE INTO device (label, platform, name, vendor, type, opencl_version,
    driver_version, platform_version, compute_units, clock_mhz, max_work_group_size,
    local_memory_bytes, global_memory_bytes)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13);

-- name: FIND_DEVICE
SELECT id FROM device WHERE label = ?1 AND platform = ?2 AND name = ?3 AND vendor = ?4
    AND type = ?5 AND opencl_version = ?6 AND driver_version = ?7 AND platform_version = ?8
    AND compute_units = ?9;

-- name: PUT_RUN_DEVICE
INSERT OR IGNORE INTO run_device (run, device, position)
    VALUES (?1, ?2, (SELECT count(*) FROM run_device WHERE run = ?1));

-- name: PUT_PROBLEM
INSERT OR IGNORE INTO problem (app, label, inputs) VALUES (?1, ?2, ?3);

-- name: FIND_PROBLEM
SELECT id FROM problem WHERE app = ?1 AND label = ?2 AND inputs = ?3;

-- name: PUT_RUN_PROBLEM
INSERT OR IGNORE INTO run_problem (run, problem, position)
    VALUES (?1, ?2, (SELECT count(*) FROM run_problem WHERE run = ?1));

-- name: FIND_TRIAL
SELECT *, id AS trial FROM trial WHERE key = ?1;

-- name: INSERT_TRIAL
INSERT INTO trial (id, key, device, problem, outcome, abandoned, complete, verified, verify_error,
    verify_bound, verify_text, fingerprint, stage, reason, signal, build_ns, deferred_ns,
    lines_changed, options, source, log, build_kept, least_ns)
    VALUES (NULL, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
    ?19, ?20, ?21, ?22, ?23);

-- name: UPDATE_TRIAL
UPDATE trial SET key = ?2, device = ?3, problem = ?4, outcome = ?5, abandoned = ?6,
    complete = ?7, verified = ?8, verify_error = ?9, verify_bound = ?10, verify_text = ?11,
    fingerprint = ?12, stage = ?13, reason = ?14, signal = ?15, build_ns = ?16,
    deferred_ns = ?17, lines_changed = ?18, options = ?19, source = ?20, log = ?21,
    build_kept = ?22, least_ns = ?23
    WHERE id = ?1;

-- name: RESET_TRIAL
UPDATE trial SET outcome = 'pending', abandoned = 0, complete = 0, verified = 0,
    verify_error = NULL, verify_bound = NULL, verify_text = NULL, stage = NULL,
    reason = NULL, signal = 0, build_ns = 0, build_kept = 0, deferred_ns = 0, source = NULL,
    log = NULL, least_ns = 0
    WHERE id = ?1;

-- name: FIND_DUPLICATE
SELECT id FROM trial WHERE device = ?1 AND problem = ?2 AND fingerprint = ?3
    AND complete AND (least_ns > 0 OR EXISTS (SELECT 1 FROM sample
    WHERE sample.trial = trial.id)) ORDER BY id LIMIT 1;

-- trial: its outcome is that of all trials that are the same program on the same device and
-- problem and have no samples of their own
-- name: SHARE_OUTCOME
UPDATE trial SET (outcome, abandoned, complete, verified, verify_error, verify_bound,
    verify_text, stage, reason, signal, source, least_ns) = (SELECT outcome, abandoned,
    complete, verified, verify_error, verify_bound, verify_text, stage, reason, signal, source,
    least_ns FROM trial WHERE id = ?1)
    WHERE id <> ?1 AND (device, problem, fingerprint) = (SELECT device, problem, fingerprint
    FROM trial WHERE id = ?1)
    AND NOT EXISTS (SELECT 1 FROM sample WHERE sample.trial = trial.id);

-- name: DELETE_SAMPLES
DELETE FROM sample WHERE trial = ?1;

-- name: PUT_VARIANT
INSERT INTO variant (device, problem, kernel, name, ordinal, trial, reason, description)
    SELECT ?1, ?2, ?3, ?4, ?5, nullif(?6, 0), ?7, ?8
    WHERE NOT EXISTS (SELECT 1 FROM variant
    WHERE device = ?1 AND problem = ?2 AND kernel = ?3 AND name = ?4 AND ordinal = ?5
    AND trial IS nullif(?6, 0) AND reason IS ?7 AND description IS ?8);

-- name: FIND_VARIANT
SELECT max(id) FROM variant
    WHERE device = ?1 AND problem = ?2 AND kernel = ?3 AND name = ?4 AND ordinal = ?5
    AND trial IS nullif(?6, 0) AND reason IS ?7 AND description IS ?8;

-- name: PUT_RUN_VARIANT
INSERT INTO run_variant (run, variant) SELECT ?1, ?2 WHERE NOT EXISTS
    (SELECT 1 FROM variant AS own JOIN variant AS other ON other.name = own.name
    AND other.kernel = own.kernel AND other.problem = own.problem
    AND other.device = own.device JOIN run_variant ON run_variant.run = ?1
    AND run_variant.variant = other.id WHERE own.id = ?2);

-- run, device, problem: the first steps alone of the run's variants become part of the run, where
-- an earlier run has measured them under the number of the variant
-- name: SHOW_PREFIXES
INSERT OR IGNORE INTO run_variant (run, variant) SELECT ?1, part.id FROM shown AS whole
    JOIN variant AS part ON part.ordinal = whole.ordinal AND part.device = whole.device
    AND part.problem = whole.problem AND part.kernel = whole.kernel
    AND substr(whole.name, 1, length(part.name) + 1) = part.name || '+'
    JOIN trial ON trial.id = part.trial AND trial.complete
    WHERE whole.run = ?1 AND whole.device = ?2 AND whole.problem = ?3 AND NOT EXISTS
    (SELECT 1 FROM shown AS other WHERE other.run = ?1 AND other.name = part.name
    AND other.kernel = part.kernel AND other.problem = ?3 AND other.device = ?2);

-- run, device, problem, the first number of what is no variant: of how many there are samples
-- name: COUNT_TIMED
SELECT count(DISTINCT trial) AS count, count(DISTINCT CASE WHEN trial IN
    (SELECT trial FROM sample) THEN trial END) AS timed FROM shown WHERE run = ?1
    AND device = ?2 AND problem = ?3 AND name <> 'initial code' AND ordinal < ?4;

-- name: PUT_KERNEL
INSERT OR IGNORE INTO kernel (name) VALUES (?1);

-- name: FIND_KERNEL
SELECT id FROM kernel WHERE name = ?1;

-- name: LAST_POSITION
SELECT coalesce(max(position), -1) FROM sample WHERE trial = ?1 AND kernel = ?2;

-- name: PUT_SAMPLE
INSERT INTO sample (trial, kernel, position, process, time_ns)
    VALUES (?1, ?2, ?3, ?4, ?5);

-- name: GET_SAMPLES
SELECT time_ns, process FROM sample WHERE trial = ?1
    AND kernel = (SELECT id FROM kernel WHERE name = ?2) ORDER BY position;

-- name: PUT_PROCESS
INSERT INTO process (run) VALUES (nullif(?1, 0));

-- process, share of the processors that other programs used while it ran
-- name: PUT_LOAD
UPDATE process SET load = ?2 WHERE id = ?1;

-- problem, kernel, arithmetic or "", operations, bytes; 0: unknown
-- name: PUT_WORK
INSERT OR REPLACE INTO work (problem, kernel, arithmetic, operations, bytes)
    VALUES (?1, ?2, ?3, ?4, ?5);

-- name: GET_WORK
SELECT arithmetic, operations, bytes FROM work
    WHERE problem = ?1 AND kernel = ?2;

-- process, device, "events", "host" or "none", and what struct clopt_clock has
-- name: PUT_CLOCK
INSERT OR REPLACE INTO clock (process, device, source, resolution_ns, overhead_ns,
    agreement, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- name: GET_CLOCK
SELECT source, resolution_ns, overhead_ns, agreement, reason,
    max(abs(agreement - 1)) AS away FROM clock WHERE device = ?1
    GROUP BY source ORDER BY source = 'events' LIMIT 1;

-- device, JSON: how fast it accesses memory in each pattern
-- name: PUT_ACCESS
INSERT OR REPLACE INTO access (device, rates) VALUES (?1, ?2);

-- name: GET_ACCESS
SELECT rates FROM access WHERE device = ?1;

-- trial, kernel, name, value, unit ("bytes", "ns" or ""), source ("driver", "compiler",
-- "hardware", "clopt", or "oclgrind" with the problem)
-- name: PUT_COUNTER
INSERT OR REPLACE INTO counter (trial, kernel, name, value, unit, source)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6);

-- a trial, or one that is the same program and has counters; the first word of their source
-- name: HAS_COUNTERS
SELECT 1 FROM counter WHERE (source = ?2 OR source LIKE ?2 || ' %') AND trial IN (?1,
    (SELECT duplicate.id FROM trial AS own JOIN trial AS duplicate
    ON duplicate.fingerprint = own.fingerprint AND duplicate.device = own.device
    AND duplicate.problem = own.problem WHERE own.id = ?1
    AND EXISTS (SELECT 1 FROM counter WHERE counter.trial = duplicate.id) LIMIT 1)) LIMIT 1;

-- name: GET_COUNTERS
SELECT kernel, name, value, unit, source FROM counter WHERE trial =
    coalesce((SELECT trial FROM counter WHERE trial = ?1 LIMIT 1),
    (SELECT duplicate.id FROM trial AS own JOIN trial AS duplicate
    ON duplicate.fingerprint = own.fingerprint AND duplicate.device = own.device
    AND duplicate.problem = own.problem WHERE own.id = ?1
    AND EXISTS (SELECT 1 FROM counter WHERE counter.trial = duplicate.id) LIMIT 1));

-- name: PUT_PEAKS
INSERT OR REPLACE INTO peak (device, gbytes_per_s, single_goperations_per_s,
    double_goperations_per_s, integer_goperations_per_s) VALUES (?1, ?2, ?3, ?4, ?5);

-- name: GET_PEAKS
SELECT gbytes_per_s, single_goperations_per_s, double_goperations_per_s,
    integer_goperations_per_s FROM peak WHERE device = ?1;

-- name: PUT_LOWEST_PEAK
INSERT OR REPLACE INTO lowest_peak (device, gbytes_per_s) VALUES (?1, ?2);

-- name: GET_LOWEST_PEAK
SELECT gbytes_per_s FROM lowest_peak WHERE device = ?1;

-- problem, kernel, fingerprint, JSON
-- name: PUT_PROFILE
INSERT OR REPLACE INTO profile (problem, kernel, fingerprint, profile)
    VALUES (?1, ?2, ?3, ?4);

-- name: GET_PROFILE
SELECT profile FROM profile WHERE problem = ?1 AND kernel = ?2 AND fingerprint = ?3;

-- problem, kernel, JSON
-- name: PUT_PATTERNS
INSERT OR REPLACE INTO pattern (problem, kernel, patterns) VALUES (?1, ?2, ?3);

-- name: GET_PATTERNS
SELECT patterns FROM pattern WHERE problem = ?1 AND kernel = ?2;

-- run, source, figure, app, kernel, problem ("size=4096"), variant, device, seconds (NaN: none),
-- outcome
-- name: PUT_PUBLISHED
INSERT INTO published (run, source, figure, app, kernel, problem, variant, device, time_s,
    outcome) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10);

-- name: GET_PUBLISHED
SELECT source, figure, app, kernel, problem, variant, device,
    time_s, outcome FROM published WHERE run = ?1 ORDER BY id;

-- run, device, problem, kernel ("": the whole run of the app), how far from 1 the ratio of the
-- initial code to itself may be (0.02: 2%), and the drift of the initial code from the group's
-- start to its end (0.03: it became 3% slower); NaN where unknown
-- name: PUT_NOISE
INSERT OR REPLACE INTO noise (run, device, problem, kernel, noise,
    drift) VALUES (?1, ?2, ?3, ?4, ?5, ?6);

-- name: GET_NOISE
SELECT noise, drift FROM noise
    WHERE run = ?1 AND device = ?2 AND problem = ?3 AND kernel = ?4;

-- run, device, the standard deviation that processes are expected to change the logarithm of a
-- ratio by: the first one of a run stays
-- name: PUT_EXPECTED
INSERT OR IGNORE INTO expected (run, device, deviation) VALUES (?1, ?2, ?3);

-- name: GET_EXPECTED
SELECT deviation FROM expected WHERE run = ?1 AND device = ?2;

-- trial, process, which share of the median of its samples there threads waited for processors; of
-- those that are not there it is not known, or nearly nothing
-- name: PUT_WAITED
INSERT OR REPLACE INTO waited (trial, process, share) VALUES (?1, ?2, ?3);

-- name: GET_WAITED
SELECT process, share FROM waited WHERE trial = ?1 ORDER BY process;

-- name: DELETE_WAITED
DELETE FROM waited WHERE trial = ?1;

-- see struct clopt_store_named
-- name: PUT_NAMED
INSERT OR REPLACE INTO named VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- name: GET_NAMED
SELECT trial, expected_regret, regret, ending, run = ?1 AS own FROM named
    WHERE run <= ?1 AND device = ?2 AND problem = ?3 AND kernel = ?4
    ORDER BY run DESC LIMIT 1;

-- run, stage, seconds: where the time of its workers went, summed over all of them: start, open,
-- peaks, setup, make, build, launch, verify, sample, and "other" for the rest of the time that
-- requests took. And the run's own: "wall", the part of it in which no worker had a request,
-- "waiting", and the processor time of clopt itself, "supervisor". And the machine's: the time of
-- all its processors, "machine", and what programs other than clopt used of it, "others"; and
-- "preempted", what is not in samples since other programs had the processors.
-- name: PUT_STAGE
INSERT OR REPLACE INTO stage (run, stage, seconds) VALUES (?1, ?2, ?3);

-- name: GET_STAGES
SELECT stage, seconds FROM stage WHERE run = ?1 ORDER BY
    instr('start open peaks setup make build launch verify sample other wall waiting supervisor machine others',
    stage), stage;

-- run, worker, stage, when it began and ended, in seconds since the run began: a stage as above,
-- or "paused", or "end", in which it is ended and waited for. A worker that follows another one in
-- the same seat has its number.
-- name: PUT_ACTIVITY
INSERT INTO activity (run, worker, stage, began_s, ended_s)
    VALUES (?1, ?2, ?3, ?4, ?5);

-- name: GET_ACTIVITIES
SELECT worker, stage, began_s, ended_s FROM activity
    WHERE run = ?1 ORDER BY worker, began_s;

-- run, worker, host ("": this one), the stage that it is in (NULL: none)
-- name: PUT_WORKER
INSERT INTO worker (run, worker, host, stage) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT DO UPDATE SET stage = excluded.stage
    WHERE stage IS NOT excluded.stage;

-- on other hosts
-- name: GET_WORKERS
SELECT worker, host FROM worker WHERE run = ?1 AND host <> '' ORDER BY worker;

-- run, host, why that is away (NULL: it is not); of host "": what the run does now
-- name: PUT_PROGRESS
INSERT INTO progress (run, host, text) VALUES (?1, ?2, ?3)
    ON CONFLICT DO UPDATE SET text = excluded.text
    WHERE text IS NOT excluded.text;

-- trial, run: it is put in the store now, for the first time
-- name: PUT_TRIED
INSERT OR IGNORE INTO tried SELECT ?1, id,
    (julianday('now') - 2440587.5) * 86400 - started
    FROM run WHERE id = ?2;

-- trial, run: when, in seconds since the run began; another run: none
-- name: GET_TRIED
SELECT at_s FROM tried WHERE trial = ?1 AND run = ?2;

-- name: PUT_HOST
INSERT INTO host (process, name) VALUES (?1, ?2);

-- process, which member of its device it measures
-- name: PUT_MEMBER
INSERT INTO member (process, member) VALUES (?1, ?2);

-- name: GET_MEMBERS
WITH who AS (SELECT process.id AS process, coalesce(host.name, '') AS host, member
    FROM process LEFT JOIN host ON host.process = process.id
    LEFT JOIN member ON member.process = process.id),
    hosts AS (SELECT count(DISTINCT host) > 1 AS several FROM who)
    SELECT process, dense_rank() OVER (ORDER BY host, member) - 1 AS number,
    CASE WHEN NOT several THEN member WHEN member IS NULL THEN host
    ELSE host || ':' || member END AS name, several
    FROM who JOIN hosts WHERE several OR member IS NOT NULL ORDER BY process;

-- name: GET_DEVICES
SELECT device.* FROM run_device JOIN device ON device.id = run_device.device
    WHERE run = ?1 ORDER BY position, label;

-- of what `clopt report A.db B.db` has joined
-- name: GET_ORIGINS
SELECT device, problem, kernel, store FROM provenance ORDER BY device, store, kernel;

-- name: GET_PROBLEMS
SELECT id, app, label, inputs
    FROM run_problem JOIN problem ON problem.id = run_problem.problem
    WHERE run = ?1 ORDER BY position;

-- name: GET_VARIANTS
SELECT variant.kernel, variant.name, variant.device, variant.problem, variant.ordinal,
    variant.description, variant.reason AS refusal, trial.id AS trial, trial.outcome,
    trial.abandoned, trial.complete, trial.verified, trial.verify_error, trial.verify_bound,
    trial.verify_text, trial.fingerprint, trial.stage, trial.reason, trial.signal,
    trial.build_ns, trial.deferred_ns, trial.lines_changed, trial.key, trial.build_kept,
    trial.least_ns
    FROM shown AS variant LEFT JOIN trial ON trial.id = variant.trial
    LEFT JOIN run_problem ON run_problem.run = variant.run
    AND run_problem.problem = variant.problem
    WHERE variant.run = ?1 ORDER BY run_problem.position, variant.ordinal, variant.kernel,
    variant.name, variant.device;

-- name: FIND_VARIANTS
SELECT trial.id AS trial, trial.key, device.label AS device, device.platform,
    device.name AS device_name, problem.app, problem.label AS problem, variant.kernel,
    variant.name, variant.description, variant.reason, run.config FROM shown AS variant 
    JOIN run ON run.id = variant.run JOIN device ON device.id = variant.device JOIN problem ON problem.id = variant.problem
    LEFT JOIN trial ON trial.id = variant.trial
    WHERE (CAST(trial.id AS TEXT) = ?1 OR substr(trial.key, 1, length(?1)) = ?1
    OR (variant.name = ?1 AND variant.run = (SELECT max(run) FROM shown WHERE name = ?1)))
    AND variant.kernel = coalesce(?2, variant.kernel)
    AND device.label = coalesce(?3, device.label)
    AND problem.label = coalesce(?4, problem.label)
    ORDER BY CAST(trial.id AS TEXT) = ?1 DESC, variant.run DESC, variant.problem,
    variant.ordinal, variant.device, variant.kernel;

-- name: COUNT_KERNELS
SELECT count(DISTINCT kernel) AS kernels FROM sample JOIN kernel
    ON kernel.id = sample.kernel
    WHERE trial = ?1 AND name <> '';

-- name: COUNT_SAMPLES
SELECT count(*) AS samples, count(DISTINCT process) AS processes FROM sample
    JOIN kernel ON kernel.id = sample.kernel WHERE name = '' AND trial IN
    (SELECT trial FROM shown WHERE run = ?1);

-- name: COUNT_OUTCOMES
SELECT CASE WHEN trial.id IS NOT NULL THEN trial.outcome
    WHEN variant.reason IS NOT NULL THEN 'infeasible' ELSE 'pending' END
    AS outcome, count(*) AS count, coalesce(sum(trial.abandoned), 0) AS abandoned,
    coalesce(sum(trial.build_kept), 0) AS kept
    FROM shown AS variant LEFT JOIN trial ON trial.id = variant.trial
    WHERE variant.run = ?1 GROUP BY 1;

-- by host; that of host "" is of all together
-- name: GET_PROGRESS
WITH taken AS (SELECT DISTINCT coalesce(name, '') AS host, trial FROM process JOIN sample
    ON sample.process = process.id LEFT JOIN host ON host.process = process.id
    WHERE run = ?1),
    counted AS (SELECT host, count(*) AS count FROM taken WHERE host <> '' GROUP BY 1
    UNION ALL SELECT '', count(DISTINCT trial) FROM taken),
    busy AS (SELECT host, stage, count(*) AS count FROM worker
    WHERE run = ?1 AND stage IS NOT NULL GROUP BY 1, 2),
    doing AS (SELECT host, group_concat(count || ' ' || stage, ', ') AS stages FROM busy
    WHERE host <> '' GROUP BY 1 UNION ALL SELECT '', group_concat(count || ' ' || stage, ', ')
    FROM (SELECT stage, sum(count) AS count FROM busy GROUP BY 1))
    SELECT host, coalesce(count, 0) AS count, stages, text FROM
    (SELECT host FROM progress WHERE run = ?1 UNION SELECT host FROM counted)
    LEFT JOIN counted USING (host) LEFT JOIN doing USING (host)
    LEFT JOIN (SELECT host, text FROM progress WHERE run = ?1) USING (host) ORDER BY host;
