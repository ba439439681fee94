/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the tables of a store, which are in schema.sql, and adds what stores of earlier releases
 * lack. */
#include "store/statement.h"

static const char schema[] =
#include "core/store/schema_sql.h"
    ;

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

/* Makes the tables of a new store in database `wanted`, which is written whatever others are. */
static int make_wanted(sqlite3 *database)
{
    int code =
        sqlite3_exec(database, "ATTACH 'file:wanted?mode=memory' AS wanted", NULL, NULL, NULL);
    const char *at = strstr(schema, "CREATE ");
    for (; at && code == SQLITE_OK; at = strstr(at + 1, "CREATE ")) {
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
