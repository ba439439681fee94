/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a store, and the steps from stores of earlier releases to them. */
#include "store/statement.h"

static const char schema[] =
    "CREATE TABLE run ("
    " id INTEGER PRIMARY KEY,"
    " title TEXT NOT NULL,"
    " config TEXT NOT NULL,"
    " seed TEXT NOT NULL,"
    " version TEXT NOT NULL,"
    " not_chosen INTEGER NOT NULL,"
    " not_feasible INTEGER NOT NULL,"
    " not_reached INTEGER NOT NULL DEFAULT 0,"
    " started REAL NOT NULL,"
    " ended REAL,"
    " status TEXT);"

    "CREATE TABLE device ("
    " id INTEGER PRIMARY KEY,"
    " label TEXT NOT NULL,"
    " platform TEXT NOT NULL,"
    " name TEXT NOT NULL,"
    " vendor TEXT NOT NULL,"
    " type TEXT NOT NULL,"
    " opencl_version TEXT NOT NULL,"
    " driver_version TEXT NOT NULL,"
    " platform_version TEXT NOT NULL,"
    " compute_units INTEGER NOT NULL,"
    " clock_mhz INTEGER NOT NULL,"
    " max_work_group_size INTEGER NOT NULL,"
    " local_memory_bytes INTEGER NOT NULL,"
    " global_memory_bytes INTEGER NOT NULL,"
    " UNIQUE (label, platform, name, vendor, type, opencl_version, driver_version,"
    " platform_version, compute_units));"

    "CREATE TABLE peak ("
    " device INTEGER PRIMARY KEY REFERENCES device (id),"
    " gbytes_per_s REAL,"
    " single_goperations_per_s REAL,"
    " double_goperations_per_s REAL,"
    " integer_goperations_per_s REAL);"

    "CREATE TABLE problem ("
    " id INTEGER PRIMARY KEY,"
    " app TEXT NOT NULL,"
    " label TEXT NOT NULL,"
    " inputs TEXT NOT NULL,"
    " UNIQUE (app, label, inputs));"

    "CREATE TABLE run_device ("
    " run INTEGER NOT NULL REFERENCES run (id),"
    " device INTEGER NOT NULL REFERENCES device (id),"
    " position INTEGER NOT NULL,"
    " PRIMARY KEY (run, device)) WITHOUT ROWID;"

    "CREATE TABLE run_problem ("
    " run INTEGER NOT NULL REFERENCES run (id),"
    " problem INTEGER NOT NULL REFERENCES problem (id),"
    " position INTEGER NOT NULL,"
    " PRIMARY KEY (run, problem)) WITHOUT ROWID;"

    "CREATE TABLE trial ("
    " id INTEGER PRIMARY KEY,"
    " key TEXT NOT NULL UNIQUE,"
    " device INTEGER NOT NULL REFERENCES device (id),"
    " problem INTEGER NOT NULL REFERENCES problem (id),"
    " outcome TEXT NOT NULL,"
    " abandoned INTEGER NOT NULL,"
    " complete INTEGER NOT NULL,"
    " verified INTEGER NOT NULL,"
    " verify_error REAL,"
    " verify_bound REAL,"
    " verify_text TEXT,"
    " fingerprint TEXT,"
    " stage TEXT,"
    " reason TEXT,"
    " signal INTEGER NOT NULL,"
    " build_ns INTEGER NOT NULL,"
    " build_kept INTEGER NOT NULL,"
    " deferred_ns INTEGER NOT NULL,"
    " lines_changed INTEGER NOT NULL,"
    " options TEXT,"
    " source TEXT,"
    " log TEXT,"
    " least_ns REAL NOT NULL);"

    "CREATE TABLE variant ("
    " id INTEGER PRIMARY KEY,"
    " device INTEGER NOT NULL REFERENCES device (id),"
    " problem INTEGER NOT NULL REFERENCES problem (id),"
    " kernel TEXT NOT NULL,"
    " name TEXT NOT NULL,"
    " ordinal INTEGER NOT NULL,"
    " trial INTEGER REFERENCES trial (id),"
    " reason TEXT,"
    " description TEXT);"
    "CREATE INDEX variant_name ON variant (name, kernel, problem, device);"
    "CREATE INDEX variant_trial ON variant (trial);"

    "CREATE TABLE run_variant ("
    " run INTEGER NOT NULL REFERENCES run (id),"
    " variant INTEGER NOT NULL REFERENCES variant (id),"
    " PRIMARY KEY (run, variant)) WITHOUT ROWID;"

    "CREATE INDEX trial_fingerprint ON trial (fingerprint);"

    "CREATE TABLE process ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " run INTEGER REFERENCES run (id),"
    " load REAL);"

    "CREATE TABLE kernel ("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE);"

    "CREATE TABLE sample ("
    " trial INTEGER NOT NULL REFERENCES trial (id),"
    " kernel INTEGER NOT NULL REFERENCES kernel (id),"
    " position INTEGER NOT NULL,"
    " process INTEGER NOT NULL,"
    " time_ns REAL NOT NULL,"
    " PRIMARY KEY (trial, kernel, position)) WITHOUT ROWID;"

    "CREATE TABLE work ("
    " problem INTEGER NOT NULL REFERENCES problem (id),"
    " kernel TEXT NOT NULL,"
    " arithmetic TEXT NOT NULL,"
    " operations REAL NOT NULL,"
    " bytes REAL NOT NULL,"
    " PRIMARY KEY (problem, kernel)) WITHOUT ROWID;"

    "CREATE TABLE pattern ("
    " problem INTEGER NOT NULL REFERENCES problem (id),"
    " kernel TEXT NOT NULL,"
    " patterns TEXT NOT NULL,"
    " PRIMARY KEY (problem, kernel)) WITHOUT ROWID;"

    "CREATE TABLE published ("
    " id INTEGER PRIMARY KEY,"
    " run INTEGER NOT NULL REFERENCES run (id),"
    " source TEXT NOT NULL,"
    " figure TEXT NOT NULL,"
    " app TEXT NOT NULL,"
    " kernel TEXT NOT NULL,"
    " problem TEXT NOT NULL,"
    " variant TEXT NOT NULL,"
    " device TEXT NOT NULL,"
    " time_s REAL,"
    " outcome TEXT NOT NULL);"
    "CREATE INDEX published_run ON published (run);"

    "CREATE TABLE noise ("
    " run INTEGER NOT NULL REFERENCES run (id),"
    " device INTEGER NOT NULL REFERENCES device (id),"
    " problem INTEGER NOT NULL REFERENCES problem (id),"
    " kernel TEXT NOT NULL,"
    " noise REAL,"
    " drift REAL,"
    " PRIMARY KEY (run, device, problem, kernel)) WITHOUT ROWID;"

    "CREATE TABLE stage ("
    " run INTEGER NOT NULL REFERENCES run (id),"
    " stage TEXT NOT NULL,"
    " seconds REAL NOT NULL,"
    " PRIMARY KEY (run, stage)) WITHOUT ROWID;"

    "CREATE VIEW samples AS"
    " SELECT sample.trial, kernel.name AS kernel, sample.position, sample.process, sample.time_ns"
    " FROM sample JOIN kernel ON kernel.id = sample.kernel;"

    "CREATE VIEW shown AS"
    " SELECT run_variant.run, variant.* FROM run_variant"
    " JOIN variant ON variant.id = run_variant.variant;"

    "CREATE VIEW variants AS"
    " SELECT variant.run, device.label AS device, problem.app, problem.label AS problem,"
    " variant.kernel, variant.ordinal, variant.name, variant.trial,"
    " CASE WHEN trial.id IS NOT NULL THEN trial.outcome"
    " WHEN variant.reason IS NOT NULL THEN 'infeasible' ELSE 'pending' END AS outcome,"
    " coalesce(variant.reason, trial.reason) AS reason"
    " FROM shown AS variant JOIN device ON device.id = variant.device"
    " JOIN problem ON problem.id = variant.problem"
    " LEFT JOIN trial ON trial.id = variant.trial;"

    "CREATE TABLE access ("
    " device INTEGER PRIMARY KEY REFERENCES device (id),"
    " rates TEXT NOT NULL);"

    "CREATE TABLE lowest_peak ("
    " device INTEGER PRIMARY KEY REFERENCES device (id),"
    " gbytes_per_s REAL NOT NULL);"

    "CREATE TABLE clock ("
    " process INTEGER PRIMARY KEY REFERENCES process (id),"
    " device INTEGER NOT NULL REFERENCES device (id),"
    " source TEXT NOT NULL,"
    " resolution_ns REAL NOT NULL,"
    " overhead_ns REAL NOT NULL,"
    " agreement REAL,"
    " reason TEXT);"

    "CREATE TABLE counter ("
    " trial INTEGER NOT NULL REFERENCES trial (id),"
    " kernel TEXT NOT NULL,"
    " name TEXT NOT NULL,"
    " value REAL NOT NULL,"
    " unit TEXT NOT NULL,"
    " source TEXT NOT NULL,"
    " PRIMARY KEY (trial, kernel, name)) WITHOUT ROWID;"

    "CREATE TABLE member ("
    " process INTEGER PRIMARY KEY REFERENCES process (id),"
    " member INTEGER NOT NULL);"

    "CREATE TABLE host ("
    " process INTEGER PRIMARY KEY REFERENCES process (id),"
    " name TEXT NOT NULL);"

    "CREATE TABLE profile ("
    " problem INTEGER NOT NULL REFERENCES problem (id),"
    " kernel TEXT NOT NULL,"
    " fingerprint TEXT NOT NULL,"
    " profile TEXT NOT NULL,"
    " PRIMARY KEY (problem, kernel, fingerprint)) WITHOUT ROWID;"

    "CREATE TABLE activity ("
    " run INTEGER NOT NULL REFERENCES run (id),"
    " worker INTEGER NOT NULL,"
    " stage TEXT NOT NULL,"
    " began_s REAL NOT NULL,"
    " ended_s REAL NOT NULL);"
    "CREATE INDEX activity_run ON activity (run);"

    "CREATE TABLE worker ("
    " run INTEGER NOT NULL REFERENCES run (id),"
    " worker INTEGER NOT NULL,"
    " host TEXT NOT NULL,"
    " stage TEXT,"
    " PRIMARY KEY (run, worker)) WITHOUT ROWID;"

    "CREATE TABLE progress ("
    " run INTEGER NOT NULL REFERENCES run (id),"
    " host TEXT NOT NULL,"
    " text TEXT,"
    " PRIMARY KEY (run, host)) WITHOUT ROWID;"

    "CREATE TABLE tried ("
    " trial INTEGER PRIMARY KEY,"
    " run INTEGER NOT NULL,"
    " at_s REAL NOT NULL);"

    "CREATE TABLE shard ("
    " run INTEGER NOT NULL REFERENCES run (id),"
    " number INTEGER NOT NULL,"
    " count INTEGER NOT NULL,"
    " PRIMARY KEY (run, number)) WITHOUT ROWID;"

    "CREATE TABLE named ("
    " run INTEGER NOT NULL REFERENCES run (id),"
    " device INTEGER NOT NULL REFERENCES device (id),"
    " problem INTEGER NOT NULL REFERENCES problem (id),"
    " kernel TEXT NOT NULL,"
    " trial INTEGER NOT NULL," /* 0: none */
    " expected_regret REAL,"
    " regret REAL,"
    " ending TEXT NOT NULL,"
    " PRIMARY KEY (run, device, problem, kernel)) WITHOUT ROWID;"

    "CREATE TABLE expected ("
    " run INTEGER NOT NULL REFERENCES run (id),"
    " device INTEGER NOT NULL REFERENCES device (id),"
    " deviation REAL NOT NULL,"
    " PRIMARY KEY (run, device)) WITHOUT ROWID;"

    "CREATE TABLE provenance ("
    " device INTEGER NOT NULL REFERENCES device (id),"
    " problem INTEGER NOT NULL REFERENCES problem (id),"
    " kernel TEXT NOT NULL,"
    " store TEXT NOT NULL,"
    " PRIMARY KEY (device, problem, kernel)) WITHOUT ROWID;"

    "CREATE TABLE waited ("
    " trial INTEGER NOT NULL REFERENCES trial (id),"
    " process INTEGER NOT NULL,"
    " share REAL NOT NULL,"
    " PRIMARY KEY (trial, process)) WITHOUT ROWID;";

/* Makes the statements that add to database ?1 what it lacks of `wanted`: columns first, which
 * indices and views may be about. What is temporary covers what has its name in main. */
#define LACKING                                                                                    \
    "WITH own AS (SELECT type, name FROM %s.sqlite_master), lacking AS ("                          \
    " SELECT t.name AS whole, c.name, c.type || CASE WHEN c.\"notnull\" THEN ' NOT NULL' ELSE ''"  \
    " END AS type, coalesce(c.dflt_value, CASE WHEN NOT c.\"notnull\" THEN 'NULL' WHEN c.type ="   \
    " 'TEXT' THEN '''''' ELSE '0' END) AS value"                                                   \
    " FROM wanted.sqlite_master AS t JOIN own USING (type, name)"                                  \
    " JOIN pragma_table_info(t.name, 'wanted') AS c WHERE t.type = 'table' AND c.name NOT IN"      \
    " (SELECT name FROM pragma_table_info(t.name, CASE ?1 WHEN 'temp' THEN 'main' ELSE ?1 END)))"  \
    " SELECT group_concat(statement, ';') FROM ("                                                  \
    "SELECT 'ALTER TABLE ' || ?1 || '.' || whole || ' ADD COLUMN ' || name || ' ' || type ||"      \
    " ' DEFAULT ' || value AS statement FROM lacking WHERE ?1 <> 'temp' UNION ALL "                \
    "SELECT 'CREATE VIEW temp.' || whole || ' AS SELECT *' || group_concat(', ' || value ||"       \
    " ' AS ' || name, '') || ' FROM main.' || whole FROM lacking WHERE ?1 = 'temp' GROUP BY whole" \
    " UNION ALL "                                                                                  \
    "SELECT 'CREATE ' || type || ' ' || ?1 || '.' || substr(sql, length('CREATE ' || type) + 2)"   \
    " FROM wanted.sqlite_master WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'"         \
    " AND CASE WHEN ?1 = 'temp' AND type <> 'table' THEN type = 'view' AND EXISTS (SELECT 1 FROM"  \
    " lacking) ELSE (type, name) NOT IN own END)"

/* Makes the tables of a new store in database `wanted`, which is written whatever the others are.
 */
static int make_wanted(sqlite3 *database)
{
    int code =
        sqlite3_exec(database, "ATTACH 'file:wanted?mode=memory' AS wanted", NULL, NULL, NULL);
    for (const char *at = schema; *at && code == SQLITE_OK; at = strchr(at, ';') + 1) {
        size_t name = strcspn(at + strlen("CREATE "), " ") + strlen("CREATE ") + 1;
        CLOPT_FREED char *one = clopt_text_format("%.*swanted.%.*s", (int)name, at,
                                                  (int)strcspn(at + name, ";"), at + name);
        code = sqlite3_exec(database, one, NULL, NULL, NULL);
    }
    return code;
}

/* Finds what is lacking; NULL: nothing. */
static int find_lacking(sqlite3 *database, const char *name, char **sql)
{
    sqlite3_stmt *statement = NULL;
    CLOPT_FREED char *text = clopt_text_format(LACKING, strcmp(name, "temp") == 0 ? "main" : name);
    int code = sqlite3_prepare_v2(database, text, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW && sqlite3_column_text(statement, 0))
        *sql = clopt_strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return code == SQLITE_ROW ? SQLITE_OK : code;
}

enum clopt_status clopt_store_raise(struct clopt_store *store, const char *name, const char *path,
                                    struct clopt_error *error)
{
    CLOPT_FREED char *sql = NULL;
    CLOPT_FREED char *all = NULL;
    int code = make_wanted(store->database);
    if (code == SQLITE_OK)
        code = find_lacking(store->database, name, &sql);
    if (code != SQLITE_OK)
        return clopt_store_fail(store, "open the store", error);
    sqlite3_exec(store->database, "DETACH wanted", NULL, NULL, NULL);
    all =
        clopt_text_format("SAVEPOINT raised; %s; PRAGMA %s.application_id = %d;"
                          " PRAGMA %s.user_version = %d; RELEASE raised",
                          sql ? sql : "", name, CLOPT_STORE_APPLICATION, name, CLOPT_STORE_VERSION);
    if (!sql || sqlite3_exec(store->database, all, NULL, NULL, NULL) == SQLITE_OK)
        return CLOPT_OK;
    clopt_fail(error, CLOPT_FAILED,
               "%s: cannot add what its release of clopt had not: %s; if it is damaged, run the "
               "study again with another store (-o)",
               path, sqlite3_errmsg(store->database));
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return CLOPT_FAILED;
}
