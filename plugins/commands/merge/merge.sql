-- SPDX-License-Identifier: BSD-3-Clause
-- The statements that unite stores: `main` is the new one, `part` one of those that it is made of, whose path is in
-- the newest row of `temp.source`. Each ends with a semicolon at the end of a line; what is in braces is in merge.c.

-- kind: BEGIN
-- Make the tables that go with the connection. Devices and trials of hosts that stay apart are called after their host.
CREATE TEMP TABLE source (id INTEGER PRIMARY KEY, path TEXT NOT NULL, started REAL, status TEXT, suffix TEXT
    NOT NULL DEFAULT '', stem TEXT);
CREATE TEMP TABLE origin (trial INTEGER PRIMARY KEY, source INTEGER NOT NULL);
CREATE TEMP TABLE shard_origin (number INTEGER PRIMARY KEY, source INTEGER NOT NULL);
CREATE TEMP TABLE device_number (old INTEGER PRIMARY KEY, new INTEGER NOT NULL UNIQUE);
CREATE TEMP TABLE problem_number (old INTEGER PRIMARY KEY, new INTEGER NOT NULL UNIQUE);
CREATE TEMP TABLE kernel_number (old INTEGER PRIMARY KEY, new INTEGER NOT NULL UNIQUE);
CREATE TEMP TABLE trial_number (old INTEGER PRIMARY KEY, new INTEGER NOT NULL UNIQUE);
CREATE TEMP VIEW part_device AS SELECT id, label || {SUFFIX} AS label, {DEVICE_REST}, {DEVICE_MORE}
    FROM part.device;
CREATE TEMP VIEW part_trial AS SELECT id, key || {SUFFIX} AS key, device, problem, {RESULT} FROM part.trial;

-- kind: APART
-- Has the part's devices and trials named after its host, unless shards or it itself say where they are from; END
-- unnames them, if all parts are from one host.
UPDATE temp.source SET suffix = (SELECT '@' || min(name) || CASE count(DISTINCT name) WHEN 1 THEN '' ELSE '+'
    || (count(DISTINCT name) - 1) END FROM part.host) WHERE id = {SOURCE} AND EXISTS (SELECT 1 FROM part.host)
    AND NOT EXISTS (SELECT 1 FROM part.shard WHERE run = {NEWEST}) AND NOT EXISTS (SELECT 1 FROM
    part.run_device JOIN part.device ON id = device WHERE run = {NEWEST} AND instr(label, '@'));

-- kind: END
DELETE FROM main.named WHERE ending = '';
DELETE FROM main.shard WHERE (SELECT count(*) = max(count) FROM main.shard);
UPDATE main.device SET label = substr(label, 1, length(label) - length((SELECT min(suffix) FROM temp.source)))
    WHERE (SELECT count(DISTINCT suffix) FROM temp.source) = 1;
UPDATE main.trial SET key = substr(key, 1, length(key) - length((SELECT min(suffix) FROM temp.source)))
    WHERE (SELECT count(DISTINCT suffix) FROM temp.source) = 1;

-- kind: CHECKS
-- Each returns a row, why the part is no store that can be merged, or none.
SELECT 'is damaged (' || quick_check || '): run the study again with another store (-o)'
    FROM pragma_quick_check(NULL, 'part') WHERE quick_check <> 'ok';
SELECT 'is damaged: a row of ' || "table" || ' refers to a row of ' || parent ||
    ' that is not there; run the study again with another store (-o)'
    FROM pragma_foreign_key_check(NULL, 'part');
SELECT 'holds no run: nothing was measured' WHERE NOT EXISTS (SELECT 1 FROM part.run);

-- kind: MATCHES
-- Each returns a row, why the part does not belong to those before, or none: shards of one division, each once, or
-- whole studies; of equal devices.
SELECT 'is of a study that searches: what one part of a search tries follows from all of it'
    FROM part.run WHERE id = {NEWEST} AND instr(config, char(10) || '[search]');
SELECT 'holds shard ' || theirs.number || ' of ' || theirs.count || ', ' || path || ' one of ' || ours.count
    || ': shards of one division are needed' FROM part.shard AS theirs JOIN main.shard AS ours ON ours.count
    <> theirs.count JOIN temp.shard_origin AS origin ON origin.number = ours.number JOIN temp.source ON
    source.id = origin.source WHERE theirs.run = {NEWEST};
SELECT 'holds shard ' || theirs.number || ' of ' || theirs.count || ', and so does ' || path
    FROM part.shard AS theirs JOIN temp.shard_origin AS origin USING (number) JOIN temp.source ON source.id =
    origin.source WHERE theirs.run = {NEWEST};
SELECT CASE WHEN (SELECT count(*) FROM main.shard) THEN 'holds the whole study, ' || path || ' shards of it'
    ELSE 'holds shards of the study, ' || path || ' all of it' END || ': nothing is measured twice'
    FROM temp.source WHERE source.id = 1 AND (SELECT count(*) FROM main.run) AND (SELECT count(*) > 0 FROM
    main.shard) <> (SELECT count(*) > 0 FROM part.shard WHERE run = {NEWEST});
SELECT 'holds the same run as ' || path FROM temp.source JOIN part.run USING (started)
    WHERE source.id < (SELECT max(id) FROM temp.source) AND NOT EXISTS (SELECT 1 FROM part.shard);
SELECT '[device ' || theirs.label || '] is ' || theirs.platform || ', ' || theirs.name || ', driver ' ||
    theirs.driver_version || ', in ' || path || ' ' || ours.platform || ', ' || ours.name || ', driver ' ||
    ours.driver_version || CASE WHEN ours.platform || ', ' || ours.name || ', driver ' || ours.driver_version
    = theirs.platform || ', ' || theirs.name || ', driver ' || theirs.driver_version THEN
    ', of another version' ELSE '' END ||
    ': shards are to be measured on equal devices; without --shard, on each of them, they become columns of their own, by host'
    FROM temp.part_device AS theirs JOIN main.device AS ours USING (label) JOIN temp.source ON source.id = 1
    WHERE theirs.id IN (SELECT device FROM part.run_device WHERE run = {NEWEST}) AND NOT EXISTS (SELECT
    {DEVICE} FROM main.device INTERSECT SELECT {DEVICE} FROM temp.part_device WHERE id = theirs.id);

-- kind: TAKE
-- Take all rows of the part.
INSERT OR IGNORE INTO main.run SELECT 1, title, config, seed, version, not_chosen, not_feasible, 0, started,
    ended, status FROM part.run WHERE id = {NEWEST};
UPDATE main.run SET not_reached = run.not_reached + theirs.not_reached, started = min(run.started,
    theirs.started), ended = max(run.ended, theirs.ended), status = CASE run.status WHEN 'ok' THEN
    theirs.status ELSE run.status END FROM part.run AS theirs
    WHERE theirs.id = {NEWEST};
UPDATE temp.source SET (started, status) = (SELECT started, status FROM part.run WHERE id = {NEWEST})
    WHERE id = {SOURCE};
INSERT INTO main.shard SELECT 1, number, count FROM part.shard WHERE run = {NEWEST};
INSERT INTO temp.shard_origin SELECT number, {SOURCE} FROM part.shard WHERE run = {NEWEST};
INSERT OR IGNORE INTO main.published SELECT id, 1, source, figure, app, kernel, problem, variant, device,
    time_s, outcome FROM part.published WHERE run = {NEWEST} AND NOT EXISTS (SELECT 1 FROM main.trial);
-- Devices and problems of the run, and what is known of them.
INSERT OR IGNORE INTO main.device ({DEVICE}, {DEVICE_MORE}) SELECT {DEVICE}, {DEVICE_MORE}
    FROM part.run_device AS theirs JOIN temp.part_device ON id = theirs.device
    WHERE run = {NEWEST} ORDER BY position;
INSERT OR IGNORE INTO main.problem (app, label, inputs) SELECT app, label, inputs
    FROM part.run_problem AS theirs JOIN part.problem ON id = theirs.problem
    WHERE run = {NEWEST} ORDER BY position;
DELETE FROM temp.device_number;
INSERT INTO temp.device_number SELECT theirs.id, ours.id FROM temp.part_device AS theirs JOIN main.device AS
    ours USING ({DEVICE});
DELETE FROM temp.problem_number;
INSERT INTO temp.problem_number SELECT theirs.id, ours.id FROM part.problem AS theirs JOIN main.problem AS
    ours USING (app, label, inputs);
INSERT OR IGNORE INTO main.run_device SELECT 1, device.new, position
    FROM part.run_device AS theirs JOIN temp.device_number AS device ON device.old = theirs.device
    WHERE run = {NEWEST};
INSERT OR IGNORE INTO main.run_problem SELECT 1, problem.new, position
    FROM part.run_problem AS theirs JOIN temp.problem_number AS problem ON problem.old = theirs.problem
    WHERE run = {NEWEST};
INSERT OR IGNORE INTO main.peak SELECT device.new, gbytes_per_s, single_goperations_per_s,
    double_goperations_per_s, integer_goperations_per_s FROM part.peak AS theirs JOIN temp.device_number AS
    device ON device.old = theirs.device;
INSERT OR IGNORE INTO main.lowest_peak SELECT device.new, gbytes_per_s
    FROM part.lowest_peak AS theirs JOIN temp.device_number AS device ON device.old = theirs.device;
INSERT OR IGNORE INTO main.access SELECT device.new, rates FROM part.access AS theirs JOIN temp.device_number
    AS device ON device.old = theirs.device;
INSERT OR IGNORE INTO main.work SELECT problem.new, kernel, arithmetic, operations, bytes
    FROM part.work AS theirs JOIN temp.problem_number AS problem ON problem.old = theirs.problem;
INSERT OR IGNORE INTO main.pattern SELECT problem.new, kernel, patterns
    FROM part.pattern AS theirs JOIN temp.problem_number AS problem ON problem.old = theirs.problem;
INSERT OR IGNORE INTO main.profile SELECT problem.new, kernel, fingerprint, profile
    FROM part.profile AS theirs JOIN temp.problem_number AS problem ON problem.old = theirs.problem;
-- Trials: what one part has finished another one may have left.
INSERT INTO main.trial (key, device, problem, {RESULT}) SELECT key, device.new, problem.new, {RESULT}
    FROM temp.part_trial AS theirs JOIN temp.device_number AS device ON device.old = theirs.device JOIN
    temp.problem_number AS problem ON problem.old = theirs.problem
    WHERE key NOT IN (SELECT key FROM main.trial) ORDER BY theirs.id;
DELETE FROM temp.trial_number;
INSERT INTO temp.trial_number SELECT theirs.id, ours.id FROM temp.part_trial AS theirs JOIN main.trial AS ours
    USING (key);
UPDATE main.trial SET ({RESULT}) = (SELECT {RESULT} FROM temp.trial_number JOIN part.trial AS theirs ON
    theirs.id = old WHERE new = trial.id) WHERE outcome = 'pending' AND id IN (SELECT new FROM
    temp.trial_number);
UPDATE main.trial SET abandoned = 0 WHERE abandoned AND outcome = 'ok' AND EXISTS (SELECT 1 FROM
    temp.trial_number JOIN part.trial AS theirs ON theirs.id = old WHERE new = trial.id AND theirs.outcome =
    'ok' AND NOT theirs.abandoned);
INSERT OR IGNORE INTO temp.origin SELECT new, {SOURCE} FROM temp.trial_number JOIN main.trial ON id = new
    WHERE outcome <> 'pending';
-- Samples follow those that are there; processes have numbers of their own.
INSERT OR IGNORE INTO main.kernel (name) SELECT name FROM part.kernel;
DELETE FROM temp.kernel_number;
INSERT INTO temp.kernel_number SELECT theirs.id, ours.id FROM part.kernel AS theirs JOIN main.kernel AS ours
    USING (name);
INSERT INTO main.sample SELECT trial.new, kernel.new, theirs.position + coalesce((SELECT max(position) + 1
    FROM main.sample AS ours WHERE ours.trial = trial.new AND ours.kernel = kernel.new), 0), theirs.process +
    (SELECT coalesce(max(id), 0) FROM main.process), theirs.time_ns
    FROM part.sample AS theirs JOIN temp.trial_number AS trial ON trial.old = theirs.trial JOIN
    temp.kernel_number AS kernel ON kernel.old = theirs.kernel;
INSERT INTO main.process SELECT theirs.id + (SELECT coalesce(max(id), 0) FROM main.process), 1, load
    FROM part.process AS theirs;
INSERT INTO main.member SELECT theirs.process + (SELECT max(id) FROM main.process) - (SELECT max(id) FROM
    part.process), member FROM part.member AS theirs;
INSERT INTO main.waited SELECT trial.new, theirs.process + (SELECT max(id) FROM main.process) - (SELECT
    max(id) FROM part.process), share FROM part.waited AS theirs JOIN temp.trial_number AS trial ON trial.old
    = theirs.trial;
INSERT INTO main.clock SELECT theirs.process + (SELECT max(id) FROM main.process) - (SELECT max(id) FROM
    part.process), device.new, source, resolution_ns, overhead_ns, agreement, reason
    FROM part.clock AS theirs JOIN temp.device_number AS device ON device.old = theirs.device;
INSERT INTO main.host SELECT theirs.process + (SELECT max(id) FROM main.process) - (SELECT max(id) FROM
    part.process), name FROM part.host AS theirs;
INSERT OR IGNORE INTO main.counter SELECT trial.new, kernel, name, value, unit, source
    FROM part.counter AS theirs JOIN temp.trial_number AS trial ON trial.old = theirs.trial;
INSERT INTO main.variant (device, problem, kernel, name, ordinal, trial, reason, description)
    SELECT device.new, problem.new, kernel, name, ordinal, trial.new, reason, description
    FROM part.run_variant JOIN part.variant AS theirs ON theirs.id = run_variant.variant JOIN
    temp.device_number AS device ON device.old = theirs.device JOIN temp.problem_number AS problem ON
    problem.old = theirs.problem LEFT JOIN temp.trial_number AS trial ON trial.old = theirs.trial
    WHERE run = {NEWEST} AND NOT EXISTS (SELECT 1 FROM main.variant AS ours WHERE ours.name = theirs.name AND
    ours.kernel = theirs.kernel AND ours.problem = problem.new AND ours.device = device.new)
    ORDER BY theirs.id;
INSERT OR IGNORE INTO main.run_variant SELECT 1, id FROM main.variant;
-- The worst noise is that of all; times add up.
INSERT INTO main.noise SELECT 1, device.new, problem.new, kernel, noise, drift
    FROM part.noise AS theirs JOIN temp.device_number AS device ON device.old = theirs.device JOIN
    temp.problem_number AS problem ON problem.old = theirs.problem
    WHERE run = {NEWEST} ON CONFLICT DO UPDATE SET noise = coalesce(max(noise, excluded.noise), noise,
    excluded.noise), drift = CASE WHEN abs(excluded.drift) > coalesce(abs(drift), 0) THEN excluded.drift ELSE
    drift END;
INSERT INTO main.expected SELECT 1, device.new, deviation FROM part.expected AS theirs JOIN temp.device_number
    AS device ON device.old = theirs.device WHERE run = {NEWEST} ON CONFLICT DO UPDATE SET deviation =
    max(deviation, excluded.deviation);
-- What a whole study has named, unless another one names something for the same device: neither knew what the other
-- has measured. A shard knows a part of the variants.
INSERT INTO main.named SELECT 1, device.new, problem.new, kernel, coalesce(trial.new, 0), expected_regret,
    regret, ending FROM part.named AS theirs JOIN temp.device_number AS device ON device.old = theirs.device
    JOIN temp.problem_number AS problem ON problem.old = theirs.problem LEFT JOIN temp.trial_number AS trial
    ON trial.old = theirs.trial WHERE run = {NEWEST} AND NOT EXISTS (SELECT 1 FROM part.shard WHERE run =
    {NEWEST}) ON CONFLICT DO UPDATE SET ending = '';
INSERT INTO main.stage SELECT 1, stage, seconds FROM part.stage
    WHERE run = {NEWEST} ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds;
INSERT INTO main.worker SELECT 1, theirs.worker + (SELECT coalesce(max(worker) + 1, 0) FROM main.activity),
    host, NULL FROM part.worker AS theirs WHERE run = {NEWEST};
INSERT INTO main.activity SELECT 1, theirs.worker + (SELECT coalesce(max(worker) + 1, 0) FROM main.activity),
    stage, began_s, ended_s FROM part.activity AS theirs WHERE run = {NEWEST};
INSERT OR IGNORE INTO main.tried SELECT trial.new, 1, at_s FROM part.tried AS theirs JOIN temp.trial_number AS
    trial ON trial.old = theirs.trial WHERE run = {NEWEST};

-- kind: CONFLICTS
-- Returns a row for each trial that ended otherwise in another part.
SELECT coalesce(variant.kernel || ' ' || variant.name, 'a check of the initial code') || ' (' || problem.app
    || CASE problem.label WHEN '' THEN '' ELSE ' ' || problem.label END || ', ' || device.label || ') is ' ||
    theirs.outcome || ' in ' || (SELECT path FROM temp.source ORDER BY id DESC LIMIT 1) || ', and ' ||
    ours.outcome || ' in ' || source.path FROM temp.trial_number JOIN part.trial AS theirs ON theirs.id = old
    JOIN main.trial AS ours ON ours.id = new JOIN temp.origin ON origin.trial = ours.id JOIN temp.source ON
    source.id = origin.source LEFT JOIN main.variant ON variant.trial = ours.id JOIN main.device ON device.id
    = ours.device JOIN main.problem ON problem.id = ours.problem
    WHERE theirs.outcome <> 'pending' AND theirs.outcome <> ours.outcome
    GROUP BY ours.id UNION ALL SELECT theirs.kernel || ' ' || theirs.name || ' (' || problem.app || CASE
    problem.label WHEN '' THEN '' ELSE ' ' || problem.label END || ', ' || device.label ||
    ') is another program in ' || (SELECT path FROM temp.source ORDER BY id DESC LIMIT 1) ||
    ' than before: the kernel, clopt or a limit of the device differs'
    FROM part.run_variant JOIN part.variant AS theirs ON theirs.id = run_variant.variant JOIN
    temp.device_number AS d ON d.old = theirs.device JOIN temp.problem_number AS p ON p.old = theirs.problem
    JOIN main.variant AS ours ON ours.name = theirs.name AND ours.kernel = theirs.kernel AND ours.problem =
    p.new AND ours.device = d.new LEFT JOIN temp.trial_number AS t ON t.old = theirs.trial JOIN main.device ON
    device.id = d.new JOIN main.problem ON problem.id = p.new
    WHERE run = {NEWEST} AND (ours.trial IS NOT t.new OR ours.reason IS NOT theirs.reason);

-- kind: GAPS
-- Each returns what is still missing of the whole, or no row.
WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < (SELECT max(count) FROM
    main.shard)) SELECT CASE count(*) WHEN 1 THEN 'shard ' ELSE 'shards ' END || group_concat(n, ', ') ||
    ' of ' || (SELECT max(count) FROM main.shard) || CASE count(*) WHEN 1 THEN ' is' ELSE ' are' END ||
    ' missing: what they would have measured is not in it' FROM number
    WHERE EXISTS (SELECT 1 FROM main.shard) AND n NOT IN (SELECT number FROM main.shard) HAVING count(*) > 0;
SELECT path || ' has not ended (' || coalesce(status, 'killed') || '): go on with it, and merge again'
    FROM temp.source WHERE status IS NOT 'ok';
SELECT 'devices of several hosts stay apart: ' || group_concat(label, ', ') ||
    '; --pool takes equal ones as one' FROM (SELECT label FROM main.device ORDER BY label)
    WHERE (SELECT count(DISTINCT suffix) FROM temp.source) > 1 HAVING count(*) > 0;

-- kind: JOIN
-- Make a part of any study, under its name in `temp.source.stem`, one that can be taken. All its runs become its newest:
-- of each kernel those that have measured the same initial code as the newest that shows it, of a variant the newest
-- with a time. Devices that are in the store with the same kernel already, or are others of the same name, are called
-- after the part.
PRAGMA defer_foreign_keys = ON;
INSERT OR IGNORE INTO part.run_device SELECT {NEWEST}, theirs.device, position
    FROM part.run_device AS theirs JOIN part.device ON device.id = theirs.device
    WHERE label NOT IN (SELECT label FROM part.run_device AS newer JOIN part.device ON device.id =
    newer.device WHERE newer.run > theirs.run) ORDER BY run DESC;
INSERT OR IGNORE INTO part.run_problem SELECT {NEWEST}, problem, position
    FROM part.run_problem ORDER BY run DESC;
CREATE TEMP TABLE chosen AS WITH initial AS (SELECT * FROM {ROWS} WHERE name = 'initial code'), newest AS
    (SELECT device, problem, kernel, trial, max(run) FROM initial GROUP BY 1, 2, 3)
    SELECT theirs.id, max(run + CASE outcome WHEN 'ok' THEN 1e9 ELSE 0 END)
    FROM {ROWS} AS theirs LEFT JOIN part.trial ON trial.id = theirs.trial
    WHERE theirs.device IN (SELECT device FROM part.run_device WHERE run = {NEWEST}) AND (theirs.kernel = ''
    OR EXISTS (SELECT 1 FROM initial JOIN newest USING (device, problem, kernel) WHERE initial.trial IS
    newest.trial AND initial.run = theirs.run AND device = theirs.device AND problem = theirs.problem AND
    kernel = theirs.kernel)) GROUP BY theirs.device, theirs.problem, kernel, name;
DELETE FROM part.run_variant;
INSERT INTO part.run_variant SELECT {NEWEST}, id FROM temp.chosen;
DROP TABLE temp.chosen;
INSERT OR IGNORE INTO part.noise SELECT {NEWEST}, device, problem, kernel, noise, drift
    FROM part.noise ORDER BY run DESC;
INSERT OR IGNORE INTO part.expected SELECT {NEWEST}, device, deviation FROM part.expected ORDER BY run DESC;
INSERT OR IGNORE INTO part.named SELECT {NEWEST}, device, problem, kernel, trial, expected_regret, regret,
    ending FROM part.named ORDER BY run DESC;
INSERT INTO main.published (run, source, figure, app, kernel, problem, variant, device, time_s, outcome)
    SELECT DISTINCT 1, source, figure, app, kernel, problem, variant, device, time_s, outcome
    FROM part.published EXCEPT SELECT run, source, figure, app, kernel, problem, variant, device, time_s,
    outcome FROM main.published;
DELETE FROM part.published;
DELETE FROM part.stage;
DELETE FROM part.activity;
DELETE FROM part.worker;
DELETE FROM part.tried;
DELETE FROM part.shard;
CREATE TEMP TABLE IF NOT EXISTS joined (label TEXT PRIMARY KEY, host TEXT);
CREATE TEMP TABLE same AS SELECT theirs.id, min(ours.label) AS label
    FROM part.device AS theirs JOIN main.device AS ours USING ({DEVICE_REST}) JOIN temp.joined ON joined.label
    = ours.label WHERE host IS (SELECT min(name) FROM part.host) AND NOT EXISTS (SELECT 1 FROM
    part.run_variant JOIN part.variant ON variant.id = run_variant.variant JOIN part.problem ON problem.id =
    variant.problem JOIN main.problem AS known USING (app, label, inputs) JOIN main.variant AS taken ON
    taken.problem = known.id AND taken.kernel = variant.kernel AND taken.device = ours.id WHERE variant.device
    = theirs.id) GROUP BY theirs.id;
UPDATE part.device SET label = coalesce((SELECT label FROM temp.same WHERE same.id = device.id), CASE WHEN
    label IN (SELECT label FROM temp.joined) THEN label || '@' || {STEM} ELSE label END);
INSERT OR IGNORE INTO temp.joined SELECT label, (SELECT min(name) FROM part.host)
    FROM part.device WHERE id IN (SELECT device FROM part.run_device WHERE run = {NEWEST});
DROP TABLE temp.same;
UPDATE part.trial SET key = key || '@' || {SOURCE};

-- kind: ORIGINS
-- Says which store the rows are from that were taken.
INSERT OR IGNORE INTO main.provenance SELECT device.new, problem.new, kernel, {STEM}
    FROM part.run_variant JOIN part.variant AS theirs ON theirs.id = run_variant.variant JOIN
    temp.device_number AS device ON device.old = theirs.device JOIN temp.problem_number AS problem ON
    problem.old = theirs.problem WHERE run = {NEWEST};

-- kind: JOINED
-- In the end the first of a name gets its store's, too, and the run is one of all.
UPDATE main.device AS ours SET label = label || '@' || (SELECT min(store) || CASE count(DISTINCT store) WHEN 1
    THEN '' ELSE '+' || (count(DISTINCT store) - 1) END FROM main.provenance WHERE device = ours.id)
    WHERE EXISTS (SELECT 1 FROM main.device AS theirs WHERE substr(theirs.label, 1, length(ours.label) + 1) =
    ours.label || '@') AND EXISTS (SELECT 1 FROM main.provenance WHERE device = ours.id);
UPDATE main.run_device SET position = device;
UPDATE main.run_problem SET position = problem;
UPDATE main.variant SET ordinal = CASE name WHEN 'initial code' THEN 0 ELSE (SELECT min(id) FROM main.variant
    AS same WHERE same.name = variant.name AND same.kernel = variant.kernel AND same.problem =
    variant.problem) END;
UPDATE main.run SET title = (SELECT CASE WHEN count(*) < 5 THEN group_concat(stem, ', ') ELSE count(*) ||
    ' stores' END FROM temp.source);
